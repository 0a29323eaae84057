//! Values that live across barriers: one region computes and another uses them.

use super::region::Regions;
use crate::analysis::effects::is_cheap_and_speculatable;
use crate::analysis::uniformity::Uniformity;
use crate::fault;
use crate::intrinsics::Query;
use crate::ir::{Block, Builder, DataLayout, Opcode, Type, Value};
use std::collections::{HashMap, HashSet};

/// Instructions of each work-item, other than queries and conversions of integers, up to which a value is
/// rematerialised instead of kept in memory. In memory, lanes have no known distance: accesses to an
/// address from there are gathers.
const MAX_REMATERIALISED_INSTRUCTIONS: usize = 8;

/// The same with instructions whose values are uniform, which a group runs once.
const MAX_COPIED_INSTRUCTIONS: usize = 24;

/// Instructions that are looked at to find these: the limits above do not bound those that are given up.
const MAX_VISITS: usize = 8 * MAX_COPIED_INSTRUCTIONS;

/// A variable for a value that lives across a barrier.
pub struct Slot {
    /// The variable in the kernel. Each region gets a copy of it, which becomes a register.
    pub alloca: Value,
    /// The value's type.
    pub ty: Type,
    /// Whether all work-items of a group have the same value, so that the group needs one variable.
    pub uniform: bool,
}

/// A use of a value: the user, the operand's index, and the block in which the value is needed; for a
/// φ that is the predecessor.
pub struct Use {
    pub user: Value,
    pub operand: usize,
    pub block: Block,
}

/// The uses of a value by instructions.
pub fn uses(value: Value) -> Vec<Use> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for user in value.users() {
        if !user.is_instruction() || !seen.insert(user) {
            continue;
        }
        if user.opcode() == Opcode::LLVMPHI {
            for (operand, (incoming, block)) in user.incoming().into_iter().enumerate() {
                if incoming == value {
                    found.push(Use {
                        user,
                        operand,
                        block,
                    });
                }
            }
        } else {
            for (operand, used) in user.operands().into_iter().enumerate() {
                if used == value {
                    found.push(Use {
                        user,
                        operand,
                        block: user.block(),
                    });
                }
            }
        }
    }
    found
}

fn crossing_uses(value: Value, regions: &Regions) -> Vec<Use> {
    let definition = value.block();
    let mut found = uses(value);
    found.retain(|used| used.block != definition && regions.crosses(definition, used.block));
    found
}

fn candidates(kernel: Value) -> Vec<Value> {
    let mut values = kernel.instructions();
    values.retain(|value| !value.ty().is_void() && value.opcode() != Opcode::LLVMAlloca);
    values
}

/// Recomputes values that are cheap functions of arguments, work-item queries and uniform values where
/// they are used across a barrier. Returns those values.
pub fn rematerialise(
    kernel: Value,
    regions: &Regions,
    uniformity: Option<&Uniformity>,
) -> Vec<Value> {
    let mut rematerialised = Vec::new();
    if regions.regions.len() == 1 {
        return rematerialised;
    }
    let mut copies = Copies {
        builder: Builder::new(kernel.ty().context()),
        made: HashMap::new(),
        last: HashMap::new(),
    };
    if fault::loads_are_repeated() {
        load_again(&copies.builder, kernel, regions);
    }
    let recomputation = Recomputation { uniformity };
    for value in candidates(kernel) {
        let Some(instructions) = recomputation.instructions(value) else {
            continue;
        };
        let crossing = crossing_uses(value, regions);
        if !crossing.is_empty() {
            rematerialised.push(value);
        }
        for used in crossing {
            let copy = copies.copy_into(used.block, value, &instructions);
            used.user.set_operand(used.operand as u32, copy);
        }
    }
    rematerialised
}

/// Reads again what was read before a cut: what only a compiler with defects does.
fn load_again(builder: &Builder, kernel: Value, regions: &Regions) {
    let mut loads = candidates(kernel);
    loads.retain(|value| value.opcode() == Opcode::LLVMLoad);
    for load in loads {
        for used in crossing_uses(load, regions) {
            let copy = load.clone_instruction();
            builder.before(used.block.first_after_phis());
            builder.insert(copy);
            used.user.set_operand(used.operand as u32, copy);
        }
    }
}

/// What can be recomputed in another region.
struct Recomputation<'a> {
    uniformity: Option<&'a Uniformity>,
}

impl Recomputation<'_> {
    /// The instructions that recompute a value from arguments, constants, queries, and values that
    /// the group keeps once; none if it depends on others, or takes too many.
    fn instructions(&self, value: Value) -> Option<Vec<Value>> {
        let mut search = Search {
            recomputation: self,
            found: Vec::new(),
            pending: 0,
            visits: MAX_VISITS,
        };
        if !search.collect(value) {
            return None;
        }
        let found = search.found;
        let counts = |value: &&Value| !is_free(**value) && !self.is_uniform(**value);
        (found.iter().filter(counts).count() <= MAX_REMATERIALISED_INSTRUCTIONS).then_some(found)
    }

    fn is_uniform(&self, value: Value) -> bool {
        let uniformity = self.uniformity;
        uniformity.is_some_and(|u| u.is_uniform(value) && u.is_run_by_all(value.block()))
    }
}

/// Whether a copy of the instruction costs next to nothing: an index of the loops over work-items, or
/// one of another width.
fn is_free(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::LLVMCall | Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt
    )
}

/// The search for the instructions that recompute a value.
struct Search<'a> {
    recomputation: &'a Recomputation<'a>,
    /// Operands before their users.
    found: Vec<Value>,
    /// Instructions that would follow these: those whose operands are being searched.
    pending: usize,
    /// Instructions that may still be looked at.
    visits: usize,
}

impl Search<'_> {
    /// Adds what recomputes a value. Whether that is possible.
    fn collect(&mut self, value: Value) -> bool {
        if !value.is_instruction() || self.found.contains(&value) {
            return true;
        }
        if self.found.len() + self.pending >= MAX_COPIED_INSTRUCTIONS || self.visits == 0 {
            return false;
        }
        self.visits -= 1;
        match value.opcode() {
            Opcode::LLVMCall => {
                let called = value.called_function();
                if called.is_none_or(|called| Query::parse(&called.name()).is_none()) {
                    return false;
                }
            }
            opcode if is_cheap_and_speculatable(opcode) => {
                self.pending += 1;
                let possible = value.operands().into_iter().all(|operand| {
                    let before = self.found.len();
                    self.collect(operand) || {
                        self.found.truncate(before);
                        self.recomputation.is_uniform(operand)
                    }
                });
                self.pending -= 1;
                if !possible {
                    return false;
                }
            }
            _ => return false,
        }
        self.found.push(value);
        true
    }
}

/// Recomputed values by block. They are at its beginning, in the order of computation.
struct Copies {
    builder: Builder,
    made: HashMap<(Block, Value), Value>,
    last: HashMap<Block, Value>,
}

impl Copies {
    /// A copy of the value with those of its operands that are among `copied`.
    fn copy_into(&mut self, block: Block, value: Value, copied: &[Value]) -> Value {
        if !copied.contains(&value) {
            return value;
        }
        if let Some(&copy) = self.made.get(&(block, value)) {
            return copy;
        }
        let copy = value.clone_instruction();
        // Operands first: they precede the copy.
        for (index, operand) in value.operands().into_iter().enumerate() {
            if operand.is_instruction() {
                let operand = self.copy_into(block, operand, copied);
                copy.set_operand(index as u32, operand);
            }
        }
        let next = match self.last.get(&block) {
            Some(last) => last.next_instruction().expect("a copy is no terminator"),
            None => block.first_after_phis(),
        };
        self.builder.before(next);
        self.builder.insert(copy);
        self.last.insert(block, copy);
        self.made.insert((block, value), copy);
        copy
    }
}

/// The name of the variable that keeps a value, for readable dumps.
pub fn slot_name(kept: &str, value: Value) -> String {
    match value.name() {
        name if name.is_empty() => kept.to_owned(),
        name => format!("{kept}.{name}"),
    }
}

/// Demotes values that live across a barrier to slots: stored where they are computed, loaded where
/// they are used.
pub fn demote(kernel: Value, regions: &Regions, uniformity: Option<&Uniformity>) -> Vec<Slot> {
    let mut slots = Vec::new();
    if regions.regions.len() == 1 {
        return slots;
    }
    let builder = Builder::new(kernel.ty().context());
    let layout = DataLayout::of_module(kernel.module());
    for value in candidates(kernel) {
        if crossing_uses(value, regions).is_empty() {
            continue;
        }
        let is_truth = value.ty().is_integer() && value.ty().integer_bits() == 1;
        // Lanes store bytes, and no single bits.
        let ty = if is_truth { builder.i8() } else { value.ty() };
        let first = kernel.entry_block().first_instruction();
        builder.before(first.expect("a block ends in a terminator"));
        let alloca = builder.alloca(ty, &slot_name("across", value));
        let definition = value.block();
        // The slot may be aligned no better than the type demands.
        let alignment = layout.alignment(ty);
        // A predecessor with several edges, as of a switch, must give its φ the same value each time.
        let mut before_phis = HashMap::new();
        for used in uses(value) {
            if used.block == definition {
                continue;
            }
            let load = || match builder.load(ty, alloca, alignment) {
                byte if is_truth => builder.truncate(byte, value.ty()),
                whole => whole,
            };
            let load = if used.user.opcode() == Opcode::LLVMPHI {
                *before_phis.entry(used.block).or_insert_with(|| {
                    builder.before(used.block.terminator());
                    load()
                })
            } else {
                builder.before(used.user);
                load()
            };
            used.user.set_operand(used.operand as u32, load);
        }
        builder.before(if value.opcode() == Opcode::LLVMPHI {
            definition.first_after_phis()
        } else {
            value
                .next_instruction()
                .expect("the value is no terminator")
        });
        let stored = match is_truth {
            true => builder.zero_extend(value, ty),
            false => value,
        };
        builder.store(stored, alloca, alignment);
        slots.push(Slot {
            alloca,
            ty,
            uniform: uniformity
                .is_some_and(|u| u.is_uniform(value) && u.is_run_by_all(value.block())),
        });
    }
    slots
}
