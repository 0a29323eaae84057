//! Runs the programs of clients, with a time limit.

use crate::command;
use anyhow::{Result, bail};
use std::cell::Cell;
use std::process::Command;
use std::time::{Duration, Instant};

thread_local! {
    /// The time for which the programs of this client have run.
    static RUNNING: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// The time limit of each of them, seconds.
    static LIMIT: Cell<u64> = const { Cell::new(DEFAULT_LIMIT) };
}

/// Runs a client; returns its result and the run time of its programs.
pub fn timed<T>(client: impl FnOnce() -> T) -> (T, Duration) {
    RUNNING.set(Duration::ZERO);
    let result = client();
    (result, RUNNING.get())
}

/// Runs a program; returns its output of both streams without terminal colours.
///
/// # Errors
/// It cannot be started, or ends with a status that is not success.
pub fn text(program: &mut Command) -> Result<String> {
    let (text, succeeded) = text_and_success(program)?;
    if !succeeded {
        bail!("{program:?} failed:\n{}", tail(&text));
    }
    Ok(text)
}

/// The same for programs whose exit status is a result.
///
/// # Errors
/// It cannot be started, or a signal ended it.
pub fn text_and_success(program: &mut Command) -> Result<(String, bool)> {
    let start = Instant::now();
    let output = command::output(&mut limited(program))?;
    RUNNING.set(RUNNING.get() + start.elapsed());
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let text = without_colours(&text);
    // 124: the time limit was exceeded; from 128 on: a signal.
    if output.status.code().is_none_or(|code| code >= 124) {
        bail!("{program:?} ended with {}:\n{}", output.status, tail(&text));
    }
    Ok((text, output.status.success()))
}

/// Time limit of a program unless another is set, seconds.
pub const DEFAULT_LIMIT: u64 = 5400;

/// Sets the time limit of each program that runs from now on, seconds.
pub fn set_limit(seconds: u64) {
    LIMIT.set(seconds);
}

/// The same program under coreutils' `timeout`.
fn limited(program: &Command) -> Command {
    let mut limited = Command::new("timeout");
    limited
        .args(["--kill-after=10", &LIMIT.get().to_string()])
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    if let Some(folder) = program.get_current_dir() {
        limited.current_dir(folder);
    }
    limited
}

/// The last lines of an output, which contain the reason of a failure.
pub fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

/// Removes `ESC [ … m`.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let code = &rest[at..];
        rest = code.find('m').map_or("", |end| &code[end + 1..]);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::without_colours;

    #[test]
    fn colours_go_and_text_stays() {
        let text = "a \u{1b}[31mX\u{1b}[0m b\n";
        assert_eq!(without_colours(text), "a X b\n");
    }
}
