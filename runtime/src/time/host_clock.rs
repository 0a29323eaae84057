//! The host program's clock on the simulated machine: it stands still while the program
//! computes, moves on by a fixed time with each command that is put into a queue, and to the end
//! of a command when the program learns of it (docs/queues.md, "Simulated time").

/// Nanoseconds of simulated time.
pub(crate) type Nanoseconds = u64;

/// The clock.
pub(crate) struct HostClock {
    now: Nanoseconds,
}

impl HostClock {
    /// At the start of the process: not 0, which stands for times that are not known.
    pub const fn new() -> Self {
        Self { now: 1 }
    }

    /// The time.
    pub fn now(&self) -> Nanoseconds {
        self.now
    }

    /// The program has put a command into a queue, which takes that long: when it has.
    pub fn spend(&mut self, duration: Nanoseconds) -> Nanoseconds {
        self.now = self.now.saturating_add(duration);
        self.now
    }

    /// The program learns of something that happened then.
    pub fn learn_of(&mut self, moment: Nanoseconds) {
        self.now = self.now.max(moment);
    }
}
