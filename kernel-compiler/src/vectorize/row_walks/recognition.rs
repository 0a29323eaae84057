//! Which loops walk along rows.

use super::{MAX_INSTRUCTIONS, RowWalk};
use crate::analysis::counted_loop::CountedLoop;
use crate::analysis::effects::{Effect, effect, is_pure};
use crate::analysis::linear_address::LinearAddress;
use crate::analysis::remainder;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{accessed_type, component_bytes, pointer_of};
use crate::vectorize::loop_body::LoopBody;
use crate::vectorize::plan::VectorPlan;
use std::collections::HashSet;

impl RowWalk {
    /// The walk of a loop, by its number; `with_gathers` decides on it, which takes a plan.
    pub fn candidate(body: &LoopBody<'_>, number: usize, layout: DataLayout) -> Option<Self> {
        let l = &body.cfg.loops[number];
        let (&[preheader], &[(_, exit)]) = (
            body.cfg.predecessors[l.header].as_slice(),
            l.exits.as_slice(),
        ) else {
            return None;
        };
        let block = body.blocks[l.header];
        if l.header != l.latch
            || body.cfg.successors[preheader] != [l.header]
            || body.rare[l.header]
            || remainder::is_latch(block)
        {
            return None;
        }
        let is_outside = |value: Value| !value.is_instruction() || value.block() != block;
        let counted = CountedLoop::find(block, block, is_outside);
        let CountedLoop { counter, limit, .. } = counted.filter(CountedLoop::ends_at_limit)?;
        let mut walk = Self {
            number,
            block,
            preheader: body.blocks[preheader],
            exit: body.blocks[exit],
            counter,
            limit,
            loads: Vec::new(),
            stores: Vec::new(),
            invariants: HashSet::new(),
        };
        let instructions = block.instructions();
        for &instruction in &instructions {
            let mut operands = instruction.operands().into_iter();
            let is_computed = !instruction.is(Opcode::LLVMPHI) && is_pure(instruction);
            if is_computed && operands.all(|operand| walk.is_invariant(operand)) {
                walk.invariants.insert(instruction);
            }
        }
        let is_fit = |of: &Value| walk.may_repeat(*of) && walk.leaves_by_phi(*of);
        if instructions.len() > MAX_INSTRUCTIONS || !instructions.iter().all(is_fit) {
            return None;
        }
        let is_row = |of: &Value| walk.is_row(*of, layout);
        let is_store = |of: &Value| of.is(Opcode::LLVMStore);
        let loads: Vec<Value> = instructions.iter().copied().filter(is_row).collect();
        (!loads.is_empty()).then(|| Self {
            loads,
            stores: instructions.into_iter().filter(is_store).collect(),
            ..walk
        })
    }

    /// The walk without the loads that are no gathers; none if there are no others, or lanes do not run the loop equally
    /// often.
    pub fn with_gathers(mut self, plan: &VectorPlan<'_>) -> Option<Self> {
        let divergence = plan.divergence();
        let header = plan.cfg().loops[self.number].header;
        if divergence.divergent_loops[self.number] || divergence.masked[header] {
            return None;
        }
        self.loads.retain(|load| {
            plan.access_kind(*load) == AccessKind::GatherScatter
                && plan.lane_pattern(*load).is_none()
        });
        (!self.loads.is_empty()).then_some(self)
    }

    /// Whether an instruction has no effects but loads, and stores to the same place in all iterations.
    fn may_repeat(&self, instruction: Value) -> bool {
        if instruction.is(Opcode::LLVMStore) {
            return !instruction.is_volatile()
                && !instruction.is_atomic()
                && self.is_invariant(pointer_of(instruction));
        }
        instruction.is_terminator() || matches!(effect(instruction), Effect::None | Effect::Read)
    }

    /// Whether a value is used outside the loop by φs of its exit only.
    fn leaves_by_phi(&self, value: Value) -> bool {
        let is_in_exit = |user: &Value| user.is(Opcode::LLVMPHI) && user.block() == self.exit;
        let mut users = value.users().into_iter();
        users.all(|user| user.block() == self.block || is_in_exit(&user))
    }

    /// Whether an instruction loads the element behind the one that the last iteration loaded.
    fn is_row(&self, load: Value, layout: DataLayout) -> bool {
        if !load.is(Opcode::LLVMLoad) || load.is_volatile() || load.is_atomic() {
            return false;
        }
        let (ty, pointer) = (accessed_type(load), pointer_of(load));
        let is_number = !ty.is_pointer() && !ty.is_vector();
        let is_private = pointer.ty().address_space() == address_space::PRIVATE;
        let Some(bytes) = component_bytes(ty, layout).filter(|bytes| matches!(bytes, 4 | 8)) else {
            return false;
        };
        let growth = |value: Value| match value == self.counter {
            true => Some(1),
            false => self.is_invariant(value).then_some(0),
        };
        let grows_by =
            LinearAddress::of(pointer, layout).and_then(|address| address.growth(growth));
        is_number && !is_private && grows_by == i64::try_from(bytes).ok()
    }

    /// Whether a value is the same in all iterations.
    pub fn is_invariant(&self, value: Value) -> bool {
        !value.is_instruction() || value.block() != self.block || self.invariants.contains(&value)
    }
}
