//! How values lie in the registers of the simulated machine.

use super::code::Code;
use crate::ir::{Type, TypeKind, Value};

/// Bits of a scalar register.
const SCALAR_WIDTH: u32 = 64;

/// The registers that a value of a type occupies.
#[derive(Clone, Copy, Debug)]
pub struct RegisterLayout {
    /// Vector registers, else scalar ones.
    pub is_vector: bool,
    /// Number of registers, each with a lane's width or less of each lane.
    pub registers: u32,
    /// Whether components are floating-point numbers.
    pub is_float: bool,
    /// Bits of a component.
    pub bits: u32,
}

impl Code<'_> {
    /// The registers of a value.
    pub fn register_layout(&self, value: Value) -> RegisterLayout {
        self.register_layout_of(value.ty(), self.is_of_lanes(value))
    }

    /// The registers of a value of a type, in the lanes or in the control core.
    pub fn register_layout_of(&self, ty: Type, is_vector: bool) -> RegisterLayout {
        let (element, count) = if ty.is_vector() {
            ty.vector_elements()
        } else {
            (ty, 1)
        };
        let (is_float, bits) = match element.kind() {
            TypeKind::LLVMIntegerTypeKind => (false, element.integer_bits()),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => (true, 16),
            TypeKind::LLVMFloatTypeKind => (true, 32),
            TypeKind::LLVMDoubleTypeKind => (true, 64),
            TypeKind::LLVMPointerTypeKind => (false, 64),
            TypeKind::LLVMVoidTypeKind => (false, 0),
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                (false, (8 * self.layout.size(element)).min(4096) as u32)
            }
            _ => (false, 64),
        };
        let components = if is_vector {
            count.div_ceil(self.params.lanes.max(1))
        } else {
            count
        };
        let width = if is_vector {
            self.params.operand_width
        } else {
            SCALAR_WIDTH
        };
        RegisterLayout {
            is_vector,
            registers: components * bits.div_ceil(width).max(1),
            is_float,
            bits,
        }
    }
}
