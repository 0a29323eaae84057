//! Simulated time is held while the host program may still change what runs: start other threads, or interrupt
//! those that run; until it waits for a group. So when these begin, and when interrupts arrive, does not depend on the host.

use std::time::{Duration, Instant};

/// How long a program may do something else before time advances without it: it may wait for what a kernel
/// writes. Far above what a busy host takes from one call to the next.
const LONGEST: Duration = Duration::from_millis(500);

/// Since when time is held.
#[derive(Debug, Default)]
pub struct Hold {
    since: Option<Instant>,
}

impl Hold {
    /// Whether time is held, if there is a reason.
    pub fn begin(&mut self, is_needed: bool) -> bool {
        if !is_needed {
            self.since = None;
            return false;
        }
        let since = self.since.get_or_insert_with(Instant::now);
        since.elapsed() < LONGEST
    }

    /// The program has requested something, and may request more.
    pub fn renew(&mut self) {
        self.since = None;
    }

    /// When time advances, if it is held.
    pub fn end(&self) -> Option<Instant> {
        Some(self.since? + LONGEST)
    }
}
