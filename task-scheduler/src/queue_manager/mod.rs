//! The task queue manager: a processor that keeps a queue of tasks for each function, and starts, divides,
//! holds back or gives up tasks by a policy ("Accelerator Centric Computing"; docs/task-scheduler.md).

mod chunks;
mod policy;
mod program;
mod queue;
mod settings;
pub(crate) mod stream;
mod task;
#[cfg(test)]
mod tests;

pub use policy::PolicyError;
pub(crate) use program::run;
pub(crate) use settings::ManagerSettings;
