//! The host program's clock on the simulated machine. It does not advance while the program
//! computes. It advances by a fixed time with each enqueued command, and to the end of a command
//! when the program observes that end (docs/queues.md, "Simulated time").

use device_sim::units::Nanoseconds;

/// The clock.
#[derive(Clone)]
pub(crate) struct HostClock {
    now: Nanoseconds,
}

impl HostClock {
    /// A clock at the start of the process. It starts at 1 because 0 encodes unknown times.
    pub const fn new() -> Self {
        Self {
            now: Nanoseconds(1),
        }
    }

    /// The current time.
    pub fn now(&self) -> Nanoseconds {
        self.now
    }

    /// Advances by the time that the program spends, and returns the new time.
    pub fn spend(&mut self, duration: Nanoseconds) -> Nanoseconds {
        self.now = self.now.saturating_add(duration);
        self.now
    }

    /// A co-simulator sets the time; it may go back, for another process of the node.
    pub fn set(&mut self, moment: Nanoseconds) {
        self.now = moment;
    }

    /// The program observes something that happened at `moment`.
    pub fn observe(&mut self, moment: Nanoseconds) {
        self.now = self.now.max(moment);
    }
}
