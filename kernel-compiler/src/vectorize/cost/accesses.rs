//! Costs of loads and stores by all lanes.

use super::component_count;
use crate::ir::{Opcode, Type, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use crate::vectorize::plan::VectorPlan;

/// Cost of a lane of a gather or scatter instruction. It takes 0.8 cycles or more, in which a
/// processor issues four of the ordinary instructions that cost 1 here.
const GATHER_COST_PER_LANE: f64 = 3.4;

/// Cost of a lane of a load by a number of 32 bits or less in a table, where no gather instruction is used. Of the costs of
/// lanes that follow, each is four times the cycles of Zen 3 in a loop of nothing else.
const LOOKUP_COST: f64 = 3.3;

/// The same under a mask, by a gather instruction that is slow otherwise.
const MASKED_LOOKUP_COST: f64 = 4.8;

/// Cost of a lane of a load at an address of its own, which is extracted from a vector.
const LANE_LOAD_COST: f64 = 5.0;

/// The same under a mask: inactive lanes load from elsewhere.
const MASKED_LANE_LOAD_COST: f64 = 7.0;

/// Cost of a lane of a store at an address of its own, or under a mask.
const LANE_STORE_COST: f64 = 6.0;

/// The same by a number in a table, without a mask.
const STORED_LOOKUP_COST: f64 = 4.5;

/// Cost of an element that lanes load with others at once and that is transposed then: half of what a gather of floats takes
/// from the second-level cache of Emerald Rapids.
const TRANSPOSED_COST: f64 = 1.6;

/// Cost of the insertion of a lane's value into a vector.
const INSERTION_COST: f64 = 0.5;

/// Share of executions in which the lanes of an access are consecutive, or access one element, where that depends on uniform
/// values.
const WHOLE_PROBABILITY: f64 = 0.5;

impl VectorPlan<'_> {
    /// Cycles of a load or a store by all lanes.
    pub(super) fn access_cost(&self, access: Value, masked: bool) -> f64 {
        let is_store = access.is(Opcode::LLVMStore);
        let ty = accessed_type(access);
        let components = component_count(ty);
        let lanes = f64::from(self.lanes());
        let each = lane_access_cost(is_store);
        if let Some(pattern) = self.lane_pattern(access) {
            return self.pattern_cost(access, &pattern, masked);
        }
        match self.access_kind(access) {
            AccessKind::Uniform => 1.0,
            AccessKind::UniformAtomic | AccessKind::Scalarized => {
                self.scalarized_cost(access, each)
            }
            AccessKind::Consecutive => self.consecutive_cost(access, masked),
            AccessKind::GatherScatter if !masked && self.may_be_uniform(access) => {
                self.versions_cost(access, 1.0 + components, masked)
            }
            AccessKind::GatherScatter if self.may_be_consecutive(access) => {
                self.versions_cost(access, self.consecutive_cost(access, masked), masked)
            }
            AccessKind::Strided(_) if !masked => lanes * components.min(2.0) * each,
            _ => self.gather_cost(access, masked),
        }
    }

    /// Cycles of an access with a version for whole vectors, which takes that many.
    fn versions_cost(&self, access: Value, whole: f64, masked: bool) -> f64 {
        let comparison = 2.0 * self.registers(pointer_of(access).ty());
        let each = self.gather_cost(access, masked);
        comparison + WHOLE_PROBABILITY * whole + (1.0 - WHOLE_PROBABILITY) * each
    }

    fn consecutive_cost(&self, access: Value, masked: bool) -> f64 {
        let ty = accessed_type(access);
        let interleaving = 1.2 * component_count(ty).log2();
        let mask = match (masked, access.is(Opcode::LLVMStore)) {
            (false, _) => 0.0,
            (true, false) => 0.5,
            (true, true) => 2.0,
        };
        self.registers(ty) * (1.0 + interleaving + mask)
    }

    /// Cycles of an access to an address for each lane.
    fn gather_cost(&self, access: Value, masked: bool) -> f64 {
        let ty = accessed_type(access);
        let components = component_count(ty);
        let lanes = f64::from(self.lanes());
        let is_store = access.is(Opcode::LLVMStore);
        if self.transposes(access) && !(is_store && masked) {
            let mask = if masked { lanes } else { 0.0 };
            return lanes * components * TRANSPOSED_COST + mask;
        }
        if self.unpacks(access) {
            let mask = if masked { lanes } else { 0.0 };
            return lanes * (lane_access_cost(is_store) + INSERTION_COST)
                + components * self.registers(Type::integer(ty.context(), 32))
                + mask;
        }
        if self.vectors().gather_instruction && self.vectors().mask_registers {
            return lanes * components * GATHER_COST_PER_LANE;
        }
        lanes * components.min(2.0) * self.lane_cost(access, masked)
    }

    /// Cycles of a lane of an access lane by lane.
    fn lane_cost(&self, access: Value, masked: bool) -> f64 {
        let is_store = access.is(Opcode::LLVMStore);
        // Gather instructions of processors without mask registers issue what loads of each lane do.
        if self.vectors().gather_instruction {
            return lane_instructions(masked, is_store);
        }
        let is_lookup = self.table_index(pointer_of(access)).is_some();
        match (masked, is_store) {
            (false, false) if is_lookup => LOOKUP_COST,
            (false, true) if is_lookup => STORED_LOOKUP_COST,
            (true, false) if is_lookup && self.gathers_lookups(access) => MASKED_LOOKUP_COST,
            (false, false) => LANE_LOAD_COST,
            (true, false) => MASKED_LANE_LOAD_COST,
            (_, true) => LANE_STORE_COST,
        }
    }

    /// Whether a gather or scatter accesses memory lane by lane.
    fn is_lane_by_lane(&self, access: Value, masked: bool) -> bool {
        let is_apart = match self.access_kind(access) {
            AccessKind::GatherScatter => true,
            AccessKind::Strided(_) => masked,
            _ => false,
        };
        is_apart
            && !self.vectors().gather_instruction
            && !self.has_whole_groups(access)
            && self.lane_pattern(access).is_none()
    }

    /// Whether gather instructions load active lanes' elements by numbers of 32 bits.
    fn gathers_lookups(&self, load: Value) -> bool {
        let size = self.component_size(accessed_type(load));
        self.vectors().masked_table_gathers && matches!(size, Some((4 | 8, 1)))
    }

    /// Instructions of each cycle of a gather or scatter that accesses memory lane by lane; none for other instructions, which
    /// are as many as their cost.
    pub(super) fn instructions_by_cost(&self, instruction: Value, masked: bool) -> Option<f64> {
        let is_store = instruction.is(Opcode::LLVMStore);
        let is_access = is_store || instruction.is(Opcode::LLVMLoad);
        (is_access && self.is_lane_by_lane(instruction, masked))
            .then(|| lane_instructions(masked, is_store) / self.lane_cost(instruction, masked))
    }
}

/// Instructions of a lane of a gather or scatter without gather instructions.
fn lane_instructions(masked: bool, is_store: bool) -> f64 {
    match (masked, is_store) {
        (false, false) => 2.0,
        (false, true) => 2.5,
        (true, false) => 3.0,
        (true, true) => 4.0,
    }
}

/// Cycles of an access of one lane.
fn lane_access_cost(is_store: bool) -> f64 {
    if is_store { 2.0 } else { 1.5 }
}
