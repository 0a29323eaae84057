//! A deadlock of threads that busy-wait: none of a cluster does anything but wait, for long, while the host program waits
//! as well.

use super::running::{Limit, Running, State};
use std::time::{Duration, Instant};

/// What is long: that many rounds, and that time. A thread of the host program, or a variable in memory that counts the
/// polls, might still end the wait.
const LONG: u64 = 1 << 16;
const LONG_TIME: Duration = Duration::from_secs(5);

/// In how many rounds the host's clock, which is slow, is read once.
const STRIDE: u64 = 1024;

/// The most time that these rounds count for: a debugger, or the system, may have stopped the whole process.
const LONGEST_STRIDE: Duration = Duration::from_millis(100);

/// For how long no thread of a cluster has done anything but wait.
#[derive(Debug, Default)]
pub struct Standstill {
    rounds: u64,
    time: Duration,
    last_read: Option<Instant>,
}

/// What has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Threads do something, or not for long nothing.
    Nothing,
    /// They have to note where they are.
    Suspicion,
    /// They wait for ever.
    Deadlock,
}

impl Standstill {
    /// Notes a round, after which the threads are in these states.
    pub fn note<'t>(&mut self, mut threads: impl Iterator<Item = &'t Running>) -> Found {
        if !threads.all(is_waiting) {
            *self = Self::default();
            return Found::Nothing;
        }
        if self.rounds.is_multiple_of(STRIDE) {
            self.read_clock(Instant::now());
        }
        self.rounds += 1;
        match self.rounds {
            rounds if rounds == LONG / 2 => Found::Suspicion,
            rounds if rounds >= LONG && self.time >= LONG_TIME => Found::Deadlock,
            _ => Found::Nothing,
        }
    }

    fn read_clock(&mut self, now: Instant) {
        if let Some(last) = self.last_read.replace(now) {
            self.time += now.duration_since(last).min(LONGEST_STRIDE);
        }
    }
}

/// Whether a thread waits until another one, or the host program, does something.
fn is_waiting(running: &Running) -> bool {
    match running.state {
        State::AtBarrier { limit, .. } => !matches!(limit, Some(Limit::At(_))),
        State::ForLock { .. } | State::ForInterrupt | State::Halted => true,
        State::Ready | State::Simulated | State::Due => running.polls.is_cycle(),
        State::Until(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_which_the_process_was_stopped_does_not_count() {
        let mut standstill = Standstill::default();
        let start = Instant::now();
        standstill.read_clock(start);
        standstill.read_clock(start + Duration::from_millis(20));
        assert_eq!(standstill.time, Duration::from_millis(20));
        standstill.read_clock(start + Duration::from_secs(60));
        assert_eq!(standstill.time, Duration::from_millis(20) + LONGEST_STRIDE);
    }
}
