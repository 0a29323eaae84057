//! The progress of a run. On a terminal, it is one line that changes, with a line above it for each
//! failed case; nothing elsewhere.

use crate::case_report::Report;
use crate::process::Outcome;
use parking_lot::Mutex;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Interval at which the line is drawn, so that its seconds advance.
const TICK: Duration = Duration::from_millis(200);
/// The escape sequence that erases the line.
const CLEAR: &str = "\r\x1b[K";
/// The escape sequences that disable and enable line wrapping of the terminal.
const CUT_OFF: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

/// The state that all threads share which run cases.
pub struct Progress {
    state: Mutex<State>,
    on_terminal: bool,
    failures_are_shown: bool,
}

struct State {
    cases: usize,
    run: usize,
    failed: usize,
    start: Instant,
    /// The running cases, in the order of their start.
    running: Vec<(&'static str, Instant)>,
}

impl Progress {
    /// The progress of a number of cases.
    pub fn new(cases: usize, failures_are_shown: bool) -> Self {
        let state = State {
            cases,
            run: 0,
            failed: 0,
            start: Instant::now(),
            running: Vec::new(),
        };
        Self {
            state: Mutex::new(state),
            on_terminal: stderr().is_terminal(),
            failures_are_shown,
        }
    }

    /// Records the start of a case.
    pub fn starts(&self, case: &'static str) {
        self.state.lock().running.push((case, Instant::now()));
    }

    /// Records the end of a case; `None` if it could not be run.
    pub fn has_run(&self, case: &'static str, report: Option<&Report>) {
        let line = self.state.lock().has_run(case, report);
        if let Some(line) = line.filter(|_| self.failures_are_shown) {
            self.write(&format!("{CLEAR}{line}\n"));
        }
    }

    /// Draws the line until `done` returns true.
    pub fn show_until(&self, done: impl Fn() -> bool) {
        while self.on_terminal && !done() {
            let line = self.state.lock().line();
            self.write(&format!("{CLEAR}{CUT_OFF}{line}{WRAP}"));
            std::thread::sleep(TICK);
        }
        self.write(CLEAR);
    }

    fn write(&self, text: &str) {
        if self.on_terminal {
            // Errors of the terminal are ignored.
            let _ = stderr().lock().write_all(text.as_bytes());
        }
    }
}

impl State {
    /// The permanent line of a failed case.
    fn has_run(&mut self, case: &'static str, report: Option<&Report>) -> Option<String> {
        self.running.retain(|(running, _)| *running != case);
        self.run += 1;
        let reason = match report.map(|report| &report.outcome) {
            Some(Outcome::Passed | Outcome::Skipped(_)) => return None,
            Some(Outcome::Failed(reason)) => reason.lines().next().unwrap_or_default(),
            None => "could not be run",
        };
        self.failed += 1;
        Some(format!("failed {case}: {reason}"))
    }

    fn line(&self) -> String {
        let running: Vec<String> = self
            .running
            .iter()
            .map(|(case, start)| match start.elapsed().as_secs() {
                0..5 => (*case).to_owned(),
                seconds => format!("{case} ({seconds} s)"),
            })
            .collect();
        format!(
            "[{}/{}] {} failed, {} s: {}",
            self.run,
            self.cases,
            self.failed,
            self.start.elapsed().as_secs(),
            running.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Category, Origin};

    #[test]
    fn the_line_shows_what_runs_and_what_has_failed() {
        let progress = Progress::new(3, true);
        let report = |name, outcome| Report {
            name,
            category: Category::Kernel,
            origin: Origin::Own,
            outcome,
            seconds: 0.0,
            seed: 1,
            source: String::new(),
            command: String::new(),
            known_failure: None,
        };
        for case in ["a", "b", "c"] {
            progress.starts(case);
        }
        let mut state = progress.state.lock();
        let failed = report("a", Outcome::Failed("1, not 2\nand more".into()));
        assert_eq!(
            state.has_run("a", Some(&failed)).unwrap(),
            "failed a: 1, not 2"
        );
        assert_eq!(
            state.has_run("c", Some(&report("c", Outcome::Passed))),
            None
        );
        assert_eq!(state.line(), "[2/3] 1 failed, 0 s: b");
    }
}
