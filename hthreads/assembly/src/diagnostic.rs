//! What is wrong with a source, as clang says it.

use std::fmt;

/// What is wrong at a place of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The text of the line.
    pub text: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            message,
            text,
        } = self;
        writeln!(f, "{file}:{line}:{column}: error: {message}")?;
        writeln!(f, "{text}")?;
        let before = text.chars().take(*column as usize - 1);
        let blank: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{blank}^")
    }
}

/// All that is wrong with a source, at least one thing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.0 {
            write!(f, "{diagnostic}")?;
        }
        match self.0.len() {
            1 => writeln!(f, "1 error generated."),
            errors => writeln!(f, "{errors} errors generated."),
        }
    }
}
