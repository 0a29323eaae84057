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

/// For how long no thread of a cluster has done anything but wait.
#[derive(Debug, Default)]
pub struct Standstill {
    rounds: u64,
    since: Option<Instant>,
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
        self.rounds += 1;
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.rounds == LONG / 2 {
            return Found::Suspicion;
        }
        let is_long = self.rounds >= LONG && self.rounds.is_multiple_of(STRIDE);
        match is_long && since.elapsed() >= LONG_TIME {
            true => Found::Deadlock,
            false => Found::Nothing,
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
