//! Turns loops that all work-items run alike inside out: the loop over the work-items
//! goes into the loop of the kernel, so that the innermost loop is the one over the
//! work-items, which LLVM can make vectors of.
//!
//! To do so such a loop is cut: before its body, after it, and where it is left. What
//! decides how often it runs is done once for the group, between the cuts. Values that
//! the work-items carry from one iteration to the next get slots.

use super::control_flow::{ControlFlow, Loop};
use super::cross_barrier_values::{Slot, place_name};
use super::uniformity::{Uniformity, only_computes};
use crate::intrinsics::{BARRIER, ONCE, is_done_by_the_group};
use crate::ir::{self, Block, Builder, DataLayout, Opcode, Type, Value};
use llvm_sys::prelude::LLVMModuleRef;
use std::collections::{HashMap, HashSet};

/// Loops with a constant number of iterations are left to be unrolled if they have no
/// more instructions than this when unrolled.
const UNROLLED: u64 = 500;

/// Bytes each work-item may carry from iteration to iteration; more would cost more to
/// keep than vectors gain.
const CARRIED: u64 = 256;

/// Most instructions that are done once for the group to decide on the next iteration.
const DONE_AGAIN: usize = 64;

/// Kernels with more blocks are left as they are: the analyses take the square of that.
const LARGEST_KERNEL: usize = 2000;

/// What the cut loops use.
#[derive(Default)]
pub struct Interchanged {
    /// Places of each work-item.
    pub slots: Vec<Slot>,
    /// Places of the group, written once per iteration.
    pub shared: Vec<Value>,
    /// How many loops were cut.
    pub loops: usize,
}

/// Cuts the loops that are worth it.
pub fn run(module: LLVMModuleRef, kernel: Value) -> Interchanged {
    let mut result = Interchanged::default();
    if kernel.blocks().len() > LARGEST_KERNEL {
        return result;
    }
    let flow = ControlFlow::of(kernel);
    let loops = flow.loops();
    if loops.is_empty() {
        return result;
    }
    let uniformity = Uniformity::find(kernel, &flow);
    let layout = DataLayout::of(module);
    let qualified: Vec<&Loop> = loops
        .iter()
        .filter(|l| qualifies(l, &uniformity, &layout))
        .collect();
    // All loops around a loop must be cut with it: a cut within them is one for them.
    let whole_nest = |l: &Loop| {
        let around = qualified
            .iter()
            .filter(|other| other.blocks.contains(&l.header))
            .max_by_key(|other| other.blocks.len());
        around.is_some_and(|outermost| !flow.is_in_a_cycle(outermost.preheader))
    };
    let wanted: Vec<&Loop> = qualified
        .iter()
        .copied()
        .filter(|l| is_worth_it(l, &loops) && whole_nest(l))
        .collect();
    let to_cut: Vec<&Loop> = qualified
        .iter()
        .copied()
        .filter(|l| wanted.iter().any(|w| l.blocks.contains(&w.header)))
        .collect();
    let builder = Builder::new(kernel.ty().context());
    let cutter = Cutter {
        barrier: declared(module, &builder, BARRIER),
        once: declared(module, &builder, ONCE),
        entry: kernel.entry_block(),
        builder,
        layout,
    };
    for l in to_cut {
        cutter.cut(l, &uniformity, &mut result);
        result.loops += 1;
    }
    result
}

fn declared(module: LLVMModuleRef, builder: &Builder, name: &str) -> Value {
    ir::function(module, name).unwrap_or_else(|| {
        let ty = Type::function(Type::void(builder.context), &[]);
        ir::add_function(module, name, ty)
    })
}

fn phis(block: Block) -> Vec<Value> {
    let mut instructions = block.instructions();
    instructions.retain(|i| i.opcode() == Opcode::LLVMPHI);
    instructions
}

fn incoming(phi: Value, from: Block) -> Value {
    phi.incoming()
        .into_iter()
        .find(|(_, block)| *block == from)
        .map(|(value, _)| value)
        .expect("the loop is entered from preheader and latch")
}

/// Whether the loop can be cut: all work-items run it equally often, and how often can
/// be found out once for all.
fn qualifies(l: &Loop, uniformity: &Uniformity, layout: &DataLayout) -> bool {
    let branch = l.latch.terminator();
    if !uniformity.is_run_by_all(l.preheader)
        || !uniformity.is_run_by_all(l.latch)
        || branch.opcode() != Opcode::LLVMBr
        || !uniformity.is_uniform(branch)
        || !can_be_done_again(branch.operand(0), l, uniformity)
    {
        return false;
    }
    let mut carried = 0;
    for phi in phis(l.header) {
        if uniformity.is_uniform(phi) {
            if !can_be_done_again(incoming(phi, l.latch), l, uniformity) {
                return false;
            }
        } else {
            carried += layout.size(phi.ty());
        }
    }
    carried <= CARRIED
}

/// Whether a value can be computed again, in few instructions, from the loop's uniform
/// φs and from what lies outside the loop.
fn can_be_done_again(value: Value, l: &Loop, uniformity: &Uniformity) -> bool {
    let mut needed = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || !l.blocks.contains(&value.block()) || !needed.insert(value) {
            continue;
        }
        let is_counter = value.opcode() == Opcode::LLVMPHI && value.block() == l.header;
        if !uniformity.is_uniform(value)
            || !(is_counter || only_computes(value.opcode()))
            || needed.len() > DONE_AGAIN
        {
            return false;
        }
        if !is_counter {
            pending.extend(value.operands());
        }
    }
    true
}

/// Loops with cuts in them anyway, and innermost loops that will not be unrolled.
fn is_worth_it(l: &Loop, loops: &[Loop]) -> bool {
    let instructions: Vec<Value> = l
        .blocks
        .iter()
        .flat_map(|block| block.instructions())
        .collect();
    if instructions
        .iter()
        .any(|i| i.calls(BARRIER) || is_done_by_the_group(*i))
    {
        return true;
    }
    let innermost = !loops
        .iter()
        .any(|other| other.header != l.header && l.blocks.contains(&other.header));
    // Calls of functions outside are not made vectors of.
    let calls = instructions.iter().any(|i| {
        i.called_function()
            .is_some_and(|f| !f.name().starts_with("llvm.") && !f.name().starts_with("__mocl3_"))
    });
    let unrolled = iterations(l)
        .and_then(|count| count.checked_mul(instructions.len() as u64))
        .is_some_and(|total| total <= UNROLLED);
    innermost && !calls && !unrolled
}

/// The number of iterations, if it is plain to see.
fn iterations(l: &Loop) -> Option<u64> {
    let comparison = l.latch.terminator().operand(0);
    if !comparison.is(Opcode::LLVMICmp) {
        return None;
    }
    let limit = comparison.operand(1).as_integer()?;
    let counted = comparison.operand(0);
    phis(l.header).into_iter().find_map(|phi| {
        let next = incoming(phi, l.latch);
        if counted != next && counted != phi {
            return None;
        }
        let first = incoming(phi, l.preheader).as_integer()?;
        let step = next
            .is(Opcode::LLVMAdd)
            .then(|| next.operand(1).as_integer())??;
        Some(limit.wrapping_sub(first).checked_div(step)?.max(1))
    })
}

struct Cutter {
    builder: Builder,
    layout: DataLayout,
    barrier: Value,
    once: Value,
    entry: Block,
}

impl Cutter {
    fn place(&self, ty: Type, name: &str) -> Value {
        self.builder.before(self.entry.instructions()[0]);
        self.builder.alloca(ty, name)
    }

    fn cut(&self, l: &Loop, uniformity: &Uniformity, result: &mut Interchanged) {
        let b = &self.builder;
        // The exit is entered from the latch only: its φs are names for values.
        for phi in phis(l.exit) {
            phi.replace_all_uses_with(incoming(phi, l.latch));
            phi.erase();
        }
        let phis = phis(l.header);
        let (uniform, varying): (Vec<Value>, Vec<Value>) =
            phis.iter().partition(|phi| uniformity.is_uniform(**phi));

        // Each work-item's part, before the cuts.
        for &phi in &varying {
            let ty = phi.ty();
            let alloca = self.place(ty, &place_name("carried", phi));
            let alignment = self.layout.alignment(ty);
            for from in [l.preheader, l.latch] {
                b.before(from.terminator());
                b.store(incoming(phi, from), alloca, alignment);
            }
            result.slots.push(Slot {
                alloca,
                ty,
                uniform: false,
            });
        }
        // The group's part, between the cuts.
        let places: Vec<(Value, Value)> = uniform
            .iter()
            .map(|&phi| (phi, self.place(phi.ty(), &place_name("shared", phi))))
            .collect();
        result.shared.extend(places.iter().map(|(_, place)| place));
        for from in [l.preheader, l.latch] {
            b.before(from.terminator());
            b.call(self.barrier, &[]);
            b.call(self.once, &[]);
        }
        b.before(l.preheader.terminator());
        for &(phi, place) in &places {
            let first = incoming(phi, l.preheader);
            b.store(first, place, self.layout.alignment(phi.ty()));
        }
        let mut again = HashMap::new();
        for &(phi, place) in &places {
            b.before(l.latch.terminator());
            let now = b.load(phi.ty(), place, self.layout.alignment(phi.ty()));
            again.insert(phi, now);
        }
        let nexts: Vec<(Value, Value)> = places
            .iter()
            .map(|&(phi, place)| {
                let next = self.again(incoming(phi, l.latch), l, &mut again);
                (next, place)
            })
            .collect();
        let condition = self.again(l.latch.terminator().operand(0), l, &mut again);
        l.latch.terminator().set_operand(0, condition);
        b.before(l.latch.terminator());
        for (next, place) in nexts {
            b.store(next, place, self.layout.alignment(next.ty()));
        }

        // The φs give way to loads.
        let kept: HashSet<Value> = again.values().copied().collect();
        for &(phi, place) in &places {
            let alignment = self.layout.alignment(phi.ty());
            let load = |before: Value| {
                b.before(before);
                b.load(phi.ty(), place, alignment)
            };
            let at_header = load(l.header.first_after_phis());
            for user in phi.users() {
                if phis.contains(&user) || kept.contains(&user) {
                    continue;
                }
                let inside = l.blocks.contains(&user.block()) && user.opcode() != Opcode::LLVMPHI;
                // Inside the loop the place holds the value until the last cut.
                let value = if inside { load(user) } else { at_header };
                for (index, operand) in user.operands().into_iter().enumerate() {
                    if operand == phi {
                        user.set_operand(index as u32, value);
                    }
                }
            }
            phi.replace_all_uses_with(at_header);
        }
        for (phi, slot) in varying
            .iter()
            .zip(&result.slots[result.slots.len() - varying.len()..])
        {
            b.before(l.header.first_after_phis());
            let load = b.load(phi.ty(), slot.alloca, self.layout.alignment(phi.ty()));
            phi.replace_all_uses_with(load);
        }
        for phi in phis {
            phi.erase();
        }
        b.before(l.header.instructions()[0]);
        b.call(self.barrier, &[]);
        b.before(l.exit.instructions()[0]);
        b.call(self.barrier, &[]);
    }

    /// Computes `value` again before the latch's branch.
    fn again(&self, value: Value, l: &Loop, made: &mut HashMap<Value, Value>) -> Value {
        if let Some(&made) = made.get(&value) {
            return made;
        }
        if !value.is_instruction() || !l.blocks.contains(&value.block()) {
            return value;
        }
        let copy = value.clone_instruction();
        for (index, operand) in value.operands().into_iter().enumerate() {
            let operand = self.again(operand, l, made);
            copy.set_operand(index as u32, operand);
        }
        self.builder.before(l.latch.terminator());
        self.builder.insert(copy);
        made.insert(value, copy);
        copy
    }
}
