//! Loops over a window around each work-item that bounds cut off: `for (i = max(x - r, 0); i <= min(x + r, width - 1); i++)`.
//!
//! Lanes start such a loop at different numbers where a bound cuts their windows off, and leave it at different times. It becomes
//! a loop over the whole window, which all lanes start and leave together, and in which a lane waits where a number of its window
//! is cut off. What is cut off of the windows of all work-items of a row is left out.

use super::guard_versions;
use super::loop_body::LoopBody;
use super::plan::VectorPlan;
use super::private_arrays;
use super::vector_unit::VectorUnit;
use super::work_item_loop::{self, WorkItemLoop};
use crate::analysis::branch_comparison::BranchComparison;
use crate::analysis::effects::is_pure;
use crate::analysis::integer_range::Bound;
use crate::ir::{Block, Builder, DataLayout, Opcode, Type, Value};
use crate::work_items::loop_descriptor::LoopKind;
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

/// Most instructions of an iteration.
const MAX_INSTRUCTIONS: usize = 100;

/// Rewrites such loops of a function that `PREPARE` has been run on, and returns whether there are any: their loops are not in
/// simplified form. Loops of the simulated machine's code stay as they are.
pub fn run(function: Value, lanes: u32, vectors: VectorUnit) -> bool {
    if vectors.timed {
        return false;
    }
    let layout = DataLayout::of_function(function);
    let b = Builder::new(function.ty().context());
    let mut any = false;
    for (_, found) in work_item_loop::find(function, LoopKind::WorkItems) {
        let Ok(work_items) = found else {
            continue;
        };
        let Ok(body) = LoopBody::new(&work_items) else {
            continue;
        };
        let arrays = private_arrays::layouts(&work_items, lanes, layout);
        let plan = guard_versions::plan(function, &body, lanes, vectors, &arrays);
        let loops = 0..body.cfg.loops.len();
        let windows: Vec<WindowLoop> = loops
            .filter_map(|number| WindowLoop::recognize(&plan, number))
            .collect();
        any |= !windows.is_empty();
        windows
            .iter()
            .for_each(|window| window.rewrite(&work_items, &b));
    }
    any
}

/// The first or the last number of a window.
#[derive(Clone, Copy)]
struct End {
    /// Where nothing is cut off.
    whole: Value,
    /// What cuts it off.
    bound: Option<Value>,
}

/// A loop of one block.
struct WindowLoop {
    block: Block,
    preheader: Block,
    exit: Block,
    counter: Value,
    /// Where a work-item starts, before its extension to the counter's type.
    start: Value,
    first: End,
    /// The limit of the loop is that much more than the last number.
    last: End,
    limit: Value,
    behind: i64,
    /// By how much the windows of neighbouring work-items differ.
    step: i64,
    /// The φs but for the counter, each with its next value.
    carried: Vec<(Value, Value)>,
}

impl WindowLoop {
    fn recognize(plan: &VectorPlan<'_>, number: usize) -> Option<Self> {
        let (cfg, blocks) = (plan.cfg(), plan.blocks());
        let l = &cfg.loops[number];
        let (&[preheader], &[(_, exit)]) =
            (cfg.predecessors[l.header].as_slice(), l.exits.as_slice())
        else {
            return None;
        };
        let block = blocks[l.header];
        let is_single = l.header == l.latch && cfg.successors[preheader] == [l.header];
        if !is_single || !plan.divergence().divergent_loops[number] {
            return None;
        }
        let (counter, limit, behind) = counted(block)?;
        let start = counter.incoming_from(blocks[preheader])?;
        let start = unextended(start);
        let (limit, behind) = without_constant(limit, behind);
        let first = end(plan, start, Bound::Most)?;
        let last = end(plan, limit, Bound::Least)?;
        if start.ty() != limit.ty() {
            return None;
        }
        let step = plan.shape(first.whole).step()?;
        let is_cut_off = first.bound.is_some() || last.bound.is_some();
        if step < 1 || plan.shape(last.whole).step() != Some(step) || !is_cut_off {
            return None;
        }
        let phis = block.phis().into_iter().filter(|phi| *phi != counter);
        let carried = phis.map(|phi| Some((phi, phi.incoming_from(block)?)));
        let window = Self {
            block,
            preheader: blocks[preheader],
            exit: blocks[exit],
            counter,
            start,
            first,
            last,
            limit,
            behind,
            step,
            carried: carried.collect::<Option<_>>()?,
        };
        let instructions = block.instructions();
        let is_fit = |of: &Value| window.may_be_masked(*of) && window.leaves_by_phi(*of);
        let gathers = |of: &Value| of.is(Opcode::LLVMLoad) && !plan.shape(*of).is_uniform();
        (instructions.len() <= MAX_INSTRUCTIONS
            && instructions.iter().all(is_fit)
            && instructions.iter().any(gathers))
        .then_some(window)
    }

    fn may_be_masked(&self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => {
                !instruction.is_volatile() && !instruction.is_atomic()
            }
            Opcode::LLVMPHI | Opcode::LLVMBr => true,
            _ => is_pure(instruction),
        }
    }

    /// Whether all that is used behind the loop is a next value of a φ.
    fn leaves_by_phi(&self, instruction: Value) -> bool {
        let is_next = self.carried.iter().any(|(_, next)| *next == instruction);
        let mut users = instruction.users().into_iter();
        users.all(|user| {
            user.block() == self.block
                || is_next && user.is(Opcode::LLVMPHI) && user.block() == self.exit
        })
    }

    /// Makes it a loop over the whole window.
    fn rewrite(&self, work_items: &WorkItemLoop, b: &Builder) {
        let range = Range::write(self, work_items, b);
        let header = self.block.insert_before("window");
        let latch = self.exit.insert_before("window.next");
        self.preheader.terminator().set_successor(0, header);
        b.at_end(header);
        let number = b.phi(b.i64(), "");
        let phis: Vec<Value> = self
            .carried
            .iter()
            .map(|(phi, _)| b.phi(phi.ty(), ""))
            .collect();
        let place = b.resize(number, self.start.ty());
        let is_behind_start = b.compare(LLVMIntUGE, place, range.start);
        let is_before_end = b.compare(LLVMIntULE, place, range.end);
        let is_inside = b.and(is_behind_start, is_before_end);
        b.branch_if(is_inside, self.block, latch);
        b.before(self.block.first_after_phis());
        // Extended where it becomes an address, so that this is known to be of consecutive elements.
        let counter = b.add(self.first.whole, place);
        let counter = extended(counter, self.counter.ty(), b);
        let starts: Vec<Option<Value>> = self
            .carried
            .iter()
            .map(|(phi, _)| phi.incoming_from(self.preheader))
            .collect();
        self.counter.replace_all_uses_with(counter);
        for ((phi, _), new) in self.carried.iter().zip(&phis) {
            phi.replace_all_uses_with(*new);
        }
        // The φs' next values may be φs themselves.
        let replaced: HashMap<Value, Value> = self
            .carried
            .iter()
            .map(|(phi, _)| *phi)
            .zip(phis.iter().copied())
            .chain([(self.counter, counter)])
            .collect();
        b.at_end(latch);
        let mut joined = Vec::new();
        for ((_, next), phi) in self.carried.iter().zip(&phis) {
            let next = replaced.get(next).copied().unwrap_or(*next);
            let both = b.phi(phi.ty(), "");
            both.add_incoming(*phi, header);
            both.add_incoming(next, self.block);
            joined.push((next, both));
        }
        let next_number = b.add(number, b.i64().constant(1));
        let is_left = b.compare(LLVMIntSLE, next_number, range.most);
        b.branch_if(is_left, header, self.exit);
        number.add_incoming(range.least, self.preheader);
        number.add_incoming(next_number, latch);
        for ((phi, start), (_, both)) in phis.iter().zip(starts).zip(&joined) {
            phi.add_incoming(
                start.expect("a φ has a value for each predecessor"),
                self.preheader,
            );
            phi.add_incoming(*both, latch);
        }
        for phi in self.exit.phis() {
            b.before(phi);
            let again = b.phi(phi.ty(), "");
            for (value, from) in phi.incoming() {
                let both = joined.iter().find(|(next, _)| *next == value);
                match from == self.block {
                    true => again.add_incoming(both.map_or(value, |(_, both)| *both), latch),
                    false => again.add_incoming(value, from),
                }
            }
            phi.replace_all_uses_with(again);
            phi.erase();
        }
        let branch = self.block.terminator();
        b.before(branch);
        b.branch(latch);
        branch.erase();
        for phi in self.block.phis() {
            phi.erase();
        }
    }
}

/// The places of a window, from 0 on.
struct Range {
    /// The first and the last one that are not cut off of a work-item's window, without sign.
    start: Value,
    end: Value,
    /// The first and the last one that are in the window of some work-item of the row.
    least: Value,
    most: Value,
}

impl Range {
    /// Computes the places before the loop.
    fn write(of: &WindowLoop, work_items: &WorkItemLoop, b: &Builder) -> Self {
        b.before(of.preheader.terminator());
        let (first, last, ty) = (of.first.whole, of.last.whole, of.start.ty());
        let sub = |x, y| b.binary(Opcode::LLVMSub, x, y);
        let behind = ty.constant(of.behind as u64);
        let start = sub(of.start, first);
        let end = sub(sub(of.limit, behind), first);
        let whole = b.resize(sub(sub(last, behind), first), b.i64());
        // What lanes have in common is computed by numbers of the ids' size, in which it is the same also where these wrap.
        let step = ty.constant(of.step as u64);
        let of_row = b.multiply(b.resize(work_items.induction, ty), step);
        let wide = |value| extended(value, b.i64(), b);
        let first_of_row = wide(sub(first, of_row));
        let items = b.resize(work_items.trip_count, b.i64());
        let items = sub(items, b.i64().constant(1));
        let beyond = b.multiply(items, b.i64().constant(of.step as u64));
        let last_of_row = b.add(first_of_row, beyond);
        // Numbers that change their sign within the row are in no order.
        let largest = b.i64().constant(u64::MAX >> (65 - ty.integer_bits()));
        let is_row = b.compare(LLVMIntSLE, last_of_row, largest);
        let zero = b.i64().constant(0);
        let least = of.first.bound.map_or(zero, |bound| {
            let cut = sub(wide(bound), last_of_row);
            let cut = b.select(b.compare(LLVMIntSGT, cut, zero), cut, zero);
            b.select(is_row, cut, zero)
        });
        let most = of.last.bound.map_or(whole, |bound| {
            let cut = sub(sub(wide(bound), wide(behind)), first_of_row);
            let cut = b.select(b.compare(LLVMIntSLT, cut, whole), cut, whole);
            b.select(is_row, cut, whole)
        });
        Self {
            start,
            end,
            least,
            most,
        }
    }
}

/// A number before its extension, if that keeps it as a signed one.
fn unextended(value: Value) -> Value {
    let opcode = value.is_instruction().then(|| value.opcode());
    match opcode {
        Some(Opcode::LLVMSExt) => value.operand(0),
        Some(Opcode::LLVMZExt) if value.is_of_not_negative() => value.operand(0),
        _ => value,
    }
}

/// A limit without a constant that is added, and by how much it is more than the last number then.
fn without_constant(limit: Value, behind: i64) -> (Value, i64) {
    let extended = unextended(limit);
    let is_sum = extended.is_instruction()
        && extended.is(Opcode::LLVMAdd)
        && (extended == limit || extended.has_no_signed_wrap());
    let addend = is_sum.then(|| extended.operand(1).as_signed_integer());
    match addend.flatten() {
        Some(1) if behind == 1 => (unextended(extended.operand(0)), 0),
        _ => (extended, behind),
    }
}

/// The counter of a loop of one block that counts up by 1, its limit, and by how much that is more than the last number.
fn counted(block: Block) -> Option<(Value, Value, i64)> {
    let is_outside = |value: Value| !value.is_instruction() || value.block() != block;
    let comparison = BranchComparison::towards(block.terminator(), block)?;
    let comparison = match is_outside(comparison.right) {
        true => comparison,
        false => comparison.swapped(),
    };
    let (compared, limit) = (comparison.left, comparison.right);
    let behind = match comparison.predicate {
        LLVMIntSLE => 0,
        LLVMIntSLT | LLVMIntNE => 1,
        _ => return None,
    };
    let counts = |(phi, next): &(Value, Value)| {
        next.is_instruction()
            && next.is(Opcode::LLVMAdd)
            && next.operand(0) == *phi
            && next.operand(1).as_signed_integer() == Some(1)
            && (compared == *phi || compared == *next)
    };
    let phis = block.phis().into_iter();
    let mut numbers = phis.filter_map(|phi| Some((phi, phi.incoming_from(block)?)));
    let (counter, _) = numbers.find(counts)?;
    let behind = behind - i64::from(compared == counter);
    is_outside(limit).then_some((counter, limit, behind))
}

/// A signed number with the bits of a type.
fn extended(value: Value, ty: Type, b: &Builder) -> Value {
    match value.ty() == ty {
        true => value,
        false => b.sign_extend(value, ty),
    }
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
    let is_bound = value.is_instruction()
        && value.is(Opcode::LLVMCall)
        && Bound::recognize(value) == Some(bound);
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
