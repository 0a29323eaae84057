//! Tasks that arrive one after the other, and what a scheduler does with them.

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrivingTask {
    /// The accelerator id of its function.
    pub function: usize,
    /// The cycles that it takes on its accelerator.
    pub cycles: u64,
    /// When it arrives.
    pub arrival: u64,
    /// The numbers of earlier tasks that it waits for.
    pub waits_for: Vec<u64>,
}

/// When and where a task ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskTimes {
    /// The number of its accelerator among those of the function.
    pub unit: usize,
    /// When it began.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
}

/// What a scheduler knows of a task.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub function: usize,
    pub cycles: u64,
    /// Those that have not been announced.
    pub waits_for: Vec<u64>,
}

/// A scheduler to which tasks come by their arrival.
pub(crate) trait Scheduler {
    /// A task arrives; no other one with an earlier arrival will.
    fn arrive(&mut self, number: u64, arrival: u64, task: Waiting);

    /// Simulates until `time`, or until `wanted` is among the ended tasks.
    fn run(&mut self, time: u64, wanted: Option<u64>);

    /// Takes the tasks that have ended since, with their times.
    fn take_ended(&mut self) -> Vec<(u64, TaskTimes)>;
}
