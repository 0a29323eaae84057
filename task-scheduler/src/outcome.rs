//! The outcome of a run.

use device_sim::machine::Scheduling;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How tasks were scheduled.
    pub scheduling: Scheduling,
    /// Cycles from the first instruction to the announcement of the last task.
    pub cycles: u64,
    /// Instructions, those after branches that were predicted wrongly included.
    pub instructions: u64,
    /// Tasks of the program that ended; reads of memory for branches are not counted.
    pub tasks: u64,
    /// Tasks that were removed, or whose outputs were discarded, because a branch was predicted wrongly.
    pub aborted: u64,
    /// Tasks that the task queue manager gave up, so that a processor executed them.
    pub given_up: u64,
    /// Branches on memory or outputs that were decided.
    pub branches: u64,
    /// Branches that were predicted wrongly.
    pub mispredicted: u64,
    /// Outputs that were copied from transactional memory.
    pub copied_back: u64,
    /// Maximum number of tasks in the memory tracker.
    pub most_tracked: usize,
    /// Cycles in which no instruction was decoded, by reason.
    pub stalls: Stalls,
    /// The accelerators: functions by id, then units.
    pub units: Vec<UnitUse>,
    /// The tasks in the order of their ends or removals, if records are wanted.
    pub records: Vec<TaskRecord>,
}

/// Why no instruction is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// The task queue is empty.
    QueueEmpty,
    /// After a jump or a branch on a register.
    Bubble,
    /// A branch is not decided, and the scheduler does not speculate.
    Branch,
    /// All speculation ids are in use.
    SpeculationIds,
    /// The dispatch window is full.
    Window,
    /// The memory tracker is full.
    Tracker,
    /// The task look-up buffer or the transactional memory is full, or copied from.
    LookUpBuffer,
    /// The program has ended.
    Ended,
}

impl Stall {
    /// All, in the order of `Stalls`, with names.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::QueueEmpty, "task queue empty"),
        (Self::Bubble, "bubbles of jumps"),
        (Self::Branch, "branch not decided"),
        (Self::SpeculationIds, "speculation ids in use"),
        (Self::Window, "dispatch window full"),
        (Self::Tracker, "memory tracker full"),
        (Self::LookUpBuffer, "look-up buffer full"),
        (Self::Ended, "program ended"),
    ];
}

/// Cycles by reason, in the order of `Stall::ALL`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls(pub [u64; 8]);

impl Stalls {
    /// Cycles for one reason.
    pub fn get(&self, stall: Stall) -> u64 {
        self.0[stall as usize]
    }

    pub(crate) fn add(&mut self, stall: Stall, cycles: u64) {
        self.0[stall as usize] += cycles;
    }
}

/// The use of an accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitUse {
    /// The accelerator id of its function.
    pub function: u8,
    /// Its number among those of the function.
    pub unit: usize,
    /// Tasks that ended, those included whose outputs were discarded.
    pub tasks: u64,
    /// Cycles in which it ran tasks, those included that were removed.
    pub busy: u64,
}

/// A task that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// Its number from 1, in the order of decoding.
    pub number: u64,
    /// The accelerator id of its function.
    pub function: u8,
    /// The number of its accelerator among those of the function.
    pub unit: usize,
    /// When it was decoded.
    pub decoded: u64,
    /// When it was issued to its accelerator.
    pub issued: u64,
    /// When it began.
    pub begin: u64,
    /// When its accelerator had finished.
    pub computed: u64,
    /// When it ended, or was removed.
    pub end: u64,
    /// The numbers of the tasks in flight that it waited for.
    pub waited_for: Vec<u64>,
    /// Whether it was removed, or its output discarded, because a branch was predicted wrongly.
    pub is_aborted: bool,
    /// Whether the task queue manager gave it up: `unit` is a processor.
    pub gave_up: bool,
}
