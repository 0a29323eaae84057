//! A task and its state.

use super::chunks::Chunk;
use super::policy::TaskValues;
use crate::arrival::{Descriptor, TaskTimes, Waiting};

/// How far a task is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Waits for others, or in its queue.
    NotExecuting,
    /// Is executed.
    Executing,
    /// Its results are there; the next task of its chain has not ended.
    Chained,
}

/// A task that has not ended.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub function: usize,
    pub values: TaskValues,
    pub descriptor: Descriptor,
    pub state: State,
    /// How many others it waits for.
    pub waits: usize,
    /// Those that wait for it.
    pub waiters: Vec<u64>,
    /// The next task of its chain, if it has arrived.
    pub next: Option<u64>,
    /// The earlier tasks of its chain.
    pub chain: Vec<u64>,
    /// Memory for its inputs and outputs, and for those of the chain before it.
    pub chunks: Vec<Chunk>,
    /// Bytes of its inputs that the chain before it has left in memory.
    pub inherited: u64,
    pub times: TaskTimes,
}

impl Task {
    /// A task that has arrived.
    pub fn new(number: u64, arrival: u64, task: Waiting, slowdown: u64) -> Self {
        let Waiting {
            function,
            cycles,
            descriptor,
            ..
        } = task;
        Self {
            function,
            values: TaskValues {
                number,
                arrival,
                priority: descriptor.priority,
                cycles,
                routine: cycles.saturating_mul(slowdown),
                bytes: descriptor.input.saturating_add(descriptor.output),
            },
            descriptor,
            state: State::NotExecuting,
            waits: 0,
            waiters: Vec::new(),
            next: None,
            chain: Vec::new(),
            chunks: Vec::new(),
            inherited: 0,
            times: TaskTimes::default(),
        }
    }

    /// Its cycles on that number of accelerators.
    pub fn cycles_on(&self, accelerators: usize) -> u64 {
        let divided = accelerators.checked_sub(2);
        let divided = divided.and_then(|place| self.descriptor.divided.get(place));
        divided.copied().unwrap_or(self.values.cycles)
    }
}
