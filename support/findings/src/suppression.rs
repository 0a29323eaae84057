//! Suppressions: findings that are known and not to be shown.
//!
//! A file has one suppression a line: a kind, or `*` for any, and conditions that all have to hold.
//! `#` begins a comment.
//!
//! ```text
//! out-of-bounds kernel=blur file=blur.cl line=12   # the image has a border
//! misaligned function=load_pixels
//! * object=scratch
//! ```

use crate::{Finding, Kind};
use std::str::FromStr;
use thiserror::Error;

/// A line that is no suppression.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SuppressionError {
    /// The first word is no kind.
    #[error("line {line}: `{word}` is no kind of finding: {}", names())]
    Kind {
        /// Number of the line, from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// A word is no condition.
    #[error(
        "line {line}: `{word}` is no condition: kernel=NAME, function=NAME, file=NAME, line=NUMBER, \
         object=NAME"
    )]
    Condition {
        /// Number of the line, from 1.
        line: usize,
        /// The word.
        word: String,
    },
}

fn names() -> String {
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("*, {}", names.join(", "))
}

#[derive(Debug, Default)]
struct Suppression {
    kind: Option<Kind>,
    kernel: Option<String>,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    object: Option<String>,
}

impl Suppression {
    fn covers(&self, finding: &Finding) -> bool {
        let is = |wanted: &Option<String>, actual: Option<&str>| {
            wanted.is_none() || wanted.as_deref() == actual
        };
        let place = finding.place.as_ref();
        let object = finding.object.as_ref();
        self.kind.is_none_or(|kind| kind == finding.kind)
            && is(&self.kernel, Some(&finding.kernel))
            && is(&self.function, Some(&finding.function))
            && is(&self.file, place.map(|place| place.file.as_str()))
            && is(&self.object, object.map(|object| object.name.as_str()))
            && (self.line.is_none() || self.line == place.map(|place| place.line))
    }
}

/// The suppressions of a file.
#[derive(Debug, Default)]
pub struct Suppressions(Vec<Suppression>);

impl Suppressions {
    /// Whether a finding is not to be shown.
    pub fn cover(&self, finding: &Finding) -> bool {
        self.0.iter().any(|suppression| suppression.covers(finding))
    }
}

impl FromStr for Suppressions {
    type Err = SuppressionError;

    fn from_str(text: &str) -> Result<Self, SuppressionError> {
        let mut suppressions = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(kind) = words.next() else {
                continue;
            };
            let mut suppression = Suppression {
                kind: match kind {
                    "*" => None,
                    name => Some(kind_of(name).ok_or_else(|| SuppressionError::Kind {
                        line: number,
                        word: name.to_owned(),
                    })?),
                },
                ..Suppression::default()
            };
            for word in words {
                let wrong = || SuppressionError::Condition {
                    line: number,
                    word: word.to_owned(),
                };
                let (name, value) = word.split_once('=').ok_or_else(wrong)?;
                let text = Some(value.to_owned());
                match name {
                    "kernel" => suppression.kernel = text,
                    "function" => suppression.function = text,
                    "file" => suppression.file = text,
                    "object" => suppression.object = text,
                    "line" => suppression.line = Some(value.parse().map_err(|_| wrong())?),
                    _ => return Err(wrong()),
                }
            }
            suppressions.push(suppression);
        }
        Ok(Self(suppressions))
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::example;

    #[test]
    fn all_conditions_have_to_hold() {
        for (text, covered) in [
            ("# nothing\n\n", false),
            ("*", true),
            (
                "out-of-bounds kernel=k line=3 file=program.cl object=out",
                true,
            ),
            ("out-of-bounds function=put # why", true),
            ("out-of-bounds function=other", false),
            ("out-of-bounds line=4", false),
            ("misaligned", false),
        ] {
            let suppressions: Suppressions = text.parse().unwrap();
            assert_eq!(suppressions.cover(&example()), covered, "{text}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, word) in [
            ("*\nbounds", "bounds"),
            ("*\n* kernel", "kernel"),
            ("*\n* line=x", "line=x"),
        ] {
            let error = text.parse::<Suppressions>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("line 2: `{word}`")), "{error}");
        }
    }
}
