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
    /// What only the task queue manager uses.
    pub descriptor: Descriptor,
}

/// What the task queue manager knows of a task besides its cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Its priority for policies that have priorities.
    pub priority: i32,
    /// Bytes of its inputs.
    pub input: u64,
    /// Bytes of its outputs.
    pub output: u64,
    /// Bytes of the inputs of a step, if it reads its inputs in steps.
    pub step: Option<u64>,
    /// Bytes of the inputs of all steps.
    pub loaded: u64,
    /// Its cycles on two accelerators, three, and so on; empty if it cannot be divided.
    pub divided: Vec<u64>,
    /// The number of the task before it in its chain, for which it waits.
    pub follows: Option<u64>,
    /// Whether the next task of its chain follows.
    pub is_followed: bool,
}

/// When and where a task ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskTimes {
    /// The number of its accelerator among those of the function; of the processor if it was given up.
    pub unit: usize,
    /// The other accelerators that it was divided among.
    pub others: Vec<usize>,
    /// When it began.
    pub begin: u64,
    /// When its accelerators, or the processor, had finished.
    pub computed: u64,
    /// When it ended: also later if the task queue manager moves its results, or with the rest of its chain.
    pub end: u64,
    /// Whether the task queue manager gave it up, so that a processor executed it.
    pub gave_up: bool,
}

impl TaskTimes {
    /// On one accelerator.
    pub(crate) fn on(unit: usize, begin: u64, end: u64) -> Self {
        Self {
            unit,
            begin,
            computed: end,
            end,
            ..Self::default()
        }
    }
}

/// What a scheduler knows of a task.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub function: usize,
    pub cycles: u64,
    /// Those that have not been announced.
    pub waits_for: Vec<u64>,
    pub descriptor: Descriptor,
}

/// Whether `wanted` is among the tasks that have ended since the last call, from `seen` on.
pub(crate) fn has_ended(ended: &[(u64, TaskTimes)], seen: &mut usize, wanted: Option<u64>) -> bool {
    let new = &ended[*seen..];
    *seen = ended.len();
    wanted.is_some_and(|wanted| new.iter().any(|(number, _)| *number == wanted))
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
