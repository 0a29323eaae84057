//! The cost of a kernel's code on the machine, by block.

use crate::machine::PerMemory;
use serde::{Deserialize, Serialize};

/// A number for each kind of an array's units: SIEU, SMAC, SBR, SLD, VIEU, VMAC, VLS.
pub type PerUnit<T> = [T; 7];

/// The cost of running a block once, or a predicated section of one with some lane active. Cycles
/// are the cluster's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockCost {
    /// Cycles of its operations with memories of no latency.
    pub compute: u32,
    /// Additional cycles for the latencies, banks and slots of SM and AM.
    pub scratchpad: u32,
    /// Additional cycles for memories outside the array, without contention.
    pub outside: u32,
    /// Cycles in which the pipeline drains at barriers.
    pub barrier: u32,
    /// Machine instructions issued to each kind of unit; a vector instruction counts once.
    pub issued: PerUnit<u32>,
    /// Scalar floating-point operations of any precision; a fused multiply-add counts as two.
    pub scalar_flops: u32,
    /// Bytes loaded from and stored to SM and AM.
    pub scratchpad_bytes: u32,
    /// Bytes loaded from and stored to memories outside, in whole lines.
    pub traffic: PerMemory<u32>,
    /// Bytes of these lines of DDR that vector accesses move and no lane uses.
    pub unused: u32,
    /// Packets that issue an instruction, without those of predicated sections.
    pub packets: u32,
    /// Packets that only wait: one for cycles between two others.
    pub empty_packets: u32,
    /// Accesses of memories outside by the scalar unit, through its data cache.
    pub cached: u32,
    /// Lines of its own code that the program cache does not have.
    pub code_lines: u32,
    /// Taken branches. Those of all blocks together are the sum of these numbers, each times the runs of its block: a
    /// conditional branch is taken as often as its block runs and the next one does not, which is negative there.
    pub taken: i32,
    /// Work of the lanes, by active lanes.
    pub lanes: Vec<LaneWork>,
}

impl BlockCost {
    /// Machine instructions issued.
    pub fn operations(&self) -> u32 {
        self.issued.into_iter().fold(0, u32::saturating_add)
    }
}

/// The work of a block's lanes. Numbers are those of one lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneWork {
    /// The number of active lanes.
    pub active: Active,
    /// Vector instructions.
    pub operations: u32,
    /// Floating-point operations of single precision and below; a fused multiply-add counts as two.
    pub single_flops: u32,
    /// The same of double precision.
    pub double_flops: u32,
    /// Cycles of gathers and scatters outside the array.
    pub outside: u32,
    /// Bytes of these accesses, in whole lines.
    pub traffic: PerMemory<u32>,
    /// Bytes of these lines of DDR that no lane uses.
    pub unused: u32,
}

impl LaneWork {
    /// No work.
    pub fn new(active: Active) -> Self {
        Self {
            active,
            operations: 0,
            single_flops: 0,
            double_flops: 0,
            outside: 0,
            traffic: PerMemory::default(),
            unused: 0,
        }
    }
}

/// The number of active lanes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Active {
    /// A constant number.
    Always(u32),
    /// The counter of this number has their sum over all runs of the block.
    Counted(u32),
}

impl Active {
    /// The counter of the active lanes of block number `block`, and the lanes per count.
    pub fn counter(self, block: usize) -> (usize, u64) {
        match self {
            Self::Always(lanes) => (block, lanes.into()),
            Self::Counted(counter) => (counter as usize, 1),
        }
    }
}

/// Atomic operations of a block on global memory: each acquires a hardware lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedOperations {
    /// Number of the block.
    pub block: u32,
    /// Number of the lock.
    pub lock: u32,
    /// Acquisitions per run of the block.
    pub times: u32,
    /// Where in the source they are, if known.
    pub line: Option<SourceLine>,
}

/// What the counters and DMA events of a work-group depend on, besides the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroupDependence {
    /// On nothing: they are the same in all groups.
    None,
    /// On the id of the group.
    GroupId,
}

/// What a counter slice depends on, besides the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceDependence {
    /// On the work-group.
    pub group: GroupDependence,
    /// Whether on the contents of buffers, which the kernel only reads.
    pub buffers: bool,
}

/// The data in global memory that addresses and branches of a kernel depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FollowedData {
    /// What these arguments point to, by offsets in the argument block in bytes.
    Arguments(Vec<u64>),
    /// Any.
    Any,
}

impl FollowedData {
    /// Whether what the argument at this offset points to is among them.
    pub fn contains(&self, offset: u64) -> bool {
        match self {
            Self::Arguments(offsets) => offsets.contains(&offset),
            Self::Any => true,
        }
    }
}

/// A source file of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name in the line tables.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A line of a kernel's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceLine {
    /// Number in `KernelCost::files`.
    pub file: u32,
    /// Line number from 1.
    pub line: u32,
}

/// The shares of a source line in a block's cycles, in 1/65536.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineShare {
    /// Number in `KernelCost::blocks`.
    pub block: u32,
    /// The line.
    pub line: SourceLine,
    /// Share of `BlockCost::compute`.
    pub compute: u32,
    /// Share of `BlockCost::scratchpad`.
    pub scratchpad: u32,
    /// Share of `BlockCost::outside`.
    pub outside: u32,
    /// Share of `BlockCost::barrier`.
    pub barrier: u32,
}

/// The loads of a block from what an argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadShare {
    /// Number in `KernelCost::blocks`.
    pub block: u32,
    /// Their share of `BlockCost::outside`, in 1/65536.
    pub outside: u32,
    /// Additional cycles for which they would occupy the units of AM if the data were there.
    pub local: u32,
}

/// An argument that points to memory outside the array from which code loads, and to which it does not
/// store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedArgument {
    /// Its name in the source.
    pub name: String,
    /// Its loads.
    pub shares: Vec<LoadShare>,
}

/// The cost of a kernel's code. Timed code has one counter per block, its number of runs, one per
/// predicated section (if-converted code within a block), its runs with some lane active, and then
/// counters of active lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelCost {
    /// Costs by number of the block, then those of predicated sections.
    pub blocks: Vec<BlockCost>,
    /// Number of counters.
    pub counters: u32,
    /// Atomic operations on global memory.
    pub locked: Vec<LockedOperations>,
    /// Size of the code, which each array fetches once per launch, bytes.
    pub code_bytes: u32,
    /// Bytes of a group's scalar stack.
    pub stack_bytes: u32,
    /// Lanes that the machine's code uses; 0: scalar code on the control core.
    pub lanes: u32,
    /// Files of the source.
    pub files: Vec<SourceFile>,
    /// Shares of source lines; empty without line tables.
    pub lines: Vec<LineShare>,
    /// By site of DMA: the lines of calls that start transfers or wait for them, if known. Timed code
    /// passes the number of its site to the recorder.
    pub dma_sites: Vec<Option<SourceLine>>,
    /// Arguments whose loads the code records with a `FootprintRecorder`; empty if it has none.
    pub loaded_arguments: Vec<LoadedArgument>,
}
