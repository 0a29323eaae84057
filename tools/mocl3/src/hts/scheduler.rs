//! The schedulers, and their names.

use clap::ValueEnum;
use device_sim::machine::Scheduling;

/// The schedulers, as `scheduling` in machine files.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheduler {
    /// The host, one task at a time
    Naive,
    /// A runtime system of the host
    Software,
    /// The hardware, without speculation
    Hardware,
    /// The hardware, with speculation
    Speculative,
}

impl From<Scheduler> for Scheduling {
    fn from(scheduler: Scheduler) -> Self {
        match scheduler {
            Scheduler::Naive => Self::Naive,
            Scheduler::Software => Self::Software,
            Scheduler::Hardware => Self::Hardware,
            Scheduler::Speculative => Self::Speculative,
        }
    }
}

/// All schedulers, with their names.
pub const SCHEDULERS: [(Scheduling, &str); 4] = [
    (Scheduling::Naive, "naive"),
    (Scheduling::Software, "software"),
    (Scheduling::Hardware, "hardware"),
    (Scheduling::Speculative, "speculative"),
];

/// The name of a scheduler.
pub fn name(scheduling: Scheduling) -> &'static str {
    let row = SCHEDULERS.iter().find(|(other, _)| *other == scheduling);
    row.map_or("?", |(_, name)| *name)
}
