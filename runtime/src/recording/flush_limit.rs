//! How often a recording is written to its file because the host program has observed the end of a
//! command. That is a system call, which takes longer than a short launch: of programs that observe
//! very many ends, a thread writes most of them a little later.

use std::time::Duration;

/// Time for which lines may stay buffered.
pub const INTERVAL: Duration = Duration::from_millis(10);

/// Writes at once in an interval; programs with fewer observations lose nothing if they are killed.
const FLUSHES: u32 = 16;

/// Counts writes in an interval.
pub struct FlushLimit {
    /// Host nanoseconds at which the interval began.
    begin: u64,
    flushes: u32,
}

impl FlushLimit {
    /// No interval has begun.
    pub const fn new() -> Self {
        Self {
            begin: 0,
            flushes: 0,
        }
    }

    /// Whether to write at once, `now` in host nanoseconds.
    pub fn allows(&mut self, now: u64) -> bool {
        if u128::from(now.saturating_sub(self.begin)) >= INTERVAL.as_nanos() {
            self.begin = now;
            self.flushes = 0;
        }
        self.flushes = self.flushes.saturating_add(1);
        self.flushes <= FLUSHES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_observations_are_written_at_once() {
        let mut limit = FlushLimit::new();
        let interval = INTERVAL.as_nanos() as u64;
        for round in 0..3 {
            let begin = round * interval;
            for number in 0..u64::from(FLUSHES) {
                assert!(limit.allows(begin + number), "{number} of round {round}");
            }
            assert!(!limit.allows(begin + interval - 1));
        }
    }
}
