//! The option that selects a scheduler.

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
    /// The task queue manager
    Managed,
}

impl From<Scheduler> for Scheduling {
    fn from(scheduler: Scheduler) -> Self {
        match scheduler {
            Scheduler::Naive => Self::Naive,
            Scheduler::Software => Self::Software,
            Scheduler::Hardware => Self::Hardware,
            Scheduler::Speculative => Self::Speculative,
            Scheduler::Managed => Self::Managed,
        }
    }
}
