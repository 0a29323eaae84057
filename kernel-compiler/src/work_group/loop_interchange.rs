//! Loop interchange: a loop that all work-items of a group run equally often moves outside the loops
//! over the work-items, so that the innermost loop is the one over the work-items, which can be
//! vectorised.
//!
//! Barriers are inserted before the loop's body, after it, and where the loop is left, so that the
//! body becomes a region of its own. The loop's induction variables and its exit condition are
//! computed once for the group between the barriers. Values that work-items carry from one
//! iteration to the next get slots.

use super::cross_barrier_values::{Slot, slot_name};
use super::rotated_loop::RotatedLoop;
use crate::analysis::cfg::Cfg;
use crate::analysis::effects::is_cheap_and_speculatable;
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::intrinsics::{BARRIER, ONCE};
use crate::ir::{self, Block, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use std::collections::{HashMap, HashSet};

/// Bytes that a work-item may carry from iteration to iteration; more would cost more memory
/// traffic than vectors gain.
pub(super) const MAX_CARRIED_BYTES: u64 = 256;

/// Instructions that may be recomputed per iteration to decide on the next one.
const MAX_RECOMPUTED_INSTRUCTIONS: usize = 64;

/// Blocks of a kernel above which no loop is interchanged: pairs of loops are compared.
pub(super) const MAX_BLOCKS: usize = 2000;

/// What interchanged loops keep in memory.
#[derive(Default)]
pub struct Interchanged {
    /// Slots for what each work-item carries.
    pub slots: Vec<Slot>,
    /// Variables of the group, written once per iteration.
    pub shared: Vec<Value>,
    /// Number of loops interchanged.
    pub loops: usize,
}

impl Interchanged {
    /// Adds what other loops keep.
    pub fn add(&mut self, other: Self) {
        self.slots.extend(other.slots);
        self.shared.extend(other.shared);
        self.loops += other.loops;
    }
}

impl RotatedLoop {
    /// Whether a value can be recomputed, in few instructions, from the header's uniform φs and
    /// values from outside the loop.
    fn can_be_recomputed(&self, value: Value, uniformity: &Uniformity) -> bool {
        let mut needed = HashSet::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let is_inside = value.is_instruction() && self.blocks.contains(&value.block());
            if !is_inside || !needed.insert(value) {
                continue;
            }
            let is_induction = value.is(Opcode::LLVMPHI) && value.block() == self.header;
            if !uniformity.is_uniform(value)
                || !(is_induction || is_cheap_and_speculatable(value.opcode()))
                || needed.len() > MAX_RECOMPUTED_INSTRUCTIONS
            {
                return false;
            }
            if !is_induction {
                pending.extend(value.operands());
            }
        }
        true
    }

    /// Whether all work-items run the loop equally often, and the group can compute how often.
    fn is_interchangeable(&self, uniformity: &Uniformity, layout: &DataLayout) -> bool {
        let branch = self.latch.terminator();
        if !uniformity.is_run_by_all(self.preheader)
            || !uniformity.is_run_by_all(self.latch)
            || branch.opcode() != Opcode::LLVMBr
            || !uniformity.is_uniform(branch)
            || !self.can_be_recomputed(branch.operand(0), uniformity)
        {
            return false;
        }
        let phis = self.header.phis().into_iter();
        let mut shared = phis.filter(|phi| uniformity.is_uniform(*phi));
        shared.all(|phi| self.can_be_recomputed(Self::incoming(phi, self.latch), uniformity))
            && self.carried_bytes(uniformity, layout) <= MAX_CARRIED_BYTES
    }

    /// Bytes that a work-item carries from iteration to iteration.
    fn carried_bytes(&self, uniformity: &Uniformity, layout: &DataLayout) -> u64 {
        let phis = self.header.phis().into_iter();
        let carried = phis.filter(|phi| {
            !uniformity.is_uniform(*phi) && self.uniform_step(*phi, uniformity).is_none()
        });
        carried.map(|phi| layout.size(phi.ty())).sum()
    }

    /// What each iteration adds to a φ of the header, if that is the same for all work-items and known before the loop.
    fn uniform_step(&self, phi: Value, uniformity: &Uniformity) -> Option<Value> {
        let next = Self::incoming(phi, self.latch);
        if !next.is(Opcode::LLVMAdd) {
            return None;
        }
        let step = match (next.operand(0), next.operand(1)) {
            (counter, step) if counter == phi => step,
            (step, counter) if counter == phi => step,
            _ => return None,
        };
        let is_inside = step.is_instruction() && self.blocks.contains(&step.block());
        (!is_inside && uniformity.is_uniform(step)).then_some(step)
    }
}

/// Interchanges the loops of a kernel where that is possible and `is_profitable`.
pub fn run(
    module: ModuleRef,
    kernel: Value,
    is_profitable: impl Fn(&RotatedLoop, &Candidates<'_>) -> bool,
) -> Interchanged {
    let mut result = Interchanged::default();
    if kernel.blocks().len() > MAX_BLOCKS {
        return result;
    }
    let cfg = Cfg::compute(kernel);
    let loops = RotatedLoop::all(&cfg);
    if loops.is_empty() {
        return result;
    }
    let uniformity = Uniformity::find(kernel, &cfg, has_barrier);
    let builder = Builder::new(kernel.ty().context());
    let interchange = Interchange {
        barrier: declared(module, &builder, BARRIER),
        once: declared(module, &builder, ONCE),
        entry: kernel.entry_block(),
        builder,
        layout: DataLayout::of_module(module),
    };
    let candidates = Candidates {
        cfg: &cfg,
        loops: &loops,
        uniformity: &uniformity,
        layout: interchange.layout,
    };
    let chosen = candidates.whole_nests(|l| is_profitable(l, &candidates));
    for l in chosen {
        interchange.apply(l, &uniformity, &mut result);
        result.loops += 1;
    }
    result
}

/// The loops of a kernel from which those to interchange are chosen.
pub struct Candidates<'a> {
    cfg: &'a Cfg,
    loops: &'a [RotatedLoop],
    uniformity: &'a Uniformity,
    layout: DataLayout,
}

impl<'a> Candidates<'a> {
    /// Whether no other loop is in a loop.
    pub fn is_innermost(&self, l: &RotatedLoop) -> bool {
        let is_within =
            |other: &RotatedLoop| other.header != l.header && l.blocks.contains(&other.header);
        !self.loops.iter().any(is_within)
    }

    /// Bytes that a work-item keeps in memory while a loop runs: what it carries from one iteration to the next, and what it
    /// computed before and does not compute again as it does an index.
    pub fn kept_bytes(&self, l: &RotatedLoop) -> u64 {
        let is_kept = |value: &Value| {
            value.is_instruction()
                && !l.blocks.contains(&value.block())
                && !self.uniformity.is_uniform(*value)
                && (value.is(Opcode::LLVMLoad)
                    || !value.ty().is_integer() && !value.ty().is_pointer())
        };
        let instructions = l.instructions().into_iter();
        let operands = instructions.filter(|i| !i.is(Opcode::LLVMPHI));
        let operands = operands.flat_map(|instruction| instruction.operands());
        let kept: HashSet<Value> = operands.filter(is_kept).collect();
        let sizes = kept.into_iter().map(|value| self.layout.size(value.ty()));
        l.carried_bytes(self.uniformity, &self.layout) + sizes.sum::<u64>()
    }

    /// The loops to interchange. The barriers in a loop also split all loops around it: these must be
    /// interchanged with it.
    fn whole_nests(&self, is_profitable: impl Fn(&RotatedLoop) -> bool) -> Vec<&'a RotatedLoop> {
        let is_cyclic = self.cfg.graph.cyclic_nodes();
        let mut candidates: Vec<&RotatedLoop> = self.loops.iter().collect();
        candidates.retain(|l| l.is_interchangeable(self.uniformity, &self.layout));
        let is_whole_nest_interchangeable = |l: &RotatedLoop| {
            let around = candidates
                .iter()
                .filter(|other| other.blocks.contains(&l.header))
                .max_by_key(|other| other.blocks.len());
            around.is_some_and(|outermost| !is_cyclic[self.cfg.number(outermost.preheader)])
        };
        let mut profitable = candidates.clone();
        profitable.retain(|l| is_profitable(l) && is_whole_nest_interchangeable(l));
        candidates.retain(|l| profitable.iter().any(|p| l.blocks.contains(&p.header)));
        candidates
    }
}

/// Declares a marker function without parameters: a barrier, or the start of code that is
/// executed once for the group.
pub(super) fn declared(module: ModuleRef, builder: &Builder, name: &str) -> Value {
    ir::function(module, name).unwrap_or_else(|| {
        let ty = Type::function(Type::void(builder.context), &[]);
        ir::add_function(module, name, ty)
    })
}

/// Rewrites loops.
struct Interchange {
    builder: Builder,
    layout: DataLayout,
    barrier: Value,
    once: Value,
    entry: Block,
}

impl Interchange {
    fn alloca(&self, ty: Type, name: &str) -> Value {
        self.builder.before(self.entry.instructions()[0]);
        self.builder.alloca(ty, name)
    }

    fn store(&self, value: Value, address: Value) {
        let alignment = self.layout.alignment(value.ty());
        self.builder.store(value, address, alignment);
    }

    fn load_before(&self, before: Value, ty: Type, address: Value) -> Value {
        self.builder.before(before);
        self.builder.load(ty, address, self.layout.alignment(ty))
    }

    fn barrier_before(&self, instruction: Value) {
        self.builder.before(instruction);
        self.builder.call(self.barrier, &[]);
    }

    fn apply(&self, l: &RotatedLoop, uniformity: &Uniformity, result: &mut Interchanged) {
        // The exit has one predecessor: its φs are names for values.
        for phi in l.exit.phis() {
            phi.replace_all_uses_with(RotatedLoop::incoming(phi, l.latch));
            phi.erase();
        }
        let (mut uniform, mut varying): (Vec<Value>, Vec<Value>) =
            (l.header.phis().iter()).partition(|phi| uniformity.is_uniform(**phi));
        varying.retain(|&phi| {
            let step = l.uniform_step(phi, uniformity);
            uniform.extend(step.map(|step| self.share_progress(phi, step, l)));
            step.is_none()
        });
        let phis = l.header.phis();
        let carried: Vec<Slot> = varying.iter().map(|phi| self.carry(*phi, l)).collect();
        let shared: Vec<(Value, Value)> = uniform
            .iter()
            .map(|&phi| (phi, self.alloca(phi.ty(), &slot_name("shared", phi))))
            .collect();
        let recomputed = self.advance_once(&shared, l);
        for &(phi, variable) in &shared {
            self.replace_by_loads(phi, variable, l, |user| {
                phis.contains(&user) || recomputed.contains(&user)
            });
        }
        for (phi, slot) in varying.iter().zip(&carried) {
            let load = self.load_before(l.header.first_after_phis(), phi.ty(), slot.alloca);
            phi.replace_all_uses_with(load);
        }
        for phi in phis {
            phi.erase();
        }
        self.barrier_before(l.header.instructions()[0]);
        self.barrier_before(l.exit.instructions()[0]);
        result.slots.extend(carried);
        result
            .shared
            .extend(shared.iter().map(|(_, variable)| variable));
    }

    /// Replaces a work-item's own induction variable by the sum of its start and what the group has added to it since.
    /// Gives the latter's φ.
    fn share_progress(&self, phi: Value, step: Value, l: &RotatedLoop) -> Value {
        let b = &self.builder;
        b.before(l.header.instructions()[0]);
        let progress = b.phi(phi.ty(), &phi.name());
        b.before(l.latch.terminator());
        let next = b.add(progress, step);
        progress.add_incoming(phi.ty().zero(), l.preheader);
        progress.add_incoming(next, l.latch);
        b.before(l.header.first_after_phis());
        let sum = b.add(RotatedLoop::incoming(phi, l.preheader), progress);
        phi.replace_all_uses_with(sum);
        phi.erase();
        progress
    }

    /// Stores what each work-item carries from one iteration to the next in a slot.
    fn carry(&self, phi: Value, l: &RotatedLoop) -> Slot {
        let ty = phi.ty();
        let alloca = self.alloca(ty, &slot_name("carried", phi));
        for from in [l.preheader, l.latch] {
            self.builder.before(from.terminator());
            self.store(RotatedLoop::incoming(phi, from), alloca);
        }
        Slot {
            alloca,
            ty,
            uniform: false,
        }
    }

    /// At the ends of preheader and latch, after a barrier, sets the group's variables to the
    /// values of the next iteration. Gives the instructions that compute them and the latch's
    /// condition.
    fn advance_once(&self, shared: &[(Value, Value)], l: &RotatedLoop) -> HashSet<Value> {
        for from in [l.preheader, l.latch] {
            self.barrier_before(from.terminator());
            self.builder.call(self.once, &[]);
        }
        self.builder.before(l.preheader.terminator());
        for &(phi, variable) in shared {
            self.store(RotatedLoop::incoming(phi, l.preheader), variable);
        }
        let mut copies = HashMap::new();
        for &(phi, variable) in shared {
            let current = self.load_before(l.latch.terminator(), phi.ty(), variable);
            copies.insert(phi, current);
        }
        let next = shared.iter().map(|&(phi, variable)| {
            let next = RotatedLoop::incoming(phi, l.latch);
            (self.recompute(next, l, &mut copies), variable)
        });
        let next: Vec<(Value, Value)> = next.collect();
        let condition = self.recompute(l.latch.terminator().operand(0), l, &mut copies);
        l.latch.terminator().set_operand(0, condition);
        self.builder.before(l.latch.terminator());
        for (value, variable) in next {
            self.store(value, variable);
        }
        copies.into_values().collect()
    }

    /// Replaces the uses of a uniform φ by loads of the group's variable, those by users that are
    /// `kept` excepted.
    fn replace_by_loads(
        &self,
        phi: Value,
        variable: Value,
        l: &RotatedLoop,
        kept: impl Fn(Value) -> bool,
    ) {
        let at_header = self.load_before(l.header.first_after_phis(), phi.ty(), variable);
        for user in phi.users() {
            if kept(user) {
                continue;
            }
            let is_inside = l.blocks.contains(&user.block()) && !user.is(Opcode::LLVMPHI);
            // In the loop, the variable holds the φ's value until the barrier at the latch.
            let value = if is_inside {
                self.load_before(user, phi.ty(), variable)
            } else {
                at_header
            };
            for (index, operand) in user.operands().into_iter().enumerate() {
                if operand == phi {
                    user.set_operand(index as u32, value);
                }
            }
        }
        phi.replace_all_uses_with(at_header);
    }

    /// Copies what computes `value` to the end of the latch.
    fn recompute(
        &self,
        value: Value,
        l: &RotatedLoop,
        copies: &mut HashMap<Value, Value>,
    ) -> Value {
        if let Some(&copy) = copies.get(&value) {
            return copy;
        }
        if !value.is_instruction() || !l.blocks.contains(&value.block()) {
            return value;
        }
        let copy = value.clone_instruction();
        for (index, operand) in value.operands().into_iter().enumerate() {
            let operand = self.recompute(operand, l, copies);
            copy.set_operand(index as u32, operand);
        }
        self.builder.before(l.latch.terminator());
        self.builder.insert(copy);
        copies.insert(value, copy);
        copy
    }
}
