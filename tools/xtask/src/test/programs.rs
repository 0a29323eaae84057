//! The programs that cargo builds of the workspace's tests.

use super::jobs::Outcome;
use crate::{command, platform};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Of the library, program or file in `tests` that it tests.
    pub name: String,
    executable: PathBuf,
    /// Where cargo starts it.
    package: PathBuf,
}

/// Programs that take long, the longest first; they start first.
const LONGEST: &[&str] = &[
    "suite",
    "kernel_compiler",
    "opencl",
    "m3cc",
    "random_kernels",
];

/// Builds the tests of the workspace.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<Vec<Program>> {
    let mut cargo = platform::cargo();
    cargo
        .args(["test", "--release", "--workspace", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    let built = command::output(&mut cargo)?;
    if !built.status.success() {
        bail!("the tests cannot be built");
    }
    let messages = String::from_utf8(built.stdout).context("cargo prints UTF-8")?;
    let mut programs = Vec::new();
    for message in messages.lines() {
        let message = serde_json::from_str(message).context("cargo prints JSON")?;
        programs.extend(Program::of(&message));
    }
    let place = |program: &Program| LONGEST.iter().position(|name| *name == program.name);
    programs.sort_by_key(|program| place(program).unwrap_or(LONGEST.len()));
    Ok(programs)
}

impl Program {
    /// The program that a message of cargo's is about; none if it is about something else.
    fn of(message: &Value) -> Option<Self> {
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let manifest = Path::new(message["manifest_path"].as_str()?);
        Some(Self {
            name: message["target"]["name"].as_str()?.to_owned(),
            executable: message["executable"].as_str()?.into(),
            package: manifest.parent()?.to_owned(),
        })
    }

    /// Runs its tests one after the other.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(&self) -> Result<Outcome> {
        let mut command = Command::new(&self.executable);
        command
            .arg("--test-threads=1")
            .current_dir(&self.package)
            .env("CARGO_MANIFEST_DIR", &self.package);
        outcome(&mut command)
    }
}

/// Runs a command that prints test results as cargo's programs do.
///
/// # Errors
/// It cannot be started.
pub fn outcome(command: &mut Command) -> Result<Outcome> {
    let ended = command::output(command)?;
    let printed = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    let (passed, mut failed) = counts(&printed);
    let mut output = format!("{printed}{errors}");
    if !ended.status.success() && failed == 0 {
        failed = 1;
        output += &format!("{command:?} ended with {}\n", ended.status);
    }
    Ok(Outcome {
        output,
        passed,
        failed,
    })
}

/// The numbers of passed and failed tests: of lines such as "test result: ok. 3 passed; 0 failed; 0 ignored; …".
fn counts(printed: &str) -> (usize, usize) {
    let results = printed
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "));
    results.fold((0, 0), |(passed, failed), result| {
        (
            passed + count(result, "passed"),
            failed + count(result, "failed"),
        )
    })
}

/// The number before `word` in a test result.
fn count(result: &str, word: &str) -> usize {
    result
        .split([';', '.'])
        .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_read_from_the_lines_that_programs_print() {
        let printed = "running 15 tests\n\
            test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; finished in 0.15s\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; finished in 3.00s\n";
        assert_eq!(counts(printed), (14, 3));
        assert_eq!(counts(""), (0, 0));
    }

    #[test]
    fn a_program_that_ends_with_an_error_has_a_failed_test() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo 'test result: ok. 2 passed; 0 failed'; exit 3"]);
        let outcome = outcome(&mut shell).unwrap();
        assert_eq!((outcome.passed, outcome.failed), (2, 1));
        assert!(
            outcome.output.contains("exit status: 3"),
            "{}",
            outcome.output
        );
    }

    #[test]
    fn programs_are_those_with_tests() {
        let artifact = |is_test: bool| {
            json!({
                "reason": "compiler-artifact",
                "manifest_path": "/w/icd/Cargo.toml",
                "target": {"name": "opencl"},
                "profile": {"test": is_test},
                "executable": "/w/target/opencl-1",
            })
        };
        let program = Program::of(&artifact(true)).unwrap();
        assert_eq!(program.name, "opencl");
        assert_eq!(program.package, Path::new("/w/icd"));
        assert_eq!(Program::of(&artifact(false)), None);
        assert_eq!(Program::of(&json!({"reason": "build-finished"})), None);
    }
}
