//! Loops that lanes start or leave at different numbers, which are windows of one width.

use crate::analysis::branch_comparison::BranchComparison;
use crate::analysis::effects::is_pure;
use crate::analysis::integer_range::Bound;
use crate::ir::{Block, Opcode, Value};
use crate::vectorize::plan::VectorPlan;
use llvm_sys::LLVMIntPredicate::*;

/// Most instructions of an iteration.
const MAX_INSTRUCTIONS: usize = 300;

/// The first or the last number of a window.
#[derive(Clone, Copy)]
pub struct End {
    /// Where nothing is cut off.
    pub whole: Value,
    /// What cuts it off.
    pub bound: Option<Value>,
}

/// A loop that counts up by 1, and is left from its latch only.
pub struct WindowLoop {
    pub blocks: Vec<Block>,
    pub preheader: Block,
    pub exit: Block,
    pub counter: Value,
    /// Where a work-item starts, before its extension to the counter's type.
    pub start: Value,
    /// What the loop compares its counter with, before its extension. No work-item that enters the loop starts behind its last number.
    pub limit: Value,
    /// The limit is that much more than the last number.
    pub behind: i64,
    pub first: End,
    pub last: End,
    /// By how much the windows of neighbouring work-items differ.
    pub step: i64,
    /// The φs of the header but for the counter, each with its next value.
    pub carried: Vec<(Value, Value)>,
}

impl WindowLoop {
    /// The loop of this number, if it is one.
    pub fn recognize(plan: &VectorPlan<'_>, number: usize) -> Option<Self> {
        let (cfg, blocks) = (plan.cfg(), plan.blocks());
        let l = &cfg.loops[number];
        let (&[preheader], &[(last, exit)]) =
            (cfg.predecessors[l.header].as_slice(), l.exits.as_slice())
        else {
            return None;
        };
        let is_counted = last == l.latch && cfg.successors[preheader] == [l.header];
        if !is_counted || !plan.divergence().divergent_loops[number] {
            return None;
        }
        let Counter {
            counter,
            limit,
            behind,
        } = Counter::find(&blocks[l.header..=l.latch])?;
        let start_extended = counter.incoming_from(blocks[preheader])?;
        let start = unextended(start_extended);
        // A limit that is more than a number which is not negative is not negative.
        let is_not_negative =
            start != start_extended && is_instruction(start_extended, Opcode::LLVMZExt);
        let narrow = match is_not_negative && is_instruction(limit, Opcode::LLVMZExt) {
            true => limit.operand(0),
            false => unextended(limit),
        };
        let (limit, behind) = match is_entered_below(plan, preheader, start, narrow, behind) {
            true => (narrow, behind),
            false => without_constant(limit, behind)
                .filter(|(limit, _)| is_entered_below(plan, preheader, start, *limit, 0))?,
        };
        let first = end(plan, start, Bound::Most)?;
        let last = end(plan, limit, Bound::Least)?;
        let step = plan.shape(first.whole).step()?;
        let is_cut_off = first.bound.is_some() || last.bound.is_some();
        if step < 1 || plan.shape(last.whole).step() != Some(step) || !is_cut_off {
            return None;
        }
        let latch = blocks[l.latch];
        let phis = blocks[l.header].phis().into_iter();
        let carried = phis
            .filter(|phi| *phi != counter)
            .map(|phi| Some((phi, phi.incoming_from(latch)?)));
        let window = Self {
            blocks: blocks[l.header..=l.latch].to_vec(),
            preheader: blocks[preheader],
            exit: blocks[exit],
            counter,
            start,
            limit,
            behind,
            first,
            last,
            step,
            carried: carried.collect::<Option<_>>()?,
        };
        window.is_rewritable(plan).then_some(window)
    }

    /// Whether another loop contains this one.
    pub fn is_inside(&self, other: &Self) -> bool {
        other.blocks.contains(&self.preheader)
    }

    /// Whether lanes may wait in an iteration, and what it loads is worth it.
    fn is_rewritable(&self, plan: &VectorPlan<'_>) -> bool {
        let instructions: Vec<Value> = self
            .blocks
            .iter()
            .flat_map(|of| of.instructions())
            .collect();
        let gathers = |of: &Value| of.is(Opcode::LLVMLoad) && !plan.shape(*of).is_uniform();
        instructions.len() <= MAX_INSTRUCTIONS
            && instructions
                .iter()
                .all(|of| may_be_masked(*of) && self.leaves_by_phi(*of))
            && instructions.iter().any(gathers)
    }

    /// Whether all that is used behind the loop is a next value of a φ.
    fn leaves_by_phi(&self, instruction: Value) -> bool {
        let is_next = self.carried.iter().any(|(_, next)| *next == instruction);
        instruction.users().into_iter().all(|user| {
            self.blocks.contains(&user.block())
                || is_next && user.is(Opcode::LLVMPHI) && user.block() == self.exit
        })
    }
}

fn may_be_masked(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMStore => {
            !instruction.is_volatile() && !instruction.is_atomic()
        }
        Opcode::LLVMPHI | Opcode::LLVMBr => true,
        _ => is_pure(instruction),
    }
}

fn is_instruction(value: Value, opcode: Opcode) -> bool {
    value.is_instruction() && value.is(opcode)
}

/// What a loop counts, and its limit, which is `behind` more than the last number.
struct Counter {
    counter: Value,
    limit: Value,
    behind: i64,
}

impl Counter {
    /// That of a loop of these blocks, the header first and the latch last, which counts up by 1.
    fn find(blocks: &[Block]) -> Option<Self> {
        let (&header, &latch) = (blocks.first()?, blocks.last()?);
        let is_outside = |value: Value| !value.is_instruction() || !blocks.contains(&value.block());
        let comparison = BranchComparison::towards(latch.terminator(), header)?;
        let comparison = match is_outside(comparison.right) {
            true => comparison,
            false => comparison.swapped(),
        };
        let (compared, limit) = (not_truncated(comparison.left), comparison.right);
        let behind = match comparison.predicate {
            LLVMIntSLE => 0,
            LLVMIntSLT | LLVMIntNE => 1,
            _ => return None,
        };
        let counts = |(phi, next): &(Value, Value)| {
            is_instruction(*next, Opcode::LLVMAdd)
                && next.operand(0) == *phi
                && next.operand(1).as_signed_integer() == Some(1)
                && (compared == *phi || compared == *next)
        };
        let phis = header.phis().into_iter();
        let mut numbers = phis.filter_map(|phi| Some((phi, phi.incoming_from(latch)?)));
        let (counter, _) = numbers.find(counts)?;
        is_outside(limit).then_some(Self {
            counter,
            limit,
            behind: behind - i64::from(compared == counter),
        })
    }
}

/// A number before its extension, if that keeps it as a signed one.
fn unextended(value: Value) -> Value {
    let is_signed = is_instruction(value, Opcode::LLVMSExt)
        || is_instruction(value, Opcode::LLVMZExt) && value.is_of_not_negative();
    if is_signed { value.operand(0) } else { value }
}

/// A number of more bits, if a value is that cut down to its bits.
fn not_truncated(value: Value) -> Value {
    match is_instruction(value, Opcode::LLVMTrunc) {
        true => value.operand(0),
        false => value,
    }
}

/// Whether the conditions that lead to a loop say that it has an iteration: that its start is below its limit, or at most that
/// where `behind` is less than 1.
fn is_entered_below(
    plan: &VectorPlan<'_>,
    preheader: usize,
    start: Value,
    limit: Value,
    behind: i64,
) -> bool {
    let (cfg, blocks) = (plan.cfg(), plan.blocks());
    let says = |number: usize| {
        let &[guard] = cfg.predecessors[number].as_slice() else {
            return false;
        };
        let comparison = BranchComparison::towards(blocks[guard].terminator(), blocks[number]);
        comparison.is_some_and(|comparison| {
            [comparison, comparison.swapped()].iter().any(|it| {
                (it.left, it.right) == (start, limit)
                    && (it.predicate == LLVMIntSLT || it.predicate == LLVMIntSLE && behind < 1)
            })
        })
    };
    std::iter::successors(Some(preheader), |number| {
        Some(cfg.dominator[*number]).filter(|next| next != number)
    })
    .any(says)
}

/// A limit without 1 that is added, if it is 1 behind the last number, which it is then.
fn without_constant(limit: Value, behind: i64) -> Option<(Value, i64)> {
    let sum = unextended(limit);
    let is_sum = is_instruction(sum, Opcode::LLVMAdd)
        && (sum == limit || sum.has_no_signed_wrap())
        && sum.operand(1).as_signed_integer() == Some(1)
        && behind == 1;
    is_sum.then(|| (unextended(sum.operand(0)), 0))
}

/// What an end of a window is, if lanes have different ones, of which `bound` cuts some off.
fn end(plan: &VectorPlan<'_>, value: Value, bound: Bound) -> Option<End> {
    let is_strided = |of: Value| {
        let shape = plan.shape(of);
        !shape.is_uniform() && shape.step().is_some()
    };
    if is_strided(value) {
        return Some(End {
            whole: value,
            bound: None,
        });
    }
    let is_bound =
        is_instruction(value, Opcode::LLVMCall) && Bound::recognize(value) == Some(bound);
    let operands = is_bound.then(|| [value.operand(0), value.operand(1)])?;
    let &[whole, bound] = match is_strided(operands[0]) {
        true => &operands,
        false => &[operands[1], operands[0]],
    };
    (is_strided(whole) && plan.shape(bound).is_uniform()).then_some(End {
        whole,
        bound: Some(bound),
    })
}
