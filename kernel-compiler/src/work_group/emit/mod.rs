//! Writes the work-group function: each region in loops over the work-items, then
//! the way from region to region.

mod accesses;
mod arguments;
mod index_space;
mod live_slots;
mod loops;
mod private_memory;
mod work_item;

use super::cross_barrier_values::{PrivateArray, Slot};
use super::region::Regions;
use super::{Resources, SYMBOL};
use crate::intrinsics::address_space;
use crate::ir::{self, Block, Builder, DataLayout, Type, Value};
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::work_items::{self, Lanes};
use index_space::IndexSpace;
use live_slots::LiveSlots;
use llvm_sys::LLVMLinkage;
use llvm_sys::prelude::LLVMModuleRef;
use private_memory::PerItem;
use std::collections::{HashMap, HashSet};

/// Alignment of local memory, private memory and the argument block, bytes.
const BASE_ALIGNMENT: u32 = 128;

/// What the passes before found of a kernel.
pub struct Parts<'a> {
    pub regions: &'a Regions,
    pub slots: &'a [Slot],
    pub private: &'a [PrivateArray],
    /// What the innermost loops will become.
    pub lanes: Option<Lanes>,
    /// Within a region, slots are variables that LLVM can turn into registers. That takes LLVM
    /// time for each slot by the number of all blocks.
    pub slots_in_registers: bool,
}

/// Replaces `kernel` by its work-group function. With `named`, values have the kernel's
/// names there, which takes LLVM some time.
pub fn emit(
    module: LLVMModuleRef,
    kernel: Value,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    parts: &Parts<'_>,
    named: bool,
) -> Resources {
    let &Parts {
        regions,
        slots,
        private,
        lanes,
        slots_in_registers,
    } = parts;
    let innermost = lanes.map_or_else(
        || work_items::innermost_dimension(specialisation),
        |lanes| lanes.dimension,
    );
    let builder = Builder::new(kernel.ty().context());
    let pointer = Type::pointer(builder.context, address_space::PRIVATE);
    let ty = Type::function(Type::void(builder.context), &[pointer, pointer]);
    let function = ir::add_function(module, SYMBOL, ty);
    function.add_attribute("nounwind");
    let entry = function.append_block("entry");
    builder.at_end(entry);
    let parameters = function.parameters();
    let mut emitter = Emitter {
        layout: DataLayout::of(module),
        function,
        arguments: parameters[0],
        context: parameters[1],
        range: IndexSpace::default(),
        local_memory: parameters[1],
        private_memory: parameters[1],
        fixed: HashMap::new(),
        shared: HashSet::new(),
        slots: slots.iter().map(|s| (s.alloca, s.ty)).collect(),
        of_the_group: HashMap::new(),
        lanes: lanes.is_some(),
        slots_in_registers,
        order: match innermost {
            0 => [2, 1, 0],
            1 => [2, 0, 1],
            _ => [0, 1, 2],
        },
        slot_registers: HashMap::new(),
        registers: HashSet::new(),
        per_item: Vec::new(),
        per_item_of: HashMap::new(),
        next: parameters[1],
        headers: Vec::new(),
        small_grid: specialisation.small_grid,
        timed: specialisation.timed.is_some(),
        named,
        builder,
    };
    emitter.load_index_space(specialisation);
    emitter.load_arguments(kernel, interface);
    let mut resources = emitter.place_private(slots, private);
    emitter.next = emitter.builder.alloca(emitter.builder.i32(), "next");
    for index in 0..regions.regions.len() {
        let name = format!("region{index}");
        emitter.headers.push(function.append_block(&name));
    }
    emitter.builder.branch(emitter.headers[0]);
    let live = LiveSlots::find(regions, slots, slots_in_registers);
    for (number, region) in regions.regions.iter().enumerate() {
        emitter.region(number, region, regions, &live);
    }
    for block in kernel.blocks() {
        for instruction in block.instructions() {
            if !instruction.ty().is_void() {
                instruction.replace_all_uses_with(instruction.ty().poison());
            }
        }
    }
    kernel.delete_function();
    function.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    if slots_in_registers {
        let sizes = slots.iter().map(|slot| emitter.layout.size(slot.ty));
        resources.stack += sizes.sum::<u64>();
    }
    resources
}

struct Emitter {
    builder: Builder,
    layout: DataLayout,
    function: Value,
    arguments: Value,
    context: Value,
    range: IndexSpace,
    local_memory: Value,
    private_memory: Value,
    /// Kernel values that are the same for all work-items: arguments, stack arrays.
    fixed: HashMap<Value, Value>,
    /// Places of the group that its work-items only read.
    shared: HashSet<Value>,
    slots: HashMap<Value, Type>,
    /// The places of slots in which all work-items of a group keep the same.
    of_the_group: HashMap<Value, Value>,
    /// Work-items will be lanes.
    lanes: bool,
    /// Within a region, slots are in `slot_registers`.
    slots_in_registers: bool,
    /// Dimensions, the outermost loop's first.
    order: [usize; 3],
    slot_registers: HashMap<Value, Value>,
    /// All of these.
    registers: HashSet<Value>,
    /// What each work-item has its own of.
    per_item: Vec<PerItem>,
    /// Places in `per_item`.
    per_item_of: HashMap<Value, usize>,
    /// Number of the region to run next.
    next: Value,
    headers: Vec<Block>,
    small_grid: bool,
    /// Code tells where work-items meet.
    timed: bool,
    /// Values keep their names.
    named: bool,
}
