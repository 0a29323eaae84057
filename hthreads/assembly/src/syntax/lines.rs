//! Lines of a source without comments.

use crate::diagnostic::Diagnostic;
use crate::line_marker::marker;
use std::rc::Rc;

/// A place in a source.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 0.
    pub column: usize,
    /// The text of the line.
    pub text: Rc<str>,
}

impl Place {
    /// What is wrong there, at a column from 0.
    pub fn diagnostic(&self, column: usize, message: String) -> Diagnostic {
        let before = self.text.get(..column).unwrap_or(&self.text);
        Diagnostic {
            file: self.file.to_string(),
            line: self.line,
            column: before.chars().count() as u32 + 1,
            message,
            text: self.text.to_string(),
        }
    }
}

/// A line.
#[derive(Debug)]
pub struct Line {
    /// Its text, in which comments are blank.
    pub code: String,
    /// Where it is.
    pub place: Place,
}

/// The lines of a text.
pub fn split(file: &str, text: &str) -> Vec<Line> {
    let mut file: Rc<str> = file.into();
    let mut number = 0;
    let mut in_comment = false;
    let mut lines = Vec::new();
    for text in text.lines() {
        number += 1;
        if let Some((line, name)) = marker(text) {
            number = line.saturating_sub(1);
            if let Some(name) = name {
                file = name.into();
            }
            continue;
        }
        let code = blank_comments(text, &mut in_comment);
        lines.push(Line {
            code,
            place: Place {
                file: Rc::clone(&file),
                line: number,
                column: 0,
                text: text.into(),
            },
        });
    }
    lines
}

/// The text with blanks in place of comments. Strings have none.
fn blank_comments(text: &str, in_comment: &mut bool) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    let mut quoted = false;
    while at < bytes.len() {
        let here = &bytes[at..];
        let blank;
        if *in_comment {
            *in_comment = !here.starts_with(b"*/");
            blank = if *in_comment { 1 } else { 2 };
        } else if quoted {
            quoted = here[0] != b'"';
            at += if here[0] == b'\\' { 2 } else { 1 };
            continue;
        } else if here.starts_with(b"/*") {
            *in_comment = true;
            blank = 2;
        } else if here[0] == b';'
            || here.starts_with(b"//")
            || here[0] == b'#' && text[..at].trim().is_empty()
        {
            blank = here.len();
        } else {
            quoted = here[0] == b'"';
            at += 1;
            continue;
        }
        let end = (at + blank).min(bytes.len());
        code[at..end].fill(b' ');
        at = end;
    }
    // Whole characters have been replaced.
    String::from_utf8(code).unwrap_or_default()
}

/// Whether a character may be part of a symbol.
pub fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}
