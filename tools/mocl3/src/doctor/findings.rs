//! What was found, told as it is found.

use std::path::Path;
use std::process::ExitCode;

/// Counts what keeps programs from using the platform.
#[derive(Default)]
pub struct Findings {
    bad: usize,
}

impl Findings {
    /// Something is as it should be.
    pub fn good(&mut self, what: impl AsRef<str>) {
        tell("ok", what.as_ref());
    }

    /// Something to know.
    pub fn note(&mut self, what: impl AsRef<str>) {
        tell("note", what.as_ref());
    }

    /// Something is in the way, and what to do about it.
    pub fn bad(&mut self, what: impl AsRef<str>, advice: impl AsRef<str>) {
        tell("BAD", what.as_ref());
        tell("", &format!("→ {}", advice.as_ref()));
        self.bad += 1;
    }

    /// How many things have been found in the way.
    pub fn bad_ones(&self) -> usize {
        self.bad
    }

    /// The last line, and the exit code.
    pub fn conclude(self) -> ExitCode {
        if self.bad == 0 {
            println!("OpenCL programs find MOCL3 and can use it.");
            return ExitCode::SUCCESS;
        }
        println!("OpenCL programs cannot use MOCL3 as things are; see BAD above.");
        ExitCode::FAILURE
    }
}

fn tell(mark: &str, text: &str) {
    for (number, line) in text.lines().enumerate() {
        println!("{:5}{line}", if number == 0 { mark } else { "" });
    }
}

/// A path as one word of a shell's line, whatever is in it.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
