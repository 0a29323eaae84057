//! The hardware task scheduler: simulates how long a program of tasks, or a stream of tasks that arrive, takes on a machine's
//! accelerators, scheduled by the hardware, by a runtime system of the host, by the task queue manager, or one task at a
//! time.
//! It computes no data, only time, and is deterministic.
//!
//! After Hegde, Srivastava and Agrawal, "HTS: A Hardware Task Scheduler for Heterogeneous Systems",
//! section IV; docs/task-scheduler.md describes the model.

mod arrival;
mod error;
mod hardware;
mod host_stream;
mod interpreter;
mod memory_tracker;
mod naive;
mod outcome;
mod queue_manager;
mod region;
mod settings;
mod software;
mod stream;
#[cfg(test)]
mod tests;
mod units;

pub use arrival::{ArrivingTask, Descriptor, TaskTimes};
pub use error::{Fault, RunError, SettingsError};
pub use outcome::{Outcome, Stall, Stalls, TaskRecord, UnitUse};
pub use queue_manager::PolicyError;
pub use settings::{Function, Settings};
pub use stream::TaskStream;

use device_sim::machine::Scheduling;
use task_isa::Program;

/// Runs a program.
///
/// # Errors
/// The program uses what the machine does not have, or does not end.
///
/// ```
/// use device_sim::machine::{Description, Scheduling};
/// use task_scheduler::{Settings, run};
///
/// let machine = Description::select("dsp").unwrap().machine().unwrap();
/// let settings = Settings::new(&machine).unwrap();
/// let functions = settings.names().unwrap();
/// let program = task_isa::assemble("iir 1 1 2 1 0 0 0 0000", &functions).unwrap();
/// let naive = settings.with_scheduling(Scheduling::Naive);
/// assert_eq!(run(&program, &naive).unwrap().cycles, 2450 + 876);
/// ```
pub fn run(program: &Program, settings: &Settings) -> Result<Outcome, RunError> {
    match settings.scheduling {
        Scheduling::Naive => naive::run(program, settings),
        Scheduling::Software => software::run(program, settings),
        Scheduling::Hardware | Scheduling::Speculative => hardware::run(program, settings),
        Scheduling::Managed => queue_manager::run(program, settings),
    }
}
