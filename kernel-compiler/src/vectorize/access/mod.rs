//! Classifies memory accesses; shared by code generation, cost model and remarks.

pub mod table_index;

use super::instruction_queries::{accessed_type, component_bytes, components, pointer_of};
use super::plan::VectorPlan;
use super::reduction::Reduction;
use super::strided_expression;
use crate::analysis::gep::{self, Term};
use crate::analysis::lane_shape::Shape;
use crate::intrinsics::address_space;
use crate::ir::{Opcode, Type, Value};
use crate::work_group::nonatomic_local;
use host_exec::scratchpad;

/// Elements that each lane loads at once where those of all lanes are transposed in registers.
pub const TRANSPOSED_ELEMENTS: u64 = 4;

/// How lanes do a load, a store or an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// One scalar access for all lanes.
    Uniform,
    /// One vector access: consecutive lanes access adjacent memory.
    Consecutive,
    /// That many bytes from lane to lane.
    Strided(i64),
    /// An address for each lane: a gather or a scatter.
    GatherScatter,
    /// One atomic operation for all lanes, on the reduction of their operands.
    UniformAtomic,
    /// One access after another, lane by lane.
    Scalarized,
}

impl VectorPlan<'_> {
    /// Whether lanes access adjacent single components, lane 0 that at the highest address.
    pub fn is_descending(&self, access: Value) -> bool {
        let AccessKind::Strided(step) = self.access_kind(access) else {
            return false;
        };
        let is_component = |(bytes, count)| count == 1 && i64::try_from(bytes) == Ok(-step);
        self.component_size(accessed_type(access))
            .is_some_and(is_component)
    }

    /// How lanes do a load or a store if all are active. With a mask, `Strided` accesses are
    /// gathers and scatters.
    pub fn access_kind(&self, access: Value) -> AccessKind {
        let ty = accessed_type(access);
        if access.is(Opcode::LLVMLoad) && self.shape(access).is_uniform() {
            return AccessKind::Uniform;
        }
        let Some((bytes, count)) = self.component_size(ty) else {
            return AccessKind::Scalarized;
        };
        if access.is_volatile() || access.is_atomic() {
            return AccessKind::Scalarized;
        }
        let dense = bytes * count;
        match self.shape(pointer_of(access)) {
            shape if access.is(Opcode::LLVMStore) && shape.is_uniform() => AccessKind::Uniform,
            Shape::Strided(stride)
                if i64::try_from(dense) == Ok(stride.step) && self.layout().stored(ty) == dense =>
            {
                AccessKind::Consecutive
            }
            Shape::Strided(stride) => AccessKind::Strided(stride.step),
            _ => AccessKind::GatherScatter,
        }
    }

    /// Bytes and number of a type's components; none if these differ.
    pub fn component_size(&self, ty: Type) -> Option<(u64, u64)> {
        let parts = components(ty)?;
        let first = parts
            .first()
            .filter(|first| parts.iter().all(|part| part == *first))?;
        Some((component_bytes(*first, self.layout())?, parts.len() as u64))
    }

    /// Whether a gather's or scatter's lanes are consecutive depending on uniform values: the
    /// address is computed from strided values by operations with uniform operands, as the index
    /// `2 * i - (i & (length - 1))` of a transform's step is, or `clamp(x - 1, 0, width - 1)`.
    ///
    /// Not where they are one element then, or lie further apart.
    pub fn may_be_consecutive(&self, access: Value) -> bool {
        let bytes = self.layout().stored(accessed_type(access));
        let expected = strided_expression::expected_step(self, pointer_of(access));
        expected.is_none_or(|step| u64::try_from(step) == Ok(bytes))
            && self.depends_on_uniform(access)
    }

    /// Whether the lanes of a load get one element depending on uniform values, as `scale[i / length]` does.
    pub fn may_be_uniform(&self, load: Value) -> bool {
        load.is(Opcode::LLVMLoad)
            && strided_expression::expected_step(self, pointer_of(load)) == Some(0)
            && self.depends_on_uniform(load)
    }

    /// Whether an address is computed from strided values by operations with uniform operands, on which it depends what lanes
    /// access.
    fn depends_on_uniform(&self, access: Value) -> bool {
        let ty = accessed_type(access);
        let is_dense = self
            .component_size(ty)
            .is_some_and(|(bytes, count)| bytes * count == self.layout().stored(ty));
        let is_uniform = |operand: &Value| self.shape(*operand).is_uniform();
        // A constant mask makes the lanes the same in each execution.
        let is_mask = |operand: &Value| !operand.is_constant() && is_uniform(operand);
        let depends_on_uniform = |operation: &Value| {
            let operands = operation.operands();
            match operation.opcode() {
                Opcode::LLVMAnd
                | Opcode::LLVMXor
                | Opcode::LLVMURem
                | Opcode::LLVMSRem
                | Opcode::LLVMUDiv
                | Opcode::LLVMSDiv
                | Opcode::LLVMLShr => operands.iter().any(is_mask),
                // Most vectors lie on one side of a bound: `x > 0 ? x - 1 : x`.
                Opcode::LLVMICmp => operands.iter().any(is_uniform),
                _ => strided_expression::is_bound(*operation) && operands.iter().any(is_uniform),
            }
        };
        is_dense
            && !self.vectors().timed
            && strided_expression::operations(self, pointer_of(access))
                .is_some_and(|operations| operations.iter().any(depends_on_uniform))
    }

    /// Whether lanes that load or store OpenCL vectors, each at an address of its own, do so one by one, and the elements
    /// are transposed.
    pub fn transposes(&self, access: Value) -> bool {
        let ty = accessed_type(access);
        let size = self.component_size(ty);
        !self.vectors().timed
            && ty.is_vector()
            && u64::from(self.lanes()) >= TRANSPOSED_ELEMENTS
            && matches!(size, Some((4 | 8, TRANSPOSED_ELEMENTS)))
    }

    /// Whether lanes that load OpenCL vectors of small elements, each at an address of its own, load one integer each.
    pub fn unpacks(&self, load: Value) -> bool {
        load.is(Opcode::LLVMLoad) && self.is_packed(load)
    }

    /// Whether a lane's elements of an access of OpenCL vectors are small, and fill an integer.
    fn is_packed(&self, access: Value) -> bool {
        let ty = accessed_type(access);
        let size = self.component_size(ty);
        !self.vectors().timed && ty.is_vector() && matches!(size, Some((1 | 2, 2 | 4)))
    }

    /// Whether each lane accesses a group of elements at once, at an address of its own.
    pub fn has_whole_groups(&self, access: Value) -> bool {
        self.transposes(access) || self.is_packed(access)
    }

    /// The bytes that are added to a pointer of each lane, if a pointer is such a sum.
    pub fn uniform_offset(&self, pointer: Value) -> Option<Value> {
        if !pointer.is_instruction() || !pointer.is(Opcode::LLVMGetElementPtr) {
            return None;
        }
        match gep::terms(pointer, self.layout())?.as_slice() {
            [Term::Element { index, scale: 1 }] => {
                self.shape(*index).is_uniform().then_some(*index)
            }
            _ => None,
        }
    }

    /// How lanes do an atomic operation.
    pub fn atomic_access_kind(&self, atomic: Value) -> AccessKind {
        let is_uniform = self.shape(atomic.operand(0)).is_uniform();
        if is_uniform && Reduction::recognize(atomic).is_some() {
            AccessKind::UniformAtomic
        } else {
            AccessKind::Scalarized
        }
    }

    /// Whether an access touches the memory of inactive lanes as well. Local memory allows that:
    /// this thread runs all work-items of the group. A store writes there what it has read.
    pub fn touches_inactive_lanes(&self, access: Value) -> bool {
        let bytes = self.layout().stored(accessed_type(access)) * u64::from(self.lanes());
        pointer_of(access).ty().address_space() == address_space::LOCAL
            && self.access_kind(access) == AccessKind::Consecutive
            && bytes <= scratchpad::MARGIN as u64
            && !(access.is(Opcode::LLVMStore) && self.vectors().mask_registers)
    }

    /// Whether an access may run without an active lane, and has no effect then.
    pub fn tolerates_empty_mask(&self, access: Value) -> bool {
        let is_masked = matches!(
            self.access_kind(access),
            AccessKind::Consecutive | AccessKind::Strided(_) | AccessKind::GatherScatter
        );
        is_masked
            && !self.touches_inactive_lanes(access)
            && components(accessed_type(access)).is_some_and(|parts| parts.len() == 1)
    }

    /// Whether an atomic operation on local memory becomes plain loads and stores.
    pub fn has_nonatomic_local_atomics(&self) -> bool {
        self.instructions().any(nonatomic_local::is_on_local_memory)
    }

    /// Whether a store writes back the memory of inactive lanes.
    pub fn writes_inactive_lanes(&self) -> bool {
        let has_remainder = self.range().has_remainder(self.lanes());
        let writes = |i: Value| i.is(Opcode::LLVMStore) && self.touches_inactive_lanes(i);
        let blocks = self.blocks().iter().zip(&self.divergence().masked);
        let mut masked = blocks.filter(|(_, masked)| has_remainder || **masked);
        masked.any(|(block, _)| block.instructions().into_iter().any(writes))
    }
}
