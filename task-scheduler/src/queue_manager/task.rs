//! A task and its state.

use super::chunks::Chunk;
use super::policy::TaskValues;
use crate::arrival::{Descriptor, TaskTimes, Waiting};

/// How much of a task's inputs memory holds at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// Those of a step and of the next one, which are loaded meanwhile.
    TwoSteps,
    OneStep,
}

impl Extent {
    /// The best first.
    pub const BY_PREFERENCE: [Self; 3] = [Self::All, Self::TwoSteps, Self::OneStep];
}

/// A task that has not ended.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub function: usize,
    pub values: TaskValues,
    pub descriptor: Descriptor,
    /// Whether its results are there, and the next task of its chain has not ended.
    pub is_chained: bool,
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
            is_chained: false,
            waits: 0,
            waiters: Vec::new(),
            next: None,
            chain: Vec::new(),
            chunks: Vec::new(),
            inherited: 0,
            times: TaskTimes::default(),
        }
    }

    /// Bytes that it has to load: each input once, or those of each step.
    pub fn loaded(&self, extent: Extent) -> u64 {
        match extent {
            Extent::All => self.descriptor.input - self.inherited,
            Extent::TwoSteps | Extent::OneStep => self.descriptor.loaded,
        }
    }

    /// Of these, the bytes without which it cannot begin.
    pub fn loaded_first(&self, extent: Extent) -> u64 {
        let steps = if extent == Extent::OneStep { 1 } else { 2 };
        let needed = self
            .descriptor
            .step
            .map(|width| width.saturating_mul(steps));
        let loaded = self.loaded(extent);
        needed.map_or(loaded, |needed| loaded.min(needed))
    }

    /// Bytes of memory for that, and for its outputs; none if it does not read its inputs in steps.
    pub fn memory(&self, extent: Extent) -> Option<u64> {
        let inputs = match extent {
            Extent::All => self.loaded(extent),
            Extent::TwoSteps => self.descriptor.step?.saturating_mul(2),
            Extent::OneStep => self.descriptor.step?,
        };
        Some(inputs.saturating_add(self.descriptor.output))
    }

    /// Its cycles on that number of accelerators.
    pub fn cycles_on(&self, accelerators: usize) -> u64 {
        let divided = accelerators.checked_sub(2);
        let divided = divided.and_then(|place| self.descriptor.divided.get(place));
        divided.copied().unwrap_or(self.values.cycles)
    }
}
