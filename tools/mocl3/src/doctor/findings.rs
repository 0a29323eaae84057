//! Prints findings at once.

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
        print("ok", what.as_ref());
    }

    /// Reports a fact.
    pub fn note(&mut self, what: impl AsRef<str>) {
        print("note", what.as_ref());
    }

    /// Reports an obstacle, with advice.
    pub fn bad(&mut self, what: impl AsRef<str>, advice: impl AsRef<str>) {
        print("BAD", what.as_ref());
        print("", &format!("→ {}", advice.as_ref()));
        self.bad += 1;
    }

    /// The number of obstacles.
    pub fn obstacles(&self) -> usize {
        self.bad
    }

    /// Prints the last line; returns the exit code.
    pub fn conclude(self) -> ExitCode {
        if self.bad == 0 {
            println!("OpenCL programs find MOCL3 and can use it.");
            return ExitCode::SUCCESS;
        }
        println!("OpenCL programs cannot use MOCL3 as things are; see BAD above.");
        ExitCode::FAILURE
    }
}

fn print(mark: &str, text: &str) {
    for (number, line) in text.lines().enumerate() {
        println!("{:5}{line}", if number == 0 { mark } else { "" });
    }
}

/// A path quoted as one word of a shell command.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
