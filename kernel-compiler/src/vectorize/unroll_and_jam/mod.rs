//! Unroll-and-jam of loops over rows: where all rows of a group take the same branches, an
//! iteration runs several of them. What they share is computed once, the processor has the
//! dependence chains of several rows to overlap, and the places that a lane accesses in these rows,
//! where they are neighbours, are accessed at once.

mod load_sinking;
mod row_step;
mod transposed_accesses;
mod transposition;

use crate::analysis::effects::{Effect, effect};
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use crate::vectorize::cost::register_pressure::{most_live, vector_registers};
use crate::vectorize::vector_unit::VectorUnit;
use crate::vectorize::work_item_loop::{self, WorkItemLoop};
use crate::work_items::loop_descriptor::{LoopDescriptor, LoopKind};
use llvm_sys::LLVMIntPredicate::*;
use load_sinking::sink_loads;
use row_step::RowSteps;
use std::collections::{HashMap, HashSet};
use transposed_accesses::TransposedAccess;
pub use transposition::transpose;

/// Most instructions that unrolling a loop may make.
const MAX_INSTRUCTIONS: usize = 3000;

/// A loop over rows that was unrolled and jammed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JammedLoop {
    /// Number of the vectorised loop in it, if that is known.
    pub loop_index: Option<usize>,
    /// Rows in an iteration.
    pub factor: u32,
}

/// Unrolls and jams loops over rows where that pays.
pub fn run(function: Value, vectors: VectorUnit) -> Vec<JammedLoop> {
    let layout = DataLayout::of_function(function);
    let mut jammed = Vec::new();
    for (descriptor, rows) in work_item_loop::find(function, LoopKind::Rows) {
        let Ok(rows) = rows else {
            continue;
        };
        LoopDescriptor::detach(rows.latch.terminator(), LoopKind::Rows);
        // For the host only: simulated time is validated with loads where they are, and the machine has
        // no shuffles that transpose.
        if !vectors.timed {
            rows.blocks.iter().copied().for_each(sink_loads);
        }
        let Some(mut found) = RowLoop::recognize(&rows) else {
            continue;
        };
        if !vectors.timed {
            found.find_transposed_accesses(layout);
        }
        if let Some(factor) = found.profitable_factor(vectors, layout) {
            found.jam(factor, layout);
            jammed.push(JammedLoop {
                loop_index: descriptor.vectorized_loop.map(|index| index as usize),
                factor: factor as u32,
            });
        }
    }
    jammed
}

/// Whether a loop over work-items is in one over rows that may be jammed once it is vectorised.
pub fn may_jam(function: Value, work_items: &WorkItemLoop) -> bool {
    let rows = work_item_loop::find(function, LoopKind::Rows);
    let mut rows = rows.into_iter().filter_map(|(_, rows)| rows.ok());
    rows.any(|rows| {
        rows.blocks.contains(&work_items.header)
            && RowLoop::recognize(&rows).is_some_and(|found| found.count > 1)
    })
}

/// Records in the descriptor of the loop over rows, if there is one, which vectorised loop it
/// contains; none if its rows must run one after another.
pub fn record_vectorized_loop(work_items: &WorkItemLoop, number: Option<usize>) {
    let mut seen = HashSet::new();
    let mut block = work_items.exit;
    while seen.insert(block) {
        let branch = block.terminator();
        if let Some(descriptor) = LoopDescriptor::read(branch, LoopKind::Rows) {
            match number {
                Some(number) => LoopDescriptor {
                    vectorized_loop: Some(number as u64),
                    ..descriptor
                }
                .attach(branch, LoopKind::Rows),
                None => LoopDescriptor::detach(branch, LoopKind::Rows),
            }
            return;
        }
        let [next] = block.successors()[..] else {
            return;
        };
        block = next;
    }
}

/// A loop over rows all of which take the same branches.
struct RowLoop<'a> {
    rows: &'a WorkItemLoop,
    /// Rows of the loop.
    count: u64,
    /// Instructions that each row executes for itself, in the function's order.
    row_instructions: Vec<Value>,
    /// Values that differ between rows.
    varies_by_row: HashSet<Value>,
    /// Accesses of places whose neighbours the next row accesses.
    transposed: Vec<TransposedAccess>,
}

impl<'a> RowLoop<'a> {
    /// None if rows may take different branches, or their number is not known.
    fn recognize(rows: &'a WorkItemLoop) -> Option<Self> {
        let count = rows.trip_count.as_integer()?;
        let mut varies_by_row = HashSet::from([rows.induction]);
        varies_by_row.extend(&rows.private_arrays);
        let instructions: Vec<Value> = rows.blocks.iter().flat_map(|b| b.instructions()).collect();
        loop {
            let before = varies_by_row.len();
            for &instruction in &instructions {
                let depends = || {
                    instruction
                        .operands()
                        .iter()
                        .any(|o| varies_by_row.contains(o))
                };
                if effect(instruction) == Effect::Observable || depends() {
                    varies_by_row.insert(instruction);
                }
            }
            if varies_by_row.len() == before {
                break;
            }
        }
        let inside: HashSet<Block> = rows.blocks.iter().copied().collect();
        let is_used_outside = |value: &Value| {
            let users = value.users();
            users.iter().any(|user| !inside.contains(&user.block()))
        };
        let mut row_instructions = Vec::new();
        for &instruction in &instructions {
            if !varies_by_row.contains(&instruction) || instruction == rows.induction {
                continue;
            }
            if instruction.is_terminator() {
                if instruction.block() != rows.latch {
                    return None;
                }
                continue;
            }
            if is_used_outside(&instruction) {
                return None;
            }
            row_instructions.push(instruction);
        }
        Some(Self {
            rows,
            count,
            row_instructions,
            varies_by_row,
            transposed: Vec::new(),
        })
    }

    fn find_transposed_accesses(&mut self, layout: DataLayout) {
        let steps = RowSteps {
            induction: self.rows.induction,
            varies_by_row: &self.varies_by_row,
            layout,
        };
        let is_next_to = |pointer, bytes| steps.of_address(pointer) == Some(bytes as i64);
        self.transposed = transposed_accesses::find(&self.row_instructions, layout, is_next_to);
    }

    /// How many rows an iteration should run; none if jamming them does not pay.
    fn profitable_factor(&self, vectors: VectorUnit, layout: DataLayout) -> Option<u64> {
        let shared_loads = self
            .rows
            .blocks
            .iter()
            .flat_map(|block| block.instructions())
            .filter(|i| {
                i.is(Opcode::LLVMLoad) && i.ty().is_vector() && !self.varies_by_row.contains(i)
            })
            .count();
        let is_carried = |value: &Value| {
            value.is(Opcode::LLVMPHI)
                && value.ty().is_vector()
                && value.block() != self.rows.header
                && value
                    .incoming()
                    .iter()
                    .any(|(_, from)| *from == value.block())
        };
        let has_chain = self.row_instructions.iter().any(is_carried);
        if shared_loads == 0 && !has_chain && self.transposed.is_empty() {
            return None;
        }
        [4, 2].into_iter().find(|&factor| {
            self.count.is_multiple_of(factor)
                && self.row_instructions.len() * factor as usize <= MAX_INSTRUCTIONS
                && self.registers(factor, vectors, layout) <= f64::from(vectors.registers)
        })
    }

    /// The highest register pressure of the single-block loops within, with that many rows.
    fn registers(&self, factor: u64, vectors: VectorUnit, layout: DataLayout) -> f64 {
        let size = |value: Value| {
            let registers = vector_registers(value, vectors, layout);
            let rows = if self.varies_by_row.contains(&value) {
                factor
            } else {
                1
            };
            registers * rows as f64
        };
        let blocks = self.rows.blocks.iter();
        blocks
            .filter(|block| block.successors().contains(block))
            .map(|block| most_live(*block, size))
            .fold(0.0, f64::max)
    }

    /// Runs `factor` rows in each iteration; it divides their number.
    fn jam(&self, factor: u64, layout: DataLayout) {
        let rows = self.rows;
        let builder = Builder::new(rows.header.function().ty().context());
        let first = rows.header.first_after_phis();
        let mut copies: Vec<HashMap<Value, Value>> = Vec::new();
        for row in 1..factor {
            let mut of_row = HashMap::new();
            builder.before(first);
            let number = rows.induction.ty().constant(row);
            of_row.insert(
                rows.induction,
                builder.add(rows.induction, number).no_wrap(),
            );
            for &array in &rows.private_arrays {
                let copy = array.clone_instruction();
                builder.before(array);
                builder.insert(copy);
                of_row.insert(array, copy);
            }
            copies.push(of_row);
        }
        for &instruction in &self.row_instructions {
            let next = instruction.next_instruction().expect("it is no terminator");
            builder.before(next);
            for of_row in &mut copies {
                let copy = instruction.clone_instruction();
                builder.insert(copy);
                of_row.insert(instruction, copy);
            }
        }
        for of_row in &copies {
            for instruction in &self.row_instructions {
                let copy = of_row[instruction];
                for (index, operand) in instruction.operands().into_iter().enumerate() {
                    if let Some(mapped) = of_row.get(&operand) {
                        copy.set_operand(index as u32, *mapped);
                    }
                }
            }
        }
        for access in &self.transposed {
            access.merge(&copies, layout, &builder);
        }
        let terminator = rows.latch.terminator();
        builder.before(terminator);
        let ty = rows.induction.ty();
        let next = builder.add(rows.induction, ty.constant(factor)).no_wrap();
        let continues_if_true = terminator.successors()[0] == rows.header;
        let predicate = if continues_if_true {
            LLVMIntULT
        } else {
            LLVMIntUGE
        };
        let condition = builder.compare(predicate, next, ty.constant(self.count));
        terminator.set_operand(0, condition);
        for (index, (_, from)) in rows.induction.incoming().into_iter().enumerate() {
            if from == rows.latch {
                rows.induction.set_operand(index as u32, next);
            }
        }
    }
}
