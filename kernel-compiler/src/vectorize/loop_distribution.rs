//! Loops that carry more vectors than there are registers, in parts (loop fission): each part is
//! a loop that carries some of them, so that none goes through memory in every round.

use super::register_pressure::{most_live, vector_registers};
use super::vector_unit::VectorUnit;
use crate::analysis::effects::{Effect, effect};
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Most parts of a loop.
const MAX_PARTS: usize = 4;

/// Divides loops of one block wherever that saves registers; gives the numbers of parts.
pub fn distribute(function: Value, vectors: VectorUnit) -> Vec<usize> {
    let layout = DataLayout::of_function(function);
    let mut distributed = Vec::new();
    for block in function.blocks() {
        let Some(found) = DistributableLoop::of(block) else {
            continue;
        };
        if let Some(parts) = found.parts(vectors, layout) {
            found.split(&parts);
            distributed.push(parts.len());
        }
    }
    distributed
}

/// A loop of one block that changes nothing but what it carries from round to round.
struct DistributableLoop {
    block: Block,
    preheader: Block,
    instructions: Vec<Value>,
    /// What decides whether it goes on; each part has it.
    control: HashSet<Value>,
    /// Vectors that are carried independently of one another, each with all that it needs; those
    /// that are computed first come first.
    carried: Vec<HashSet<Value>>,
}

impl DistributableLoop {
    fn of(block: Block) -> Option<Self> {
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
        let needed = |value: Value| backward_slice(value, block);
        let control = needed(block.terminator().operand(0));
        let is_carried = |i: &Value| is_phi(&i) && i.ty().is_vector() && !control.contains(i);
        let mut carried: Vec<HashSet<Value>> = Vec::new();
        for phi in instructions.iter().copied().filter(is_carried) {
            let mut own = needed(phi);
            // Together with those that need it, or that it needs.
            carried.retain(|other| {
                let phis = own.intersection(other).filter(|v| is_carried(v));
                let apart = phis.count() == 0;
                if !apart {
                    own.extend(other);
                }
                apart
            });
            carried.push(own);
        }
        // What is used afterwards has to be in some part.
        let used_later = |i: &Value| i.users().iter().any(|user| user.block() != block);
        let is_known =
            |i: &Value| control.contains(i) || carried.iter().any(|needed| needed.contains(i));
        if !instructions.iter().filter(|i| used_later(i)).all(is_known) {
            return None;
        }
        let place: HashMap<Value, usize> = instructions.iter().copied().zip(0..).collect();
        let own_place = |of: &HashSet<Value>| {
            let phis = of.iter().filter(|v| is_carried(v));
            // What comes from outside the block, such as a constant, is there at its start.
            let next = phis.filter_map(|phi| place.get(&back_edge_value(*phi, block)?).copied());
            next.max()
        };
        carried.sort_by_key(own_place);
        Some(Self {
            block,
            preheader: preheader.1,
            instructions,
            control,
            carried,
        })
    }

    /// What each part holds; none if the loop is best left whole.
    fn parts(&self, vectors: VectorUnit, layout: DataLayout) -> Option<Vec<HashSet<Value>>> {
        let registers = |holds: &dyn Fn(Value) -> bool| {
            most_live(self.block, |value| {
                if holds(value) {
                    vector_registers(value, vectors, layout)
                } else {
                    0.0
                }
            })
        };
        let there_are = f64::from(vectors.registers);
        let whole = registers(&|_| true);
        if whole <= there_are {
            return None;
        }
        let count = (2..=MAX_PARTS.min(self.carried.len())).find_map(|count| {
            let parts: Vec<HashSet<Value>> = self
                .carried
                .chunks(self.carried.len().div_ceil(count))
                .map(|of| of.iter().flatten().chain(&self.control).copied().collect())
                .collect();
            let fit = |part: &HashSet<Value>| registers(&|v| part.contains(&v)) <= there_are;
            parts.iter().all(fit).then_some(parts)
        });
        let parts = count?;
        // What several parts do costs less than storing and loading what has no register.
        let is_work = |v: &&Value| v.ty().is_vector() || v.is(Opcode::LLVMLoad);
        let work = |of: &HashSet<Value>| of.iter().filter(is_work).count() as f64;
        let all: HashSet<Value> = parts.iter().flatten().copied().collect();
        let again = parts.iter().map(work).sum::<f64>() - work(&all);
        (again <= 2.0 * (whole - there_are)).then_some(parts)
    }

    fn split(&self, parts: &[HashSet<Value>]) {
        let builder = Builder::new(self.block.function().ty().context());
        let (last, others) = parts.split_last().expect("there are several");
        let mut entered_from = self.preheader;
        let enter = |block: Block, from: Block| {
            let terminator = from.terminator();
            let successors = terminator.successors();
            for (index, to) in successors.into_iter().enumerate() {
                // From the part before, where it is left.
                if to == self.block {
                    terminator.set_successor(index as u32, block);
                }
            }
        };
        for part in others {
            let block = self.block.insert_before("part");
            builder.at_end(block);
            let mut copies: HashMap<Value, Value> = HashMap::new();
            let terminator = self.block.terminator();
            let own = self.instructions.iter().copied();
            let own: Vec<Value> = own
                .filter(|i| part.contains(i) || *i == terminator)
                .collect();
            for &instruction in &own {
                if instruction.is(Opcode::LLVMPHI) {
                    copies.insert(instruction, builder.phi(instruction.ty(), ""));
                } else {
                    let copy = instruction.clone_instruction();
                    builder.insert(copy);
                    copies.insert(instruction, copy);
                }
            }
            let mapped = |value: Value| copies.get(&value).copied().unwrap_or(value);
            for &instruction in &own {
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
            enter(block, entered_from);
            let copy = copies[&terminator];
            for (index, to) in terminator.successors().into_iter().enumerate() {
                let to = if to == self.block { block } else { self.block };
                copy.set_successor(index as u32, to);
            }
            for &instruction in own.iter().filter(|i| !last.contains(i)) {
                self.redirect_outside_uses(instruction, copies[&instruction]);
            }
            entered_from = block;
        }
        self.keep_last_part(last, entered_from, &builder);
    }

    /// Users outside the loop take a part's copy.
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

    /// The loop itself becomes the last part, entered from the one before.
    fn keep_last_part(&self, part: &HashSet<Value>, entered_from: Block, builder: &Builder) {
        let phis = self.instructions.iter().filter(|i| i.is(Opcode::LLVMPHI));
        for phi in phis.copied().collect::<Vec<_>>() {
            if part.contains(&phi) {
                builder.replace_incoming_block(phi, self.preheader, entered_from);
            } else {
                // What hangs on it is of no use any more.
                phi.replace_all_uses_with(phi.ty().poison());
                phi.erase();
            }
        }
    }
}

/// What a φ is in the next round.
fn back_edge_value(phi: Value, block: Block) -> Option<Value> {
    let incoming = phi.incoming();
    let from_itself = incoming.into_iter().find(|(_, from)| *from == block);
    from_itself.map(|(value, _)| value)
}

/// All instructions of the block that a value is computed from, in this round or an earlier one.
fn backward_slice(value: Value, block: Block) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || value.block() != block || !found.insert(value) {
            continue;
        }
        if value.is(Opcode::LLVMPHI) {
            pending.extend(back_edge_value(value, block));
        } else {
            pending.extend(value.operands());
        }
    }
    found
}
