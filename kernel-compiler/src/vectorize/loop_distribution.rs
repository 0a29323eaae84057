//! Loop distribution: splits a loop that carries more vectors from iteration to iteration than there
//! are registers into several loops, each of which carries some, so that none is spilled in every
//! iteration.

use super::cost::register_pressure::{most_live, vector_registers};
use super::vector_unit::VectorUnit;
use crate::analysis::effects::{Effect, effect};
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Most loops that a loop is split into.
const MAX_PARTS: usize = 4;

/// Splits loops of a single block where that avoids spilling. Returns how many loops each was
/// split into.
pub fn distribute(function: Value, vectors: VectorUnit) -> Vec<usize> {
    let layout = DataLayout::of_function(function);
    let mut distributed = Vec::new();
    for block in function.blocks() {
        let Some(found) = DistributableLoop::recognize(block) else {
            continue;
        };
        if let Some(parts) = found.parts(vectors, layout) {
            found.split(&parts);
            distributed.push(parts.len());
        }
    }
    distributed
}

/// A loop of a single block without side effects.
struct DistributableLoop {
    block: Block,
    preheader: Block,
    instructions: Vec<Value>,
    /// The instructions that the exit condition needs, of which each part has a copy.
    control: HashSet<Value>,
    /// The backward slices of vectors that the loop carries, in the order of their definitions.
    /// Vectors that depend on one another share a slice.
    carried: Vec<HashSet<Value>>,
}

impl DistributableLoop {
    /// None if a block is no such loop.
    fn recognize(block: Block) -> Option<Self> {
        let successors = block.successors();
        if successors.len() != 2 || successors.iter().filter(|to| **to == block).count() != 1 {
            return None;
        }
        let instructions = block.instructions();
        let is_phi = |i: &&Value| i.is(Opcode::LLVMPHI);
        let from_outside = instructions.first().filter(is_phi)?.incoming();
        let [preheader] = from_outside
            .iter()
            .filter(|(_, from)| *from != block)
            .collect::<Vec<_>>()[..]
        else {
            return None;
        };
        if !instructions
            .iter()
            .all(|i| matches!(effect(*i), Effect::None | Effect::Read))
        {
            return None;
        }
        let control = backward_slice(block.terminator().operand(0), block);
        let is_carried = |i: &Value| is_phi(&i) && i.ty().is_vector() && !control.contains(i);
        let mut carried: Vec<HashSet<Value>> = Vec::new();
        for phi in instructions.iter().copied().filter(is_carried) {
            let mut slice = backward_slice(phi, block);
            carried.retain(|other| {
                let phis = slice.intersection(other).filter(|v| is_carried(v));
                let is_independent = phis.count() == 0;
                if !is_independent {
                    slice.extend(other);
                }
                is_independent
            });
            carried.push(slice);
        }
        // Each value that is used after the loop must be in some part.
        let is_live_out = |i: &Value| i.users().iter().any(|user| user.block() != block);
        let is_in_part =
            |i: &Value| control.contains(i) || carried.iter().any(|slice| slice.contains(i));
        if !instructions
            .iter()
            .filter(|i| is_live_out(i))
            .all(is_in_part)
        {
            return None;
        }
        let position: HashMap<Value, usize> = instructions.iter().copied().zip(0..).collect();
        let last_definition = |slice: &HashSet<Value>| {
            let phis = slice.iter().filter(|v| is_carried(v));
            // Values from outside the block, such as constants, have no position in it.
            let next = phis.filter_map(|phi| position.get(&phi.incoming_from(block)?));
            next.max().copied()
        };
        carried.sort_by_key(last_definition);
        Some(Self {
            block,
            preheader: preheader.1,
            instructions,
            control,
            carried,
        })
    }

    /// The instructions of each part; none if splitting the loop does not pay.
    fn parts(&self, vectors: VectorUnit, layout: DataLayout) -> Option<Vec<HashSet<Value>>> {
        let pressure = |is_included: &dyn Fn(Value) -> bool| {
            most_live(self.block, |value| {
                if is_included(value) {
                    vector_registers(value, vectors, layout)
                } else {
                    0.0
                }
            })
        };
        let registers = f64::from(vectors.registers);
        let whole = pressure(&|_| true);
        if whole <= registers {
            return None;
        }
        let parts = (2..=MAX_PARTS.min(self.carried.len())).find_map(|count| {
            let parts: Vec<HashSet<Value>> = self
                .carried
                .chunks(self.carried.len().div_ceil(count))
                .map(|slices| {
                    slices
                        .iter()
                        .flatten()
                        .chain(&self.control)
                        .copied()
                        .collect()
                })
                .collect();
            let fits = |part: &HashSet<Value>| pressure(&|v| part.contains(&v)) <= registers;
            parts.iter().all(fits).then_some(parts)
        })?;
        // Work repeated in several parts must cost less than the stores and loads of spilling.
        let is_work = |v: &&Value| v.ty().is_vector() || v.is(Opcode::LLVMLoad);
        let work = |part: &HashSet<Value>| part.iter().filter(is_work).count() as f64;
        let all: HashSet<Value> = parts.iter().flatten().copied().collect();
        let repeated = parts.iter().map(work).sum::<f64>() - work(&all);
        (repeated <= 2.0 * (whole - registers)).then_some(parts)
    }

    fn split(&self, parts: &[HashSet<Value>]) {
        let builder = Builder::new(self.block.function().ty().context());
        let (last, others) = parts.split_last().expect("there are several");
        let mut entered_from = self.preheader;
        for part in others {
            let (block, copies) = self.copy_part(part, entered_from, &builder);
            // The preheader, or the exit of the part before.
            replace_successor(entered_from, self.block, block);
            let copy = copies[&self.block.terminator()];
            for (index, to) in self.block.successors().into_iter().enumerate() {
                let to = if to == self.block { block } else { self.block };
                copy.set_successor(index as u32, to);
            }
            for instruction in self.instructions.iter().filter(|i| !last.contains(i)) {
                if let Some(copy) = copies.get(instruction) {
                    self.redirect_outside_uses(*instruction, *copy);
                }
            }
            entered_from = block;
        }
        self.keep_last_part(last, entered_from, &builder);
    }

    /// Copies the instructions of a part, and the terminator, to a new block.
    fn copy_part(
        &self,
        part: &HashSet<Value>,
        entered_from: Block,
        builder: &Builder,
    ) -> (Block, HashMap<Value, Value>) {
        let block = self.block.insert_before("part");
        builder.at_end(block);
        let mut copies: HashMap<Value, Value> = HashMap::new();
        let terminator = self.block.terminator();
        let is_copied = |i: &Value| part.contains(i) || *i == terminator;
        let instructions = self.instructions.iter().copied();
        let instructions: Vec<Value> = instructions.filter(is_copied).collect();
        for &instruction in &instructions {
            if instruction.is(Opcode::LLVMPHI) {
                copies.insert(instruction, builder.phi(instruction.ty(), ""));
            } else {
                let copy = instruction.clone_instruction();
                builder.insert(copy);
                copies.insert(instruction, copy);
            }
        }
        let mapped = |value: Value| copies.get(&value).copied().unwrap_or(value);
        for instruction in instructions {
            let copy = copies[&instruction];
            if instruction.is(Opcode::LLVMPHI) {
                for (value, from) in instruction.incoming() {
                    let from = if from == self.block {
                        block
                    } else {
                        entered_from
                    };
                    copy.add_incoming(mapped(value), from);
                }
                continue;
            }
            for (index, operand) in instruction.operands().into_iter().enumerate() {
                if operand.is_instruction() && copies.contains_key(&operand) {
                    copy.set_operand(index as u32, mapped(operand));
                }
            }
        }
        (block, copies)
    }

    /// Lets users outside the loop use a part's copy.
    fn redirect_outside_uses(&self, value: Value, copy: Value) {
        for user in value.users() {
            if user.block() == self.block {
                continue;
            }
            for (index, operand) in user.operands().into_iter().enumerate() {
                if operand == value {
                    user.set_operand(index as u32, copy);
                }
            }
        }
    }

    /// Makes the loop itself the last part, entered from the one before.
    fn keep_last_part(&self, part: &HashSet<Value>, entered_from: Block, builder: &Builder) {
        let phis = self.instructions.iter().filter(|i| i.is(Opcode::LLVMPHI));
        for phi in phis.copied().collect::<Vec<_>>() {
            if part.contains(&phi) {
                builder.replace_incoming_block(phi, self.preheader, entered_from);
            } else {
                // Its users belong to other parts; here they are dead.
                phi.replace_all_uses_with(phi.ty().poison());
                phi.erase();
            }
        }
    }
}

fn replace_successor(block: Block, old: Block, new: Block) {
    let terminator = block.terminator();
    for (index, to) in terminator.successors().into_iter().enumerate() {
        if to == old {
            terminator.set_successor(index as u32, new);
        }
    }
}

/// The instructions of the block that a value depends on, in this iteration or an earlier one.
fn backward_slice(value: Value, block: Block) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || value.block() != block || !found.insert(value) {
            continue;
        }
        if value.is(Opcode::LLVMPHI) {
            pending.extend(value.incoming_from(block));
        } else {
            pending.extend(value.operands());
        }
    }
    found
}
