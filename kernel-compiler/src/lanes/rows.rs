//! Rows of work-items side by side: where all rows of a group go the same way, several of
//! them run in one round of the loop over the rows. What they have in common is then done
//! once, and the processor has more than one row's chain of operations to work on.

use super::work_item_loop::{self, WorkItemLoop};
use super::{VectorUnit, cost};
use crate::ir::{
    Block, Builder, DataLayout, Opcode, Type, Value, metadata_constant, metadata_kind,
    metadata_node,
};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::{HashMap, HashSet};

/// Property of a row loop's branch back, as metadata of this kind.
pub const MARK: &str = "mocl3.rows";

/// Instructions that may come of one loop.
const LARGEST: usize = 3000;

/// A loop over rows where several run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Number of the loop over work-items that is in it, if that is known.
    pub number: Option<usize>,
    /// How many run side by side.
    pub rows: u32,
}

/// Puts rows side by side wherever that pays; tells of each loop where it did.
pub fn join(function: Value, vectors: VectorUnit) -> Vec<Joined> {
    let layout = DataLayout::of_function(function);
    let mut joined = Vec::new();
    let kind = metadata_kind(function.ty().context(), MARK);
    for rows in work_item_loop::find(function, MARK).into_iter().flatten() {
        let terminator = rows.latch.terminator();
        let number = terminator.metadata_integer(kind);
        terminator.remove_metadata(kind);
        let Some(found) = Rows::of(&rows) else {
            continue;
        };
        if let Some(count) = found.worthwhile(vectors, layout) {
            found.join(count);
            joined.push(Joined {
                number: number.map(|number| number as usize),
                rows: count as u32,
            });
        }
    }
    joined
}

/// Notes the number of a loop over work-items at that over rows around it, if there is one; for
/// none its rows are kept one after another.
pub fn mark(work_items: &WorkItemLoop, number: Option<usize>) {
    let context = work_items.counter.ty().context();
    let kind = metadata_kind(context, MARK);
    let mut seen = HashSet::new();
    let mut block = work_items.exit;
    while seen.insert(block) {
        let terminator = block.terminator();
        if terminator.has_metadata(kind) {
            match number {
                Some(number) => {
                    let number = Type::integer(context, 32).constant(number as u64);
                    let node = metadata_node(context, &[metadata_constant(number)]);
                    terminator.set_metadata(kind, node);
                }
                None => terminator.remove_metadata(kind),
            }
            return;
        }
        let [next] = block.successors()[..] else {
            return;
        };
        block = next;
    }
}

/// A loop over rows that all go the same way.
struct Rows<'a> {
    rows: &'a WorkItemLoop,
    /// How many there are.
    count: u64,
    /// What is not the same for all rows; each row has its own. In the function's order.
    own: Vec<Value>,
    is_own: HashSet<Value>,
}

impl<'a> Rows<'a> {
    /// None if rows may go different ways, or their number is not known.
    fn of(rows: &'a WorkItemLoop) -> Option<Self> {
        let count = rows.count.as_integer()?;
        let mut is_own = HashSet::from([rows.counter]);
        is_own.extend(&rows.private);
        let instructions: Vec<Value> = rows.blocks.iter().flat_map(|b| b.instructions()).collect();
        loop {
            let before = is_own.len();
            for &instruction in &instructions {
                let depends = || instruction.operands().iter().any(|o| is_own.contains(o));
                if has_effects(instruction) || depends() {
                    is_own.insert(instruction);
                }
            }
            if is_own.len() == before {
                break;
            }
        }
        let inside: HashSet<Block> = rows.blocks.iter().copied().collect();
        let stays = |value: &Value| {
            let users = value.users();
            users.iter().all(|user| inside.contains(&user.block()))
        };
        let mut own = Vec::new();
        for &instruction in &instructions {
            if !is_own.contains(&instruction) || instruction == rows.counter {
                continue;
            }
            if instruction.is_terminator() {
                if instruction.block() != rows.latch {
                    return None;
                }
                continue;
            }
            if !stays(&instruction) {
                return None;
            }
            own.push(instruction);
        }
        Some(Self {
            rows,
            count,
            own,
            is_own,
        })
    }

    /// How many rows are best run side by side; none if one at a time is as good.
    fn worthwhile(&self, vectors: VectorUnit, layout: DataLayout) -> Option<u64> {
        let shared_loads = self
            .rows
            .blocks
            .iter()
            .flat_map(|block| block.instructions())
            .filter(|i| i.is(Opcode::LLVMLoad) && i.ty().is_vector() && !self.is_own.contains(i))
            .count();
        let in_a_loop = |value: &Value| {
            value.is(Opcode::LLVMPHI)
                && value.ty().is_vector()
                && value.block() != self.rows.header
                && value
                    .incoming()
                    .iter()
                    .any(|(_, from)| *from == value.block())
        };
        let carries = self.own.iter().any(in_a_loop);
        if shared_loads == 0 && !carries {
            return None;
        }
        [4, 2].into_iter().find(|&side_by_side| {
            self.count.is_multiple_of(side_by_side)
                && self.own.len() * side_by_side as usize <= LARGEST
                && self.registers(side_by_side, vectors, layout) <= f64::from(vectors.registers)
        })
    }

    /// Vector registers that are needed at once in the loop of one block that needs most.
    fn registers(&self, side_by_side: u64, vectors: VectorUnit, layout: DataLayout) -> f64 {
        let size = |value: Value| {
            let registers = cost::vector_registers(value, vectors, layout);
            let rows = if self.is_own.contains(&value) {
                side_by_side
            } else {
                1
            };
            registers * rows as f64
        };
        let blocks = self.rows.blocks.iter();
        blocks
            .filter(|block| block.successors().contains(block))
            .map(|block| cost::needed_at_once(*block, size))
            .fold(0.0, f64::max)
    }

    /// Runs that many rows in each round; it divides their number.
    fn join(&self, side_by_side: u64) {
        let rows = self.rows;
        let builder = Builder::new(rows.header.function().ty().context());
        let first = rows.header.first_after_phis();
        let mut copies: Vec<HashMap<Value, Value>> = Vec::new();
        for row in 1..side_by_side {
            let mut of_row = HashMap::new();
            builder.before(first);
            let number = rows.counter.ty().constant(row);
            of_row.insert(rows.counter, builder.add(rows.counter, number).no_wrap());
            for &array in &rows.private {
                let copy = array.clone_instruction();
                builder.before(array);
                builder.insert(copy);
                of_row.insert(array, copy);
            }
            copies.push(of_row);
        }
        for &instruction in &self.own {
            let next = instruction.next_instruction().expect("it is no terminator");
            builder.before(next);
            for of_row in &mut copies {
                let copy = instruction.clone_instruction();
                builder.insert(copy);
                of_row.insert(instruction, copy);
            }
        }
        for of_row in &copies {
            for instruction in &self.own {
                let copy = of_row[instruction];
                for (index, operand) in instruction.operands().into_iter().enumerate() {
                    if let Some(mapped) = of_row.get(&operand) {
                        copy.set_operand(index as u32, *mapped);
                    }
                }
            }
        }
        let terminator = rows.latch.terminator();
        builder.before(terminator);
        let ty = rows.counter.ty();
        let next = builder
            .add(rows.counter, ty.constant(side_by_side))
            .no_wrap();
        let goes_on = terminator.successors()[0] == rows.header;
        let predicate = if goes_on { LLVMIntULT } else { LLVMIntUGE };
        let condition = builder.compare(predicate, next, ty.constant(self.count));
        terminator.set_operand(0, condition);
        for (index, (_, from)) in rows.counter.incoming().into_iter().enumerate() {
            if from == rows.latch {
                rows.counter.set_operand(index as u32, next);
            }
        }
    }
}

/// Whether an instruction does something each time it is run.
fn has_effects(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => true,
        Opcode::LLVMCall => !instruction.is_computing_call(),
        Opcode::LLVMLoad | Opcode::LLVMStore => {
            instruction.is_volatile() || instruction.is_atomic()
        }
        _ => false,
    }
}
