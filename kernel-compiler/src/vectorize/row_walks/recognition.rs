//! Which loops walk along rows.

use super::counter::Counter;
use super::{Advance, MAX_INSTRUCTIONS, RowWalk};
use crate::analysis::effects::{Effect, effect, is_pure};
use crate::analysis::linear_address::LinearAddress;
use crate::analysis::loop_mark::LoopMark;
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
            || LoopMark::Remainder.is_on(block)
        {
            return None;
        }
        let mut walk = Self {
            layout,
            number,
            block,
            preheader: body.blocks[preheader],
            exit: body.blocks[exit],
            counter: Counter::find(block)?,
            loads: Vec::new(),
            delayed: Vec::new(),
            forwarded: Vec::new(),
            conditions: Vec::new(),
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
        let rows = |opcode| {
            let accesses = instructions.iter().filter(move |access| access.is(opcode));
            accesses
                .copied()
                .filter(|access| walk.is_row(*access))
                .collect()
        };
        let (loads, delayed): (Vec<Value>, Vec<Value>) =
            (rows(Opcode::LLVMLoad), rows(Opcode::LLVMStore));
        (!loads.is_empty() || !delayed.is_empty()).then(|| Self {
            loads,
            delayed,
            ..walk
        })
    }

    /// The walk without the rows that are no gathers or scatters; none if there are no others, lanes do not run the loop
    /// equally often, or accesses would change their order.
    pub fn with_gathers(mut self, plan: &VectorPlan<'_>) -> Option<Self> {
        let divergence = plan.divergence();
        let header = plan.cfg().loops[self.number].header;
        if divergence.divergent_loops[self.number] || divergence.masked[header] {
            return None;
        }
        let is_gather = |access: &Value| {
            plan.access_kind(*access) == AccessKind::GatherScatter
                && plan.lane_pattern(*access).is_none()
        };
        self.loads.retain(is_gather);
        self.delayed.retain(is_gather);
        let has_rows = !self.loads.is_empty() || !self.delayed.is_empty();
        if has_rows { self.in_order() } else { None }
    }

    /// Whether an instruction has no effects but loads and such stores that it is known where the next ones store to.
    fn may_repeat(&self, instruction: Value) -> bool {
        if instruction.is(Opcode::LLVMStore) {
            return !instruction.is_volatile()
                && !instruction.is_atomic()
                && self.advance(instruction).is_some();
        }
        instruction.is_terminator() || matches!(effect(instruction), Effect::None | Effect::Read)
    }

    /// Whether a value is used outside the loop by φs of its exit only.
    fn leaves_by_phi(&self, value: Value) -> bool {
        let is_in_exit = |user: &Value| user.is(Opcode::LLVMPHI) && user.block() == self.exit;
        let mut users = value.users().into_iter();
        users.all(|user| user.block() == self.block || is_in_exit(&user))
    }

    /// Whether an instruction accesses the element next to the one that the last iteration accessed, in memory in which
    /// rows of a work-item are consecutive.
    fn is_row(&self, access: Value) -> bool {
        let is_plain = !access.is_volatile() && !access.is_atomic();
        let is_private = pointer_of(access).ty().address_space() == address_space::PRIVATE;
        is_plain && !is_private && matches!(self.advance(access), Some(Advance::Row(_)))
    }

    /// How the address of a load or a store changes; none if it is neither of the two.
    pub fn advance(&self, access: Value) -> Option<Advance> {
        let (ty, pointer) = (accessed_type(access), pointer_of(access));
        if self.is_invariant(pointer) {
            return Some(Advance::Fixed);
        }
        let is_number = !ty.is_pointer() && !ty.is_vector();
        let bytes =
            component_bytes(ty, self.layout).filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8))?;
        let growth = |value: Value| {
            let is_invariant = self.is_invariant(value);
            self.counter
                .step(value)
                .or_else(|| is_invariant.then_some(0))
        };
        let grows_by = LinearAddress::of(pointer, self.layout)?.growth(growth)?;
        (is_number && grows_by.unsigned_abs() == bytes).then_some(Advance::Row(grows_by))
    }

    /// Whether a value is the same in all iterations.
    pub fn is_invariant(&self, value: Value) -> bool {
        !value.is_instruction() || value.block() != self.block || self.invariants.contains(&value)
    }
}
