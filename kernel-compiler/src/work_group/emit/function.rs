//! The work-group function as a whole.

use super::emitter::{Emitter, IndexSpace};
use super::live_slots::LiveSlots;
use crate::analysis::addressing;
use crate::intrinsics::address_space;
use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, Value};
use crate::kernel::checks::Checks;
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::work_group::cross_barrier_values::Slot;
use crate::work_group::private_arrays::PrivateArray;
use crate::work_group::region::Regions;
use crate::work_group::resources::{Resources, SYMBOL};
use crate::work_items::{self, Lanes};
use llvm_sys::LLVMLinkage;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What the steps before emission found in a kernel.
pub struct Parts<'a> {
    pub regions: &'a Regions,
    pub slots: &'a [Slot],
    pub private: &'a [PrivateArray],
    /// The variable with the exit at which a work-item has left a region, if they may differ.
    pub arrival: Option<Value>,
    /// The lanes that the innermost loops become, if they do.
    pub lanes: Option<Lanes>,
    /// Whether slots are variables within a region, which LLVM turns into registers. That takes
    /// LLVM time proportional to the number of slots times the number of blocks.
    pub slots_in_registers: bool,
}

/// Replaces `kernel` by its work-group function; its resources, and the ranges of slots that the group
/// shares in its private memory, in bytes. With `named`, values keep the kernel's names, which slows
/// LLVM down.
pub fn emit(
    module: ModuleRef,
    kernel: Value,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    parts: &Parts<'_>,
    named: bool,
) -> (Resources, Vec<Range<u64>>) {
    let mut emitter = Emitter::new(module, kernel, specialisation, parts, named);
    let function = emitter.function;
    emitter.load_index_space(specialisation);
    emitter.load_arguments(kernel, interface);
    if specialisation.checks.contains(Checks::MEMORY) {
        emitter.load_argument_bytes(interface);
    }
    let mut resources = emitter.place_private(parts.slots, parts.private);
    if emitter.is_debugged {
        emitter.declare_variables(kernel);
    }
    emitter.next = emitter.builder.alloca(emitter.builder.i32(), "next");
    let regions = parts.regions;
    if let Some(arrival) = parts.arrival {
        emitter.prepare_separation(arrival, regions);
    }
    for index in 0..regions.regions.len() {
        let name = format!("region{index}");
        emitter.headers.push(function.append_block(&name));
    }
    emitter.builder.branch(emitter.headers[0]);
    let live = LiveSlots::find(regions, parts.slots, parts.slots_in_registers);
    for (number, region) in regions.regions.iter().enumerate() {
        emitter.region(number, region, regions, &live);
    }
    emitter.separated_regions(regions, &live);
    if emitter.is_debugged {
        kernel.move_subprogram_to(function);
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
    if parts.slots_in_registers {
        let sizes = parts.slots.iter().map(|slot| emitter.layout.size(slot.ty));
        resources.private.transient += sizes.sum::<u64>();
    }
    (resources, emitter.uniform_ranges)
}

impl Emitter {
    /// Declares the work-group function; its entry block is being written.
    fn new(
        module: ModuleRef,
        kernel: Value,
        specialisation: &Specialisation,
        parts: &Parts<'_>,
        named: bool,
    ) -> Self {
        let &Parts {
            slots,
            lanes,
            slots_in_registers,
            ..
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
        if specialisation.small_launch {
            addressing::mark_small_objects(function);
        }
        let entry = function.append_block("entry");
        builder.at_end(entry);
        let parameters = function.parameters();
        Self {
            layout: DataLayout::of_module(module),
            function,
            arguments: parameters[0],
            context: parameters[1],
            range: IndexSpace::default(),
            local_memory: parameters[1],
            private_memory: parameters[1],
            argument_bytes: Vec::new(),
            uniform_values: HashMap::new(),
            shared: HashSet::new(),
            slots: slots.iter().map(|s| (s.alloca, s.ty)).collect(),
            uniform_slots: HashMap::new(),
            uniform_ranges: Vec::new(),
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
            debugged: None,
            next: parameters[1],
            separation: None,
            headers: Vec::new(),
            small_grid: specialisation.small_launch,
            timed: specialisation.timed.is_some(),
            named,
            is_debugged: kernel.is_debugged(),
            builder,
        }
    }
}
