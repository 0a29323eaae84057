//! What one work-item does in a region: the kernel's instructions, with its own ids,
//! between those that fetch its private variables and those that put them back.

use super::accesses::{access_pointer, is_parallel_access};
use super::live_slots::LiveSlots;
use super::{BASE_ALIGNMENT, Emitter};
use crate::fault;
use crate::intrinsics::{ONCE, Query};
use crate::ir::{self, Block, Opcode, Value};
use crate::work_group::nonatomic_local::{self, PlainAtomic};
use crate::work_group::region::{Exit, Region, Regions};
use llvm_sys::prelude::LLVMMetadataRef;
use std::collections::{HashMap, HashSet};

/// Where the code of a work-item goes.
pub struct Place {
    /// Its first block.
    pub start: Block,
    /// Where it goes when it is done.
    pub end: Block,
    /// Its local id, of 32 bits.
    pub ids: [Value; 3],
    /// For accesses that depend on no other work-item's.
    pub access_group: LLVMMetadataRef,
    /// What the group's slots held before the region.
    pub of_the_group: HashMap<Value, Value>,
}

/// A work-item's code while it is written.
pub struct WorkItem {
    local_id: [Value; 3],
    global_id: [Value; 3],
    /// What stands for the kernel's values.
    values: HashMap<Value, Value>,
    /// Where the slots are kept from region to region, with alignment in bytes.
    homes: HashMap<Value, (Value, u32)>,
    /// Instructions whose operands are the kernel's still.
    pub created: Vec<Value>,
    /// Accesses that do depend on other work-items'.
    pub sequential: HashSet<Value>,
}

impl Emitter {
    /// Writes it, from `place.start` to `place.end`.
    pub fn work_item(&self, region: &Region, regions: &Regions, live: &LiveSlots, place: &Place) {
        let b = &self.builder;
        b.at_end(place.start);
        let mut item = self.identify(place, region, live);
        for (alloca, register) in self.registers_of(live.touched(region)) {
            let (address, alignment) = item.homes[alloca];
            let value = match place.of_the_group.get(alloca) {
                Some(value) => *value,
                None => {
                    let load = b.load(self.slots[alloca], address, alignment);
                    self.mark_parallel(load, place);
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
            blocks.insert(*block, place.end.insert_before(&name));
        }
        b.branch(blocks[&region.start]);
        let exits = self.exits(region, live, place, &item);
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
        self.connect(region, place, &item);
        self.fill_phis(region, &blocks, &item);
    }

    /// Those slots that are in registers, with these.
    fn registers_of<'a>(&self, slots: &'a [Value]) -> impl Iterator<Item = (&'a Value, Value)> {
        let register = |slot| Some((slot, *self.slot_registers.get(slot)?));
        slots.iter().filter_map(register)
    }

    /// The ids of a work-item, and the places of what it has its own of.
    fn identify(&self, place: &Place, region: &Region, live: &LiveSlots) -> WorkItem {
        let b = &self.builder;
        let i64 = b.i64();
        let ids = place.ids;
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
            homes: HashMap::new(),
            created: Vec::new(),
            sequential: HashSet::new(),
        };
        let touched = live.touched(region);
        for slot in touched {
            if let Some(&register) = self.slot_registers.get(slot) {
                item.values.insert(*slot, register);
            }
            if let Some(&place) = self.of_the_group.get(slot) {
                item.homes.insert(*slot, (place, BASE_ALIGNMENT));
            }
        }
        let arrays = arrays_in(region);
        let own = touched.iter().chain(&arrays);
        let mut own: Vec<usize> = own
            .filter_map(|v| self.per_item_of.get(v).copied())
            .collect();
        own.sort_unstable();
        own.dedup();
        for own in own.into_iter().map(|number| &self.per_item[number]) {
            let offset = b.multiply(linear, i64.constant(own.size)).no_wrap();
            let address = b.offset(own.array, offset);
            if self.slot_registers.contains_key(&own.alloca) {
                item.homes.insert(own.alloca, (address, own.alignment));
            } else {
                item.values.insert(own.alloca, address);
            }
        }
        item
    }

    /// A block for each way out of a region, where the slots that are needed later are put
    /// back.
    fn exits(
        &self,
        region: &Region,
        live: &LiveSlots,
        place: &Place,
        item: &WorkItem,
    ) -> HashMap<Exit, Block> {
        let b = &self.builder;
        let touched = live.touched(region);
        let mut exits = HashMap::new();
        for (index, exit) in region.exits.iter().enumerate() {
            let block = place.end.insert_before("exit");
            b.at_end(block);
            if let Exit::Region(next) = exit {
                for (alloca, register) in self.registers_of(touched).filter(|(slot, _)| {
                    live.stored_in(region, **slot) && live.live_into(*next, **slot)
                }) {
                    let (address, alignment) = item.homes[alloca];
                    let value = b.load(self.slots[alloca], register, register.alignment());
                    let store = b.store(value, address, alignment);
                    if !self.of_the_group.contains_key(alloca) {
                        self.mark_parallel(store, place);
                    }
                }
            }
            if region.exits.len() > 1 {
                b.store(b.i32().constant(index as u64), self.next, 4);
            }
            b.branch(place.end);
            exits.insert(*exit, block);
        }
        exits
    }

    fn mark_parallel(&self, access: Value, place: &Place) {
        let kind = ir::metadata_kind(self.builder.context, "llvm.access.group");
        access.set_metadata(kind, place.access_group);
    }

    /// Makes instructions use the work-item's values in place of the kernel's.
    fn connect(&self, region: &Region, place: &Place, item: &WorkItem) {
        // One place on the stack for all work-items: then LLVM finds out by itself.
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
                    self.mark_parallel(created, place);
                }
            }
        }
    }

    /// Copies one instruction that is no terminator.
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
                    if let Some(query) = Query::of(&name) {
                        let value = self.query(query, instruction, item);
                        item.values.insert(instruction, value);
                        return;
                    }
                    if name == ONCE || name.starts_with("llvm.lifetime.") {
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
                .expect("the builtin library asks for a literal dimension");
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
        }
    }

    /// What stands for a value of the kernel, if something does.
    fn value_of(&self, value: Value, item: &WorkItem) -> Option<Value> {
        let found = item.values.get(&value).or_else(|| self.fixed.get(&value));
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

/// The variables of the kernel that a region uses.
fn arrays_in(region: &Region) -> Vec<Value> {
    let blocks = region.blocks.iter();
    let instructions = blocks.flat_map(|block| block.instructions());
    let operands = instructions.flat_map(Value::operands);
    operands.filter(|of| of.is(Opcode::LLVMAlloca)).collect()
}
