//! The state of a task of a custom device, as the task queue manager keeps it in the task's descriptor
//! ("Accelerator Centric Computing").

use crate::error::{Code, Error, Result};
use crate::event::{CommandType, Event, ExecutionStatus};
use crate::queue::CommandQueue;

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It waits.
    NotExecuting,
    /// It is executed.
    Executing,
    /// An accelerator has executed it; if it is in a chain, all tasks of the chain have ended.
    Executed,
    /// The task queue manager gave it up, and the host has executed it.
    GaveUp,
}

impl TaskState {
    /// The state of an event's task. A task that is not timed is never given up.
    ///
    /// # Errors
    /// `InvalidValue`: the event's command is no task of a custom device. `InvalidOperation`: the task has
    /// failed. `ProfilingInfoNotAvailable`: its END depends on what the host program does next.
    pub fn of(event: &Event) -> Result<Self> {
        let queue = CommandQueue::of_event(event);
        let is_custom = queue.is_some_and(|queue| queue.device().accelerators().is_some());
        let kinds = [CommandType::Task, CommandType::NdRangeKernel];
        if !is_custom || !kinds.contains(&event.command_type()) {
            let sentence = "the event's command is no task of a custom device";
            return Err(Error::new(Code::InvalidValue, sentence));
        }
        Ok(match event.observe_status() {
            ExecutionStatus::Queued | ExecutionStatus::Submitted => Self::NotExecuting,
            ExecutionStatus::Running => Self::Executing,
            ExecutionStatus::Complete => {
                let Some(simulated) = event.simulated() else {
                    return Ok(Self::Executed);
                };
                event.simulated_end()?;
                match simulated.gave_up() {
                    true => Self::GaveUp,
                    false => Self::Executed,
                }
            }
            ExecutionStatus::Failed(_) => {
                return Err(Error::new(Code::InvalidOperation, "the task has failed"));
            }
        })
    }
}
