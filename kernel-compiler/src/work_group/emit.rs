//! Writes the work-group function: each region in loops over the work-items, then
//! the way from region to region.

use super::crossing::{Home, PrivateArray, Slot};
use super::region::{Exit, Region, Regions};
use super::{Resources, SYMBOL};
use crate::executable::{ArgumentKind, KernelInterface, Specialisation};
use crate::image_argument::ImageDescriptor;
use crate::intrinsics::{ONCE, Query, address_space};
use crate::ir::{self, Block, Builder, DataLayout, Opcode, Type, Value};
use crate::shim;
use device_sim::work_group::{NdRange, WorkGroupContext};
use llvm_sys::prelude::{LLVMMetadataRef, LLVMModuleRef};
use llvm_sys::{LLVMIntPredicate, LLVMLinkage};
use std::collections::{HashMap, HashSet};
use std::mem::offset_of;

/// Alignment of local memory, private memory and the argument block, bytes.
const BASE_ALIGNMENT: u32 = 128;

/// Arrays with an element per work-item are laid out for a multiple of this many
/// work-items, so that each begins aligned.
const WORK_ITEM_GRANULE: u64 = 128;

/// Instructions of a region up to which LLVM's loop vectoriser is tried; the time it
/// takes grows with the square.
const LONGEST_VECTORISED: usize = 3000;

/// Largest work-group (the machine's own limit is not above it).
const LARGEST_GROUP: u64 = 1 << 16;

/// What the passes before found of a kernel.
pub struct Parts<'a> {
    pub regions: &'a Regions,
    pub slots: &'a [Slot],
    pub private: &'a [PrivateArray],
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
    } = parts;
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
        range: Range::default(),
        local_memory: parameters[1],
        private_memory: parameters[1],
        fixed: HashMap::new(),
        shared: HashSet::new(),
        slots: slots.iter().map(|s| (s.alloca, s.ty)).collect(),
        slot_registers: HashMap::new(),
        per_item: Vec::new(),
        next: parameters[1],
        headers: Vec::new(),
        small_grid: specialisation.small_grid,
        named,
        builder,
    };
    emitter.load_index_space(specialisation, interface);
    emitter.load_arguments(kernel, interface);
    let mut resources = emitter.place_private(slots, private);
    emitter.next = emitter.builder.alloca(emitter.builder.i32(), "next");
    for index in 0..regions.regions.len() {
        let name = format!("region{index}");
        emitter.headers.push(function.append_block(&name));
    }
    emitter.builder.branch(emitter.headers[0]);
    let live = LiveSlots::find(regions, slots);
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
    resources.stack += slots
        .iter()
        .map(|slot| emitter.layout.size(slot.ty))
        .sum::<u64>();
    resources
}

/// The index space as the work-group function's entry block reads it, by dimension.
#[derive(Default)]
struct Range {
    work_dimensions: Option<Value>,
    local_size: Vec<Value>,
    local_size_32: Vec<Value>,
    global_size: Vec<Value>,
    group_count: Vec<Value>,
    group_id: Vec<Value>,
    global_offset: Vec<Value>,
    /// Global id of the group's first work-item; 32 bits in a small grid.
    first_global_id: Vec<Value>,
}

struct Emitter {
    builder: Builder,
    layout: DataLayout,
    function: Value,
    arguments: Value,
    context: Value,
    range: Range,
    local_memory: Value,
    private_memory: Value,
    /// Kernel values that are the same for all work-items: arguments, stack arrays.
    fixed: HashMap<Value, Value>,
    /// Places of the group that its work-items only read.
    shared: HashSet<Value>,
    slots: HashMap<Value, Type>,
    slot_registers: HashMap<Value, Value>,
    /// What each work-item has its own of.
    per_item: Vec<PerItem>,
    /// Number of the region to run next.
    next: Value,
    headers: Vec<Block>,
    small_grid: bool,
    /// Values keep their names.
    named: bool,
}

/// An array with an element for each work-item.
struct PerItem {
    /// What the element stands for in the kernel.
    alloca: Value,
    array: Value,
    size: u64,
    alignment: u32,
}

/// What a region's code needs while it is written.
struct Body {
    local_id: [Value; 3],
    global_id: [Value; 3],
    values: HashMap<Value, Value>,
    created: Vec<Value>,
    /// Accesses that do depend on other work-items'.
    sequential: HashSet<Value>,
}

impl Emitter {
    fn load_context(&self, offset: usize, ty: Type) -> Value {
        let b = &self.builder;
        let address = b.offset(self.context, b.i64().constant(offset as u64));
        let load = b.load(ty, address, 8);
        self.mark_invariant(load);
        load
    }

    fn mark_invariant(&self, load: Value) {
        let kind = ir::metadata_kind(self.builder.context, "invariant.load");
        load.set_metadata(kind, ir::metadata_node(self.builder.context, &[]));
    }

    /// What is behind a pointer may be read even where the kernel might not do so.
    fn mark_dereferenceable(&self, load: Value, bytes: u64, alignment: u64) {
        let number = |number| ir::metadata_constant(self.builder.i64().constant(number));
        for (name, value) in [("dereferenceable", bytes), ("align", alignment)] {
            let kind = ir::metadata_kind(self.builder.context, name);
            let node = ir::metadata_node(self.builder.context, &[number(value)]);
            load.set_metadata(kind, node);
        }
    }

    fn mark_range(&self, load: Value, low: u64, high: u64) {
        let i64 = self.builder.i64();
        let bounds = [low, high].map(|bound| ir::metadata_constant(i64.constant(bound)));
        let kind = ir::metadata_kind(self.builder.context, "range");
        load.set_metadata(kind, ir::metadata_node(self.builder.context, &bounds));
    }

    fn load_index_space(&mut self, specialisation: &Specialisation, interface: &KernelInterface) {
        let (i32, i64) = (self.builder.i32(), self.builder.i64());
        let nd_range = offset_of!(WorkGroupContext, nd_range);
        let field = |this: &Self, base: usize, dimension: usize, low: u64, high: u64| {
            let load = this.load_context(base + 8 * dimension, i64);
            this.mark_range(load, low, high);
            load
        };
        let grid_limit = if self.small_grid { 1 << 31 } else { 1 << 62 };
        let fixed_size = specialisation
            .local_size
            .or(interface.required_work_group_size);
        let work_dimensions =
            self.load_context(nd_range + offset_of!(NdRange, work_dimensions), i64);
        self.mark_range(work_dimensions, 1, 4);
        self.range.work_dimensions = Some(self.builder.truncate(work_dimensions, i32));
        for d in 0..3 {
            let local_size = match fixed_size {
                Some(size) => i64.constant(size[d]),
                None => {
                    let base = nd_range + offset_of!(NdRange, local_size);
                    field(self, base, d, 1, LARGEST_GROUP)
                }
            };
            let global_size = field(
                self,
                nd_range + offset_of!(NdRange, global_size),
                d,
                1,
                grid_limit,
            );
            let group_count = field(
                self,
                nd_range + offset_of!(NdRange, group_count),
                d,
                1,
                grid_limit,
            );
            let offset = nd_range + offset_of!(NdRange, global_offset);
            let global_offset = if self.small_grid {
                field(self, offset, d, 0, grid_limit)
            } else {
                // May be any size_t.
                self.load_context(offset + 8 * d, i64)
            };
            let group_id = field(
                self,
                offset_of!(WorkGroupContext, group_id),
                d,
                0,
                grid_limit,
            );
            let b = &self.builder;
            let local_size_32 = b.truncate(local_size, i32);
            let first_global_id = if self.small_grid {
                let first = b
                    .multiply(b.truncate(group_id, i32), local_size_32)
                    .no_wrap();
                b.add(first, b.truncate(global_offset, i32)).no_wrap()
            } else {
                b.add(b.multiply(group_id, local_size).no_wrap(), global_offset)
            };
            self.range.local_size.push(local_size);
            self.range.local_size_32.push(local_size_32);
            self.range.global_size.push(global_size);
            self.range.group_count.push(group_count);
            self.range.global_offset.push(global_offset);
            self.range.group_id.push(group_id);
            self.range.first_global_id.push(first_global_id);
        }
        let pointer = Type::pointer(self.builder.context, address_space::PRIVATE);
        let local_memory = self.load_context(offset_of!(WorkGroupContext, local_memory), pointer);
        let private_memory =
            self.load_context(offset_of!(WorkGroupContext, private_memory), pointer);
        self.private_memory = private_memory;
        self.local_memory = self.builder.address_space_cast(
            local_memory,
            Type::pointer(self.builder.context, address_space::LOCAL),
        );
    }

    fn load_arguments(&mut self, kernel: Value, interface: &KernelInterface) {
        let b = &self.builder;
        for (index, parameter) in kernel.parameters().into_iter().enumerate() {
            let offset = interface.arguments[index].offset as u64;
            let address = b.offset(self.arguments, b.i64().constant(offset));
            let ty = parameter.ty();
            let value = if kernel.by_value_type(index as u32).is_some() {
                address
            } else if ty.is_pointer() && ty.address_space() == address_space::LOCAL {
                let place = b.load(b.i64(), address, 8);
                self.mark_invariant(place);
                b.offset(self.local_memory, place)
            } else {
                let alignment = self.layout.alignment(ty).min(BASE_ALIGNMENT);
                let load = b.load(ty, address, alignment);
                self.mark_invariant(load);
                if interface.arguments[index].kind == ArgumentKind::Image {
                    let (bytes, alignment) =
                        (size_of::<ImageDescriptor>(), align_of::<ImageDescriptor>());
                    self.mark_dereferenceable(load, bytes as u64, alignment as u64);
                }
                load
            };
            self.fixed.insert(parameter, value);
        }
    }

    /// Gives each slot and private array its place.
    fn place_private(&mut self, slots: &[Slot], private: &[PrivateArray]) -> Resources {
        let b = &self.builder;
        let mut resources = Resources {
            local_memory: 0,
            group_private: 0,
            work_item_private: 0,
            stack: 0,
            in_turn: 0,
            innermost: false,
        };
        let mut per_item = Vec::new();
        for slot in slots {
            let register = b.alloca(slot.ty, "register");
            self.slot_registers.insert(slot.alloca, register);
            per_item.push((
                slot.alloca,
                self.layout.size(slot.ty),
                self.layout.alignment(slot.ty),
            ));
        }
        for array in private {
            match array.home {
                Home::Stack | Home::Shared => {
                    if array.home == Home::Shared {
                        self.shared.insert(array.alloca);
                    }
                    let copy = array.alloca.clone_instruction();
                    b.insert(copy);
                    self.fixed.insert(array.alloca, copy);
                    resources.stack += array.size;
                }
                Home::Group => {
                    let place = resources.group_private;
                    let address = b.offset(self.private_memory, b.i64().constant(place));
                    self.fixed.insert(array.alloca, address);
                    resources.in_turn += array.size;
                    resources.group_private +=
                        array.size.next_multiple_of(u64::from(BASE_ALIGNMENT));
                }
                Home::WorkItem => per_item.push((array.alloca, array.size, array.alignment)),
            }
        }
        if per_item.is_empty() {
            return resources;
        }
        let sizes = &self.range.local_size;
        let items = b
            .multiply(b.multiply(sizes[0], sizes[1]).no_wrap(), sizes[2])
            .no_wrap();
        let granule = b.i64().constant(WORK_ITEM_GRANULE - 1);
        let items = b.and(
            b.add(items, granule),
            b.i64().constant(!(WORK_ITEM_GRANULE - 1)),
        );
        let base = b.offset(
            self.private_memory,
            b.i64().constant(resources.group_private),
        );
        for (alloca, size, alignment) in per_item {
            let size = size.next_multiple_of(u64::from(alignment.max(1))).max(1);
            let place = b.multiply(items, b.i64().constant(resources.work_item_private));
            let array = b.offset(base, place);
            self.per_item.push(PerItem {
                alloca,
                array,
                size,
                alignment,
            });
            resources.work_item_private += size;
        }
        resources.group_private += resources.work_item_private * (WORK_ITEM_GRANULE - 1);
        resources
    }

    fn region(&mut self, number: usize, region: &Region, regions: &Regions, live: &LiveSlots) {
        let b = &self.builder;
        let i32 = b.i32();
        let name = |part: &str| format!("region{number}.{part}");
        let header = self.headers[number];
        let body = self.function.append_block(&name("work_item"));
        let done = self.function.append_block(&name("done"));
        let end = self.function.append_block(&name("end"));
        let access_group = shim::distinct_node(b.context);

        // Loops over z, y and x, x innermost; sizes are at least one.
        let mut ids = [i32.constant(0); 3];
        b.at_end(header);
        if region.once {
            b.branch(body);
            b.at_end(end);
            b.branch(done);
        } else {
            let mut from = header;
            let mut heads = Vec::new();
            for d in [2usize, 1, 0] {
                let head = if d == 0 {
                    body
                } else {
                    body.insert_before(&name(["", "y", "z"][d]))
                };
                b.at_end(from);
                b.branch(head);
                b.at_end(head);
                let id = b.phi(i32, ["x", "y", "z"][d]);
                id.add_incoming(i32.constant(0), from);
                ids[d] = id;
                heads.push((d, head));
                from = head;
            }
            let mut latch = end;
            for (d, head) in heads.into_iter().rev() {
                b.at_end(latch);
                let next = b.add(ids[d], i32.constant(1)).no_wrap();
                ids[d].add_incoming(next, latch);
                let more = b.compare(
                    LLVMIntPredicate::LLVMIntULT,
                    next,
                    self.range.local_size_32[d],
                );
                let outer = if d == 2 {
                    done
                } else {
                    self.function.append_block(&name(["y_latch", "z_latch"][d]))
                };
                let branch = b.branch_if(more, head, outer);
                if d == 0 {
                    self.mark_loop(branch, access_group, region);
                }
                latch = outer;
            }
        }
        self.body(region, regions, live, body, end, ids, access_group);
        self.leave(region, done);
    }

    /// Accesses of one work-item depend on no other's within a region: LLVM may make
    /// vectors of them, unless the region is so long that it would take too long.
    fn mark_loop(&self, branch: Value, access_group: LLVMMetadataRef, region: &Region) {
        let context = self.builder.context;
        let text = |text: &str| ir::metadata_text(context, text);
        let length: usize = region
            .blocks
            .iter()
            .map(|block| block.instructions().len())
            .sum();
        let property = if length <= LONGEST_VECTORISED {
            [text("llvm.loop.parallel_accesses"), access_group]
        } else {
            let no = Type::integer(context, 1).constant(0);
            [
                text("llvm.loop.vectorize.enable"),
                ir::metadata_constant(no),
            ]
        };
        let id = ir::metadata_loop_id(context, &[ir::metadata_node(context, &property)]);
        branch.set_metadata(ir::metadata_kind(context, "llvm.loop"), id);
    }

    /// From the end of a region's loops to the next region.
    fn leave(&self, region: &Region, done: Block) {
        let b = &self.builder;
        let target = |exit: &Exit| match exit {
            Exit::Region(number) => self.headers[*number],
            Exit::Return => {
                let block = self.function.append_block("return");
                b.at_end(block);
                b.return_void();
                block
            }
        };
        let targets: Vec<Block> = region.exits.iter().map(target).collect();
        b.at_end(done);
        match targets.as_slice() {
            // A region without exits is an endless loop; this is never reached.
            [] => {
                b.return_void();
            }
            [only] => {
                b.branch(*only);
            }
            [first, rest @ ..] => {
                let next = b.load(b.i32(), self.next, 4);
                let cases: Vec<_> = rest
                    .iter()
                    .enumerate()
                    .map(|(index, block)| (b.i32().constant(index as u64 + 1), *block))
                    .collect();
                b.switch(next, *first, &cases);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one region's loop")]
    fn body(
        &self,
        region: &Region,
        regions: &Regions,
        live: &LiveSlots,
        start: Block,
        end: Block,
        ids: [Value; 3],
        access_group: LLVMMetadataRef,
    ) {
        let b = &self.builder;
        let i64 = b.i64();
        b.at_end(start);
        let local_id = ids.map(|id| b.zero_extend_not_negative(id, i64));
        let global_id = [0, 1, 2].map(|d| {
            let first = self.range.first_global_id[d];
            if self.small_grid {
                b.zero_extend_not_negative(b.add(first, ids[d]).no_wrap(), i64)
            } else {
                b.add(first, local_id[d])
            }
        });
        let sizes = &self.range.local_size;
        let row = b
            .add(b.multiply(local_id[2], sizes[1]).no_wrap(), local_id[1])
            .no_wrap();
        let linear = b
            .add(b.multiply(row, sizes[0]).no_wrap(), local_id[0])
            .no_wrap();

        let mut body = Body {
            local_id,
            global_id,
            values: self.fixed.clone(),
            created: Vec::new(),
            sequential: HashSet::new(),
        };
        let mut homes = HashMap::new();
        for item in &self.per_item {
            let place = b.multiply(linear, i64.constant(item.size)).no_wrap();
            let address = b.offset(item.array, place);
            if let Some(&register) = self.slot_registers.get(&item.alloca) {
                homes.insert(item.alloca, (address, item.alignment));
                body.values.insert(item.alloca, register);
            } else {
                body.values.insert(item.alloca, address);
            }
        }
        let touched = live.touched(region);
        let mark = |access: Value| {
            let kind = ir::metadata_kind(b.context, "llvm.access.group");
            access.set_metadata(kind, access_group);
        };
        for alloca in &touched {
            let (address, alignment) = homes[alloca];
            let load = b.load(self.slots[alloca], address, alignment);
            mark(load);
            b.store(load, self.slot_registers[alloca], alignment);
        }

        // Blocks, and an exit block for each way out.
        let mut blocks = HashMap::new();
        for block in &region.blocks {
            let name = if self.named {
                block.name()
            } else {
                String::new()
            };
            blocks.insert(*block, end.insert_before(&name));
        }
        b.branch(blocks[&region.start]);
        let mut exit_blocks = HashMap::new();
        for (index, exit) in region.exits.iter().enumerate() {
            let block = end.insert_before("exit");
            b.at_end(block);
            if let Exit::Region(next) = exit {
                for alloca in touched
                    .iter()
                    .filter(|slot| live.stored_in(region, **slot) && live.live_into(*next, **slot))
                {
                    let (address, alignment) = homes[alloca];
                    let value = b.load(self.slots[alloca], self.slot_registers[alloca], alignment);
                    mark(b.store(value, address, alignment));
                }
            }
            if region.exits.len() > 1 {
                b.store(b.i32().constant(index as u64), self.next, 4);
            }
            b.branch(end);
            exit_blocks.insert(*exit, block);
        }

        let annotate_private = !region.blocks.iter().any(|block| {
            block.instructions().iter().any(|i| {
                i.operands().iter().any(|operand| {
                    operand.is(Opcode::LLVMAlloca)
                        && !self.slots.contains_key(operand)
                        && !self.shared.contains(operand)
                        && !self.per_item.iter().any(|item| item.alloca == *operand)
                })
            })
        });
        for block in &region.blocks {
            b.at_end(blocks[block]);
            for instruction in block.instructions() {
                self.instruction(instruction, &mut body);
            }
            let terminator = block.terminator();
            if terminator.successors().is_empty() {
                match exit_blocks.get(&Exit::Return) {
                    Some(exit) if terminator.opcode() == Opcode::LLVMRet => {
                        b.branch(*exit);
                    }
                    _ => b.insert(terminator.clone_instruction()),
                }
            } else {
                let copy = terminator.clone_instruction();
                b.insert(copy);
                for (index, successor) in terminator.successors().into_iter().enumerate() {
                    let target = match regions.exit_at(successor) {
                        Some(exit) => exit_blocks[&exit],
                        None => blocks[&successor],
                    };
                    copy.set_successor(index as u32, target);
                }
                body.created.push(copy);
            }
        }
        for &created in &body.created {
            if created.opcode() == Opcode::LLVMPHI {
                continue;
            }
            for (index, operand) in created.operands().into_iter().enumerate() {
                if let Some(&mapped) = body.values.get(&operand) {
                    created.set_operand(index as u32, mapped);
                }
            }
            if is_parallel_access(created, annotate_private) && !body.sequential.contains(&created)
            {
                let pointer = access_pointer(created);
                if !self.slot_registers.values().any(|&r| r == pointer) {
                    mark(created);
                }
            }
        }
        for block in &region.blocks {
            for phi in block.instructions() {
                if phi.opcode() != Opcode::LLVMPHI {
                    break;
                }
                let copy = body.values[&phi];
                for (value, from) in phi.incoming() {
                    if let Some(&from) = blocks.get(&from) {
                        copy.add_incoming(*body.values.get(&value).unwrap_or(&value), from);
                    }
                }
            }
        }
    }

    /// Copies one instruction that is no terminator.
    fn instruction(&self, instruction: Value, body: &mut Body) {
        let b = &self.builder;
        match instruction.opcode() {
            Opcode::LLVMAlloca => return,
            Opcode::LLVMPHI => {
                let copy = b.phi(instruction.ty(), "");
                if self.named {
                    copy.set_name(&instruction.name());
                }
                body.values.insert(instruction, copy);
                return;
            }
            Opcode::LLVMCall => {
                if let Some(name) = instruction.called_function().map(Value::name) {
                    if let Some(query) = Query::of(&name) {
                        let value = self.query(query, instruction, body);
                        body.values.insert(instruction, value);
                        return;
                    }
                    if name == ONCE || name.starts_with("llvm.lifetime.") {
                        return;
                    }
                }
            }
            // One host thread runs the work-items of a group one after another, so
            // atomic operations on local memory are plain ones (MOCL3 paper, atomics).
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
                if instruction.operand(0).ty().address_space() == address_space::LOCAL =>
            {
                if let Some(result) = self.plain_atomic(instruction, body) {
                    body.values.insert(instruction, result);
                    return;
                }
            }
            _ if instruction.is_terminator() => return,
            _ => {}
        }
        let copy = instruction.clone_instruction();
        b.insert(copy);
        if self.named && !copy.ty().is_void() {
            copy.set_name(&instruction.name());
        }
        body.created.push(copy);
        body.values.insert(instruction, copy);
    }

    fn query(&self, query: Query, call: Value, body: &Body) -> Value {
        let range = &self.range;
        let by_dimension = |values: &[Value]| {
            let dimension = call
                .operand(0)
                .as_integer()
                .expect("the builtin library asks for a literal dimension");
            values[dimension as usize]
        };
        match query {
            Query::WorkDimensions => range.work_dimensions.expect("loaded in the entry block"),
            Query::LocalMemory => self.local_memory,
            Query::LocalId => by_dimension(&body.local_id),
            Query::GlobalId => by_dimension(&body.global_id),
            Query::GroupId => by_dimension(&range.group_id),
            Query::GlobalSize => by_dimension(&range.global_size),
            Query::LocalSize => by_dimension(&range.local_size),
            Query::GroupCount => by_dimension(&range.group_count),
            Query::GlobalOffset => by_dimension(&range.global_offset),
        }
    }

    /// Load, operation, store in place of an atomic instruction.
    fn plain_atomic(&self, instruction: Value, body: &mut Body) -> Option<Value> {
        use llvm_sys::LLVMAtomicRMWBinOp::*;
        let b = &self.builder;
        let pointer = instruction.operand(0);
        let operand = instruction.operand(1);
        let ty = operand.ty();
        let alignment = self.layout.alignment(ty);
        let operation = instruction.atomic_operation();
        if let Some(operation) = operation
            && !matches!(
                operation,
                LLVMAtomicRMWBinOpXchg
                    | LLVMAtomicRMWBinOpAdd
                    | LLVMAtomicRMWBinOpSub
                    | LLVMAtomicRMWBinOpAnd
                    | LLVMAtomicRMWBinOpOr
                    | LLVMAtomicRMWBinOpXor
                    | LLVMAtomicRMWBinOpMax
                    | LLVMAtomicRMWBinOpMin
                    | LLVMAtomicRMWBinOpUMax
                    | LLVMAtomicRMWBinOpUMin
            )
        {
            return None;
        }
        let mut made = Vec::new();
        let old = b.load(ty, pointer, alignment);
        made.push(old);
        let mut keep = |value: Value| {
            made.push(value);
            value
        };
        let choose = |predicate, keep: &mut dyn FnMut(Value) -> Value| {
            let better = keep(b.compare(predicate, old, operand));
            keep(b.select(better, old, operand))
        };
        let (new, result) = match operation {
            Some(operation) => {
                let new = match operation {
                    LLVMAtomicRMWBinOpXchg => operand,
                    LLVMAtomicRMWBinOpAdd => keep(b.binary(Opcode::LLVMAdd, old, operand)),
                    LLVMAtomicRMWBinOpSub => keep(b.binary(Opcode::LLVMSub, old, operand)),
                    LLVMAtomicRMWBinOpAnd => keep(b.binary(Opcode::LLVMAnd, old, operand)),
                    LLVMAtomicRMWBinOpOr => keep(b.binary(Opcode::LLVMOr, old, operand)),
                    LLVMAtomicRMWBinOpXor => keep(b.binary(Opcode::LLVMXor, old, operand)),
                    LLVMAtomicRMWBinOpMax => choose(LLVMIntPredicate::LLVMIntSGT, &mut keep),
                    LLVMAtomicRMWBinOpMin => choose(LLVMIntPredicate::LLVMIntSLT, &mut keep),
                    LLVMAtomicRMWBinOpUMax => choose(LLVMIntPredicate::LLVMIntUGT, &mut keep),
                    LLVMAtomicRMWBinOpUMin => choose(LLVMIntPredicate::LLVMIntULT, &mut keep),
                    _ => unreachable!("refused above"),
                };
                (new, old)
            }
            None => {
                let replacement = instruction.operand(2);
                let equal = keep(b.compare(LLVMIntPredicate::LLVMIntEQ, old, operand));
                let new = keep(b.select(equal, replacement, old));
                let pair = keep(b.insert_value(instruction.ty().poison(), old, 0));
                (new, keep(b.insert_value(pair, equal, 1)))
            }
        };
        made.push(b.store(new, pointer, alignment));
        made.retain(|value| value.is_instruction());
        body.sequential.extend(&made);
        body.created.extend(made);
        Some(result)
    }
}

/// Where a load or store goes.
fn access_pointer(access: Value) -> Value {
    access.operand(if access.opcode() == Opcode::LLVMStore {
        1
    } else {
        0
    })
}

fn is_parallel_access(access: Value, annotate_private: bool) -> bool {
    matches!(access.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore)
        && !access.is_volatile()
        && !access.is_atomic()
        && (annotate_private
            || access_pointer(access).ty().address_space() != address_space::PRIVATE)
}

/// Which slots each region touches and needs.
struct LiveSlots {
    order: Vec<Value>,
    loaded: Vec<HashSet<Value>>,
    stored: Vec<HashSet<Value>>,
    live: Vec<HashSet<Value>>,
    number: HashMap<Block, usize>,
}

impl LiveSlots {
    fn find(regions: &Regions, slots: &[Slot]) -> Self {
        let order: Vec<Value> = slots.iter().map(|slot| slot.alloca).collect();
        let slots: HashSet<Value> = order.iter().copied().collect();
        let mut found = Self {
            order,
            loaded: Vec::new(),
            stored: Vec::new(),
            live: Vec::new(),
            number: HashMap::new(),
        };
        for (number, region) in regions.regions.iter().enumerate() {
            let (mut loaded, mut stored) = (HashSet::new(), HashSet::new());
            for block in &region.blocks {
                for instruction in block.instructions() {
                    if !matches!(instruction.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore) {
                        continue;
                    }
                    let slot = access_pointer(instruction);
                    if !slots.contains(&slot) {
                        continue;
                    }
                    if instruction.opcode() == Opcode::LLVMLoad {
                        loaded.insert(slot);
                    } else {
                        stored.insert(slot);
                    }
                }
            }
            found.number.insert(region.start, number);
            found.live.push(loaded.clone());
            found.loaded.push(loaded);
            found.stored.push(stored);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (number, region) in regions.regions.iter().enumerate() {
                for exit in &region.exits {
                    let Exit::Region(next) = exit else { continue };
                    let wanted: Vec<Value> = found.live[*next].iter().copied().collect();
                    for slot in wanted {
                        changed |= found.live[number].insert(slot);
                    }
                }
            }
        }
        found
    }

    /// Slots a region reads or writes, in the order they were made.
    fn touched(&self, region: &Region) -> Vec<Value> {
        let number = self.number[&region.start];
        let touches =
            |slot: &Value| self.loaded[number].contains(slot) || self.stored[number].contains(slot);
        self.order.iter().copied().filter(touches).collect()
    }

    fn stored_in(&self, region: &Region, slot: Value) -> bool {
        self.stored[self.number[&region.start]].contains(&slot)
    }

    fn live_into(&self, number: usize, slot: Value) -> bool {
        self.live[number].contains(&slot)
    }
}
