//! Prints findings at once.

use anstyle::Style;
use mocl3_shared::terminal::{ERROR, GOOD, NOTE, columns, styled, wrapped};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Counts the problems that keep programs from using the platform.
#[derive(Default)]
pub struct Findings {
    bad: usize,
}

impl Findings {
    /// Reports a step that works.
    pub fn good(&mut self, what: impl AsRef<str>) {
        print(GOOD, "ok", what.as_ref());
    }

    /// Reports a fact.
    pub fn note(&mut self, what: impl AsRef<str>) {
        print(NOTE, "note", what.as_ref());
    }

    /// Reports an obstacle, with advice.
    pub fn bad(&mut self, what: impl AsRef<str>, advice: impl AsRef<str>) {
        print(ERROR, "BAD", what.as_ref());
        print(Style::new(), "", &format!("→ {}", advice.as_ref()));
        self.bad += 1;
    }

    /// The number of obstacles.
    pub fn obstacles(&self) -> usize {
        self.bad
    }

    /// Prints the last line; returns the exit code.
    pub fn conclude(self) -> ExitCode {
        if self.bad == 0 {
            line("OpenCL programs find MOCL3 and can use it.");
            return ExitCode::SUCCESS;
        }
        line("OpenCL programs cannot use MOCL3 as things are; see BAD above.");
        ExitCode::FAILURE
    }
}

/// The width of the marks, columns.
const MARGIN: usize = 5;

fn print(style: Style, mark: &str, text: &str) {
    let width = columns(&io::stdout()).map(|width| width - MARGIN);
    let lines = text.lines().map(|line| wrapped(line, width, 0));
    let text = lines.collect::<Vec<_>>().join("\n");
    for (number, text) in text.lines().enumerate() {
        let space = " ".repeat(MARGIN - mark.len());
        match number {
            0 => line(&format!("{}{space}{text}", styled(style, mark))),
            _ => line(&format!("{:MARGIN$}{text}", "")),
        }
    }
}

fn line(text: &str) {
    // The exit code has the result, if nothing reads the lines.
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// A path quoted as one word of a shell command.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
