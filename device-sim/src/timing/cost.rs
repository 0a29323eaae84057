//! What the code of a kernel costs on the machine, block by block.

use crate::machine::PerMemory;
use serde::{Deserialize, Serialize};

/// What running a block once costs. Cycles are the cluster's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockCost {
    /// Cycles that its operations take if all memories answer at once.
    pub compute: u32,
    /// Cycles more because of SM and AM: their latencies, banks and slots.
    pub scratchpad: u32,
    /// Cycles more because of memories outside the array that nobody else uses.
    pub outside: u32,
    /// Cycles in which the pipeline drains at barriers.
    pub barrier: u32,
    /// Machine instructions issued; one for all lanes is one.
    pub operations: u32,
    /// Floating-point operations of code that is run once for all lanes, of any precision; a fused
    /// multiply-add is two.
    pub scalar_flops: u32,
    /// Bytes loaded from and stored to SM and AM.
    pub scratchpad_bytes: u32,
    /// Bytes loaded from and stored to memories outside, in whole lines.
    pub traffic: PerMemory<u32>,
    /// What lanes do, by which of them take part.
    pub lanes: Vec<LaneWork>,
}

/// What a block does in some of the lanes. Numbers are those of each lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneWork {
    /// Lanes that take part.
    pub active: Active,
    /// Machine instructions for lanes.
    pub operations: u32,
    /// Floating-point operations of single precision and below; a fused multiply-add is two.
    pub single_flops: u32,
    /// The same of double precision.
    pub double_flops: u32,
    /// Cycles for accesses at places of their own outside the array.
    pub outside: u32,
    /// Bytes of these, in whole lines.
    pub traffic: PerMemory<u32>,
}

impl LaneWork {
    /// Nothing yet.
    pub fn of(active: Active) -> Self {
        Self {
            active,
            operations: 0,
            single_flops: 0,
            double_flops: 0,
            outside: 0,
            traffic: PerMemory::default(),
        }
    }
}

/// How many lanes take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Active {
    /// Always so many.
    Always(u32),
    /// The counter of this number is their sum over all times that the block ran.
    Counted(u32),
}

impl Active {
    /// A counter, and how many lanes took part for each of its counts, in a block of that number.
    pub fn counter(self, block: usize) -> (usize, u64) {
        match self {
            Self::Always(lanes) => (block, lanes.into()),
            Self::Counted(counter) => (counter as usize, 1),
        }
    }
}

/// Atomic operations of a block on global memory: each takes a hardware lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedOperations {
    /// Number of the block.
    pub block: u32,
    /// Number of the lock.
    pub lock: u32,
    /// How often it is taken each time that the block runs.
    pub times: u32,
}

/// A source file of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceFile {
    /// As in the line tables.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A line of the source and its share in a block's cycles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineShare {
    /// Number of the block.
    pub block: u32,
    /// Number in `KernelCost::files`.
    pub file: u32,
    /// From 1 on.
    pub line: u32,
    /// Of the block's cycles, in 1/65536.
    pub share: u32,
}

/// What a kernel's code costs. Code keeps one counter for each block, how often it ran; then
/// come sums of active lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelCost {
    /// By number.
    pub blocks: Vec<BlockCost>,
    /// Counters in all.
    pub counters: u32,
    /// Atomic operations on global memory.
    pub locked: Vec<LockedOperations>,
    /// Bytes of code, which each array fetches once in a launch.
    pub code_bytes: u32,
    /// Bytes of a group's scalar stack.
    pub stack_bytes: u32,
    /// Lanes of the machine's code; 0: the control core runs work-items one after another.
    pub lanes: u32,
    /// Files of the source.
    pub files: Vec<SourceFile>,
    /// What lines have which share in blocks; empty where there are no line tables.
    pub lines: Vec<LineShare>,
}
