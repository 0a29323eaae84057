//! The state of writing a work-group function.

use crate::ir::{Block, Builder, DataLayout, Type, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Alignment of local memory, private memory and the argument block, in bytes.
pub const BASE_ALIGNMENT: u32 = 128;

/// Alignment of an arrival of separated work-items, in bytes.
pub const ARRIVAL_ALIGNMENT: u32 = 4;

/// Writes a work-group function.
pub struct Emitter {
    pub builder: Builder,
    pub layout: DataLayout,
    /// The work-group function.
    pub function: Value,
    /// Its parameter for the kernel's arguments.
    pub arguments: Value,
    /// Its parameter for the group's context.
    pub context: Value,
    pub range: IndexSpace,
    /// Base address of local memory.
    pub local_memory: Value,
    /// Base address of the group's private memory.
    pub private_memory: Value,
    /// Of checked code: the bytes of each argument that may be read, and that may be written.
    pub argument_bytes: Vec<Value>,
    /// Replacements of kernel values that are the same for all work-items: arguments, and arrays
    /// that work-items use one after another.
    pub uniform_values: HashMap<Value, Value>,
    /// Variables of the group that its work-items only read.
    pub shared: HashSet<Value>,
    /// Types of the slots.
    pub slots: HashMap<Value, Type>,
    /// Addresses of the slots that the group shares.
    pub uniform_slots: HashMap<Value, Value>,
    /// Their ranges in the group's private memory, in bytes.
    pub uniform_ranges: Vec<Range<u64>>,
    /// Whether the innermost loops become lanes.
    pub lanes: bool,
    /// Whether slots are in `slot_registers` within a region.
    pub slots_in_registers: bool,
    /// The dimensions, that of the outermost loop first.
    pub order: [usize; 3],
    /// By slot: the variable that LLVM turns into a register.
    pub slot_registers: HashMap<Value, Value>,
    /// The variables in `slot_registers`.
    pub registers: HashSet<Value>,
    /// Variables of which each work-item has its own.
    pub per_item: Vec<PerItem>,
    /// By kernel value: its index in `per_item`.
    pub per_item_of: HashMap<Value, usize>,
    /// What debuggers see, of kernels that are debugged.
    pub debugged: Option<DebugVariables>,
    /// Variable with the number of the region to run next.
    pub next: Value,
    /// What is needed if regions separate work-items.
    pub separation: Option<Separation>,
    /// By region: its first block.
    pub headers: Vec<Block>,
    /// Whether global ids have 31 bits.
    pub small_grid: bool,
    /// Whether barriers are marked for simulated time.
    pub timed: bool,
    /// Whether values keep the kernel's names.
    pub named: bool,
    /// Whether debuggers find the kernel's variables.
    pub is_debugged: bool,
}

/// The index space as the work-group function's entry block reads it, by dimension.
#[derive(Default)]
pub struct IndexSpace {
    pub work_dimensions: Option<Value>,
    pub local_size: Vec<Value>,
    pub local_size_32: Vec<Value>,
    pub global_size: Vec<Value>,
    pub group_count: Vec<Value>,
    pub group_id: Vec<Value>,
    pub global_offset: Vec<Value>,
    /// Global id of the group's first work-item; 32 bits in a small grid.
    pub first_global_id: Vec<Value>,
}

/// An array with an element for each work-item.
pub struct PerItem {
    /// The variable of the kernel that the element replaces.
    pub alloca: Value,
    /// Address of the array.
    pub array: Value,
    /// Size of an element in bytes.
    pub size: u64,
    /// Alignment of an element in bytes.
    pub alignment: u32,
    /// If it is an array that is interleaved with those of neighbouring work-items: the bytes of an element of that.
    pub element: Option<u64>,
}

/// Where separated work-items continue.
pub struct Separation {
    /// The variable with a work-item's arrival.
    pub arrival: Value,
    /// Chooses the region to run.
    pub dispatch: Block,
    /// By region that separated work-items may reach: the first block of its second copy.
    pub headers: BTreeMap<usize, Block>,
    /// Whether a collective operation has been performed.
    pub is_done: Value,
}

/// What a debugged work-group function keeps up to date for debuggers.
pub struct DebugVariables {
    /// The structure `mocl3`, which identifies the work-item.
    pub work_item: Value,
    /// Variables of which each work-item has its own, and the slot with the address of the
    /// current one's.
    pub addresses: Vec<(Value, Value)>,
}
