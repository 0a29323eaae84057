//! What one work-item executes in a region: loads of the slots it uses, the kernel's instructions with
//! its ids, and stores of the slots needed later.

use super::accesses::{access_pointer, is_parallel_access};
use super::emitter::{BASE_ALIGNMENT, Emitter, PerItem};
use super::live_slots::LiveSlots;
use super::private_memory::INTERLEAVED_WORK_ITEMS;
use crate::analysis::effects::is_lifetime_marker;
use crate::fault;
use crate::intrinsics::{ONCE, Query};
use crate::ir::{self, Block, MetadataRef, Opcode, Value};
use crate::work_group::nonatomic_local::{self, PlainAtomic};
use crate::work_group::region::{Exit, Region, Regions};
use std::collections::{HashMap, HashSet};

/// The loop body that the code of a work-item fills.
pub struct LoopBody {
    /// Its first block.
    pub start: Block,
    /// The block that it branches to at its end.
    pub end: Block,
    /// The local id, in 32 bits.
    pub ids: [Value; 3],
    /// The access group of accesses that are independent between work-items.
    pub access_group: MetadataRef,
    /// Values of the group's slots before the region.
    pub uniform_slots: HashMap<Value, Value>,
    /// Of separated work-items, those that are at the beginning of the region of that number run.
    pub arrived_at: Option<usize>,
}

/// A work-item's code while it is written.
pub struct WorkItem {
    local_id: [Value; 3],
    global_id: [Value; 3],
    /// Replacements of the kernel's values.
    values: HashMap<Value, Value>,
    /// By slot: its address between regions, and the alignment in bytes.
    slot_addresses: HashMap<Value, (Value, u32)>,
    /// Instructions whose operands are still the kernel's values.
    pub created: Vec<Value>,
    /// Accesses that depend on those of other work-items.
    pub sequential: HashSet<Value>,
    /// Where it stores at which exit of the region it has arrived, if work-items may differ in that.
    arrival: Option<Value>,
}

impl Emitter {
    /// Writes the code of a work-item, from `body.start` to `body.end`.
    pub fn work_item(&self, region: &Region, regions: &Regions, live: &LiveSlots, body: &LoopBody) {
        let b = &self.builder;
        b.at_end(body.start);
        let mut item = self.identify(body, region, live);
        let others = body
            .arrived_at
            .zip(item.arrival)
            .and_then(|(number, place)| self.leave_others_out(region, number, place, body.end));
        for (alloca, register) in self.registers_of(live.touched(region)) {
            let (address, alignment) = item.slot_addresses[alloca];
            let value = match body.uniform_slots.get(alloca) {
                Some(value) => *value,
                None => {
                    let load = b.load(self.slots[alloca], address, alignment);
                    self.mark_parallel(load, body);
                    load
                }
            };
            b.store(value, register, register.alignment());
        }
        let mut blocks = HashMap::new();
        for block in &region.blocks {
            let name = if self.named {
                block.name()
            } else {
                String::new()
            };
            blocks.insert(*block, body.end.insert_before(&name));
        }
        b.branch(blocks[&region.start]);
        let exits = self.exits(region, live, body, &item);
        if let (Some(others), [only]) = (others, &region.exits[..]) {
            b.at_end(others);
            b.branch(exits[only]);
        }
        for block in &region.blocks {
            b.at_end(blocks[block]);
            for instruction in block.instructions() {
                self.instruction(instruction, &mut item);
            }
            let terminator = block.terminator();
            if terminator.successors().is_empty() {
                match exits.get(&Exit::Return) {
                    Some(exit) if terminator.opcode() == Opcode::LLVMRet => {
                        b.branch(*exit);
                    }
                    _ => b.insert(terminator.clone_instruction()),
                }
            } else {
                let copy = terminator.clone_instruction();
                b.insert(copy);
                for (index, successor) in terminator.successors().into_iter().enumerate() {
                    let target = match regions.exit_at(region, successor) {
                        Some(exit) => exits[&exit],
                        None => blocks[&successor],
                    };
                    copy.set_successor(index as u32, target);
                }
                item.created.push(copy);
            }
        }
        self.connect(region, body, &item);
        self.fill_phis(region, &blocks, &item);
        if self.debugged.is_some() {
            ir::separate_scopes(region.blocks.iter().map(|block| blocks[block]));
        }
    }

    /// The slots that are in registers within a region, with their variables.
    fn registers_of<'a>(&self, slots: &'a [Value]) -> impl Iterator<Item = (&'a Value, Value)> {
        let register = |slot| Some((slot, *self.slot_registers.get(slot)?));
        slots.iter().filter_map(register)
    }

    /// Computes the ids of a work-item, and the addresses of its own variables.
    fn identify(&self, body: &LoopBody, region: &Region, live: &LiveSlots) -> WorkItem {
        let b = &self.builder;
        let i64 = b.i64();
        let ids = body.ids;
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
        let linear = fault::private_index(b, linear, sizes);
        let mut item = WorkItem {
            local_id: fault::ids(local_id),
            global_id: fault::ids(global_id),
            values: HashMap::new(),
            slot_addresses: HashMap::new(),
            created: Vec::new(),
            sequential: HashSet::new(),
            arrival: None,
        };
        let touched = live.touched(region);
        for slot in touched {
            if let Some(&register) = self.slot_registers.get(slot) {
                item.values.insert(*slot, register);
            }
            if let Some(&place) = self.uniform_slots.get(slot) {
                item.slot_addresses.insert(*slot, (place, BASE_ALIGNMENT));
            }
        }
        let arrays = arrays_in(region);
        let own = touched.iter().chain(&arrays);
        let mut own: Vec<usize> = own
            .filter_map(|v| self.per_item_of.get(v).copied())
            .collect();
        if region.separates || body.arrived_at.is_some() {
            let arrival = self
                .separation
                .as_ref()
                .map(|of| self.per_item_of[&of.arrival]);
            own.extend(arrival);
        }
        own.sort_unstable();
        own.dedup();
        let address_of = |own: &PerItem| b.offset(own.array, self.place_of(own, linear));
        self.store_work_item([global_id, local_id], address_of);
        for own in own.into_iter().map(|number| &self.per_item[number]) {
            let address = address_of(own);
            if self.slot_registers.contains_key(&own.alloca) {
                item.slot_addresses
                    .insert(own.alloca, (address, own.alignment));
            } else {
                item.values.insert(own.alloca, address);
            }
        }
        let arrival = self.separation.as_ref().map(|of| of.arrival);
        item.arrival = arrival.and_then(|arrival| item.values.get(&arrival).copied());
        item
    }

    /// The offset of a work-item's own variable among those of the group, bytes.
    fn place_of(&self, own: &PerItem, work_item: Value) -> Value {
        let b = &self.builder;
        let times = |number, bytes| b.multiply(number, b.i64().constant(bytes)).no_wrap();
        let Some(element) = own.element else {
            return times(work_item, own.size);
        };
        let number = b.i64().constant(INTERLEAVED_WORK_ITEMS - 1);
        let first = b.i64().constant(!(INTERLEAVED_WORK_ITEMS - 1));
        let [first, number] = [first, number].map(|mask| b.and(work_item, mask));
        let (first, number) = (times(first, own.size), times(number, element));
        b.add(first, number).no_wrap()
    }

    /// A block for each exit of a region, which stores the slots that are needed later.
    fn exits(
        &self,
        region: &Region,
        live: &LiveSlots,
        body: &LoopBody,
        item: &WorkItem,
    ) -> HashMap<Exit, Block> {
        let b = &self.builder;
        let touched = live.touched(region);
        let mut exits = HashMap::new();
        for (index, exit) in region.exits.iter().enumerate() {
            let block = body.end.insert_before("exit");
            b.at_end(block);
            if let Some(next) = exit.next() {
                for (alloca, register) in self.registers_of(touched).filter(|(slot, _)| {
                    live.stored_in(region, **slot) && live.live_into(next, **slot)
                }) {
                    let (address, alignment) = item.slot_addresses[alloca];
                    let value = b.load(self.slots[alloca], register, register.alignment());
                    let store = b.store(value, address, alignment);
                    if !self.uniform_slots.contains_key(alloca) {
                        self.mark_parallel(store, body);
                    }
                }
            }
            if let Some(place) = item.arrival {
                let store = self.store_arrival(*exit, place);
                if body.arrived_at.is_none() {
                    self.mark_parallel(store, body);
                }
            } else if region.exits.len() > 1 {
                b.store(b.i32().constant(index as u64), self.next, 4);
            }
            b.branch(body.end);
            exits.insert(*exit, block);
        }
        exits
    }

    fn mark_parallel(&self, access: Value, body: &LoopBody) {
        let kind = ir::metadata_kind(self.builder.context, "llvm.access.group");
        access.set_metadata(kind, body.access_group);
    }

    /// Replaces the kernel's values by the work-item's in the operands of its instructions.
    fn connect(&self, region: &Region, body: &LoopBody, item: &WorkItem) {
        // An array on the stack that work-items share: LLVM has to analyse dependences itself.
        let uses_the_stack = region.blocks.iter().any(|block| {
            block.instructions().iter().any(|i| {
                i.operands().iter().any(|operand| {
                    operand.is(Opcode::LLVMAlloca)
                        && !self.slots.contains_key(operand)
                        && !self.shared.contains(operand)
                        && !self.per_item_of.contains_key(operand)
                })
            })
        });
        for &created in &item.created {
            if created.opcode() == Opcode::LLVMPHI {
                continue;
            }
            for (index, operand) in created.operands().into_iter().enumerate() {
                if let Some(mapped) = self.value_of(operand, item) {
                    created.set_operand(index as u32, mapped);
                }
            }
            if is_parallel_access(created, !uses_the_stack) && !item.sequential.contains(&created) {
                let pointer = access_pointer(created);
                if !self.registers.contains(&pointer) {
                    self.mark_parallel(created, body);
                }
            }
        }
    }

    /// Copies an instruction that is not a terminator.
    fn instruction(&self, instruction: Value, item: &mut WorkItem) {
        let b = &self.builder;
        match instruction.opcode() {
            Opcode::LLVMAlloca => return,
            Opcode::LLVMPHI => {
                let copy = b.phi(instruction.ty(), "");
                if self.named {
                    copy.set_name(&instruction.name());
                }
                item.values.insert(instruction, copy);
                return;
            }
            Opcode::LLVMCall => {
                if let Some(name) = instruction.called_function().map(Value::name) {
                    if let Some(query) = Query::parse(&name) {
                        let value = self.query(query, instruction, item);
                        item.values.insert(instruction, value);
                        return;
                    }
                    if name == ONCE || is_lifetime_marker(instruction) {
                        return;
                    }
                }
            }
            _ if !self.lanes && nonatomic_local::is_on_local_memory(instruction) => {
                let operands = instruction.operands();
                let plain = PlainAtomic::make(b, self.layout, instruction, &operands);
                if let Some(PlainAtomic { result, made }) = plain {
                    item.sequential.extend(&made);
                    item.created.extend(made);
                    item.values.insert(instruction, result);
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
        item.created.push(copy);
        item.values.insert(instruction, copy);
    }

    fn query(&self, query: Query, call: Value, item: &WorkItem) -> Value {
        let range = &self.range;
        let by_dimension = |values: &[Value]| {
            let dimension = call
                .operand(0)
                .as_integer()
                .expect("the builtin library passes a literal dimension");
            values[dimension as usize]
        };
        match query {
            Query::WorkDimensions => range.work_dimensions.expect("loaded in the entry block"),
            Query::LocalMemory => self.local_memory,
            Query::LocalId => by_dimension(&item.local_id),
            Query::GlobalId => by_dimension(&item.global_id),
            Query::GroupId => by_dimension(&range.group_id),
            Query::GlobalSize => by_dimension(&range.global_size),
            Query::LocalSize => by_dimension(&range.local_size),
            Query::GroupCount => by_dimension(&range.group_count),
            Query::GlobalOffset => by_dimension(&range.global_offset),
            Query::ArgumentBytes => by_dimension(&self.argument_bytes),
            Query::GroupContext => self.context,
        }
    }

    /// The replacement of a value of the kernel, if there is one.
    fn value_of(&self, value: Value, item: &WorkItem) -> Option<Value> {
        let found = item
            .values
            .get(&value)
            .or_else(|| self.uniform_values.get(&value));
        found.copied()
    }

    fn fill_phis(&self, region: &Region, blocks: &HashMap<Block, Block>, item: &WorkItem) {
        for block in &region.blocks {
            for phi in block.instructions() {
                if phi.opcode() != Opcode::LLVMPHI {
                    break;
                }
                let copy = item.values[&phi];
                for (value, from) in phi.incoming() {
                    if let Some(&from) = blocks.get(&from) {
                        copy.add_incoming(self.value_of(value, item).unwrap_or(value), from);
                    }
                }
            }
        }
    }
}

/// The allocas of the kernel that a region uses.
fn arrays_in(region: &Region) -> Vec<Value> {
    let blocks = region.blocks.iter();
    let instructions = blocks.flat_map(|block| block.instructions());
    let operands = instructions.flat_map(Value::operands);
    operands.filter(|of| of.is(Opcode::LLVMAlloca)).collect()
}
