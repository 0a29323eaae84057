//! A line about long work, on a terminal only.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Work that takes less has no line.
const DELAY: Duration = Duration::from_millis(500);

/// Time between two changes of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// A line of standard error with the part of the work that is done. It disappears with the value.
pub struct Progress {
    what: &'static str,
    total: u64,
    /// When the line is written next; `None` without a terminal.
    next: Option<Instant>,
    /// The percentage that the line has.
    shown: Option<u64>,
}

impl Progress {
    /// Work of `total` units that begins now.
    pub fn new(what: &'static str, total: u64) -> Self {
        Self {
            what,
            total,
            next: io::stderr().is_terminal().then(|| Instant::now() + DELAY),
            shown: None,
        }
    }

    /// The units that are done by now.
    pub fn update(&mut self, done: u64) {
        if let Some(next) = self.next
            && Instant::now() >= next
        {
            let percent = done.min(self.total) * 100 / self.total.max(1);
            if self.shown.replace(percent) != Some(percent) {
                // There is no place to report a failure.
                let _ = write!(io::stderr(), "\r{}: {percent} %", self.what);
            }
            self.next = Some(Instant::now() + PERIOD);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let width = self.what.chars().count() + ": 100 %".len();
            let _ = write!(io::stderr(), "\r{:width$}\r", "");
        }
    }
}
