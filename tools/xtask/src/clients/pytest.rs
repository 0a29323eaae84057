//! Runs a pytest suite, parses its summary, and compares it with tables of tests that are expected
//! not to pass.

use super::text_and_success;
use anyhow::{Result, bail};
use std::process::Command;

/// A test that does not pass.
pub struct Exception {
    /// File and function, as pytest writes them.
    pub test: &'static str,
    /// A part of pytest's message.
    pub says: &'static str,
    /// The reason why it does not pass.
    pub reason: &'static str,
}

impl Exception {
    fn is(&self, found: &Found) -> bool {
        self.test == found.test && found.message.contains(self.says)
    }
}

/// A test that did not pass, as pytest reports it.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// File and function.
    pub test: String,
    /// pytest's message; may be empty.
    pub message: String,
}

/// The results in pytest's short summary.
#[derive(Default)]
pub struct Summary {
    /// Tests that failed or could not begin.
    pub failed: Vec<Found>,
    /// Skipped tests, if pytest lists them one by one.
    pub skipped: Vec<Found>,
    /// The last line without the time.
    pub counts: String,
    /// The last lines, for error messages.
    pub tail: String,
}

/// Parses the output of `pytest -q -rsfE`.
fn summary(text: &str) -> Summary {
    let mut summary = Summary::default();
    for line in text.lines() {
        if let Some(rest) = line
            .strip_prefix("FAILED ")
            .or_else(|| line.strip_prefix("ERROR "))
        {
            summary.failed.push(found(rest));
        } else if let Some(rest) = line.strip_prefix("SKIPPED ") {
            summary.skipped.push(found(rest));
        } else if let Some((counts, _time)) = line.split_once(" in ")
            && counts.contains(" passed")
        {
            counts
                .trim_matches(['=', ' '])
                .clone_into(&mut summary.counts);
        }
    }
    summary
}

/// Parses `file::test[parameters] - message`, where everything after the test is optional.
fn found(text: &str) -> Found {
    let (name, message) = text.split_once(" - ").unwrap_or((text, ""));
    // Parameters name the device, and may have spaces.
    let test = name.split('[').next().unwrap_or(name).trim();
    Found {
        test: test.to_owned(),
        message: message.to_owned(),
    }
}

/// The differences from the table: found tests that it lacks, and listed tests of the files that
/// ran that were not found.
fn surprises(found: &[Found], table: &[Exception], files: &[&str]) -> (Vec<String>, Vec<String>) {
    let ran = |entry: &&Exception| {
        files
            .iter()
            .any(|file| *file == "." || entry.test.starts_with(&format!("{file}::")))
    };
    let mut unlisted: Vec<String> = found
        .iter()
        .filter(|found| !table.iter().any(|entry| entry.is(found)))
        .map(|found| format!("{} {}", found.test, found.message))
        .collect();
    unlisted.sort_unstable();
    unlisted.dedup();
    let absent = table
        .iter()
        .filter(ran)
        .filter(|entry| !found.iter().any(|found| entry.is(found)))
        .map(|entry| entry.test.to_owned())
        .collect();
    (unlisted, absent)
}

/// Runs pytest: `python` with `-m pytest` and what is to be tested.
///
/// # Errors
/// pytest ends early.
pub fn run(python: &mut Command) -> Result<Summary> {
    python
        .args(["-q", "-rsfE", "--tb=short"])
        .args(["-p", "no:cacheprovider", "-W", "ignore"]);
    let (text, _) = text_and_success(python)?;
    let mut summary = summary(&text);
    summary.tail = super::tail(&text);
    if summary.counts.is_empty() {
        bail!("pytest did not come to its end:\n{}", summary.tail);
    }
    Ok(summary)
}

impl Summary {
    /// Number of skipped tests.
    pub fn skips(&self) -> usize {
        let count = |part: &str| part.trim().strip_suffix(" skipped")?.parse().ok();
        self.counts.split(',').find_map(count).unwrap_or(0)
    }
}

/// Compares the tests that did not pass with a table.
///
/// # Errors
/// A test is only in one of the two.
pub fn check(does: &str, found: &[Found], table: &[Exception], files: &[&str]) -> Result<()> {
    let (unlisted, absent) = surprises(found, table, files);
    if !unlisted.is_empty() {
        bail!("no table lists that it {does}: {}", unlisted.join(", "));
    }
    if !absent.is_empty() {
        bail!(
            "a table lists that it {does}, but it does not: {}",
            absent.join(", ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Exception, Found, summary, surprises};

    const OUTPUT: &str = "\
..s.F
=========================== short test summary info ============================
SKIPPED test_clmath.py::test_bessel[<factory for <Device 'A 0' on 'M'>>] - Skipped: no SciPy
FAILED test_wrapper.py::test_get_info[<factory for <Device 'A 0' on 'M'>>]
FAILED test_array.py::test_new - assert 1 == 2
8 failed, 1160 passed, 49 skipped, 80 warnings in 630.08s (0:10:30)
";
    const TABLE: &[Exception] = &[
        Exception {
            test: "test_wrapper.py::test_get_info",
            says: "",
            reason: "",
        },
        Exception {
            test: "test_array.py::test_cache",
            says: "disk",
            reason: "",
        },
    ];

    fn found(test: &str, message: &str) -> Found {
        Found {
            test: test.to_owned(),
            message: message.to_owned(),
        }
    }

    #[test]
    fn pytests_summary_is_read() {
        let summary = summary(OUTPUT);
        assert_eq!(
            summary.failed,
            [
                found("test_wrapper.py::test_get_info", ""),
                found("test_array.py::test_new", "assert 1 == 2")
            ]
        );
        assert_eq!(
            summary.skipped,
            [found("test_clmath.py::test_bessel", "Skipped: no SciPy")]
        );
        assert_eq!(
            summary.counts,
            "8 failed, 1160 passed, 49 skipped, 80 warnings"
        );
        assert_eq!(summary.skips(), 49);
    }

    #[test]
    fn unexpected_failures_and_passes_are_found() {
        let failed = [found("test_wrapper.py::test_get_info", "")];
        let (unlisted, absent) = surprises(&failed, TABLE, &["."]);
        assert!(unlisted.is_empty());
        assert_eq!(absent, ["test_array.py::test_cache"]);

        let (unlisted, absent) = surprises(&failed, TABLE, &["test_wrapper.py"]);
        assert!(unlisted.is_empty() && absent.is_empty());

        let other_cause = [found("test_array.py::test_cache", "assert 1 == 2")];
        let (unlisted, absent) = surprises(&other_cause, TABLE, &["test_array.py"]);
        assert_eq!(unlisted, ["test_array.py::test_cache assert 1 == 2"]);
        assert_eq!(absent, ["test_array.py::test_cache"]);
    }
}
