//! How lanes load and store: one answer for who writes it, who reckons what it costs and who
//! tells of it.

use super::plan::VectorPlan;
use super::values::components;
use crate::analysis::lane_shape::Shape;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Type, TypeKind, Value};
use crate::work_group::nonatomic_local;
use host_exec::scratchpad;

/// How lanes do an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Once for all.
    Uniform,
    /// As vectors: places one after another.
    Consecutive,
    /// Places as many bytes apart.
    Strided(i64),
    /// Each lane at a place of its own.
    GatherScatter,
    /// An atomic operation: one for all, with what all bring together.
    UniformAtomic,
    /// One lane after the other.
    Scalarized,
}

/// The type that is loaded or stored.
pub fn accessed(access: Value) -> Type {
    match access.opcode() {
        Opcode::LLVMStore => access.operand(0).ty(),
        _ => access.ty(),
    }
}

/// The pointer of a load or a store.
pub fn pointer_of(access: Value) -> Value {
    access.operand(u32::from(access.is(Opcode::LLVMStore)))
}

/// Bytes of a component; none if it does not fill them.
pub fn bytes_of(ty: Type, layout: DataLayout) -> Option<u64> {
    let size = layout.size(ty);
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => (u64::from(ty.integer_bits()) == 8 * size).then_some(size),
        _ => Some(size),
    }
}

impl VectorPlan<'_> {
    /// How lanes do a load or a store, where all take part. With a mask, `Strided` places are
    /// `Scattered`.
    pub fn access_kind(&self, access: Value) -> AccessKind {
        let ty = accessed(access);
        if access.is(Opcode::LLVMLoad) && self.divergence.of(access).is_uniform() {
            return AccessKind::Uniform;
        }
        let parts = components(ty).unwrap_or_default();
        let bytes = parts
            .first()
            .filter(|first| parts.iter().all(|part| part == *first))
            .and_then(|first| bytes_of(*first, self.layout));
        let Some(bytes) = bytes else {
            return AccessKind::Scalarized;
        };
        if access.is_volatile() || access.is_atomic() {
            return AccessKind::Scalarized;
        }
        let dense = bytes * parts.len() as u64;
        match self.divergence.of(pointer_of(access)) {
            shape if access.is(Opcode::LLVMStore) && shape.is_uniform() => AccessKind::Uniform,
            Shape::Strided(stride)
                if i64::try_from(dense) == Ok(stride.step) && self.layout.stored(ty) == dense =>
            {
                AccessKind::Consecutive
            }
            Shape::Strided(stride) => AccessKind::Strided(stride.step),
            _ => AccessKind::GatherScatter,
        }
    }

    /// Whether lanes that take no part in an access touch memory in it all the same: local memory is
    /// the group's alone, whose work-items all run here. What is stored for them is what was there.
    pub fn touches_inactive_lanes(&self, access: Value) -> bool {
        let bytes = self.layout.stored(accessed(access)) * u64::from(self.lanes);
        pointer_of(access).ty().address_space() == address_space::LOCAL
            && self.access_kind(access) == AccessKind::Consecutive
            && bytes <= scratchpad::MARGIN as u64
            && !(access.is(Opcode::LLVMStore) && self.vectors.mask_registers)
    }

    /// Whether an access may be run without any lane, and does nothing then.
    pub fn is_safe_without_lanes(&self, access: Value) -> bool {
        let by_mask = matches!(
            self.access_kind(access),
            AccessKind::Consecutive | AccessKind::Strided(_) | AccessKind::GatherScatter
        );
        by_mask
            && !self.touches_inactive_lanes(access)
            && components(accessed(access)).is_some_and(|parts| parts.len() == 1)
    }

    /// Whether there are atomic operations that loads and stores do.
    pub fn has_nonatomic_local_atomics(&self) -> bool {
        let instructions = self.blocks.iter().flat_map(|block| block.instructions());
        instructions
            .into_iter()
            .any(nonatomic_local::is_on_local_memory)
    }

    /// Whether there are stores that write for lanes which take no part what was there before.
    pub fn rewrites_inactive_lanes(&self) -> bool {
        let has_remainder = self.range.has_remainder(self.lanes);
        self.blocks.iter().enumerate().any(|(number, block)| {
            (has_remainder || self.divergence.masked[number])
                && block
                    .instructions()
                    .into_iter()
                    .any(|i| i.is(Opcode::LLVMStore) && self.touches_inactive_lanes(i))
        })
    }
}
