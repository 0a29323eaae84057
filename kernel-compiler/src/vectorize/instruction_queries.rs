//! Questions about single instructions and types that several steps ask.

use crate::ir::{DataLayout, Opcode, Type, TypeKind, Value};

/// Most elements of an array that is taken for several components.
const MAX_ARRAY_COMPONENTS: u64 = 64;

/// The types of a value's components: the elements of an OpenCL vector or an array, the fields of
/// a structure, or the type itself. None if a component is no scalar, so that no vector can hold
/// it for several lanes.
pub fn components(ty: Type) -> Option<Vec<Type>> {
    let is_scalar = |ty: Type| {
        matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMHalfTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
                | TypeKind::LLVMPointerTypeKind
        )
    };
    let parts = match ty.kind() {
        TypeKind::LLVMVectorTypeKind => {
            let (element, count) = ty.vector_elements();
            vec![element; count as usize]
        }
        TypeKind::LLVMStructTypeKind => ty.fields(),
        TypeKind::LLVMArrayTypeKind => {
            let (element, count) = ty.array_elements();
            let count = Some(count).filter(|count| *count <= MAX_ARRAY_COMPONENTS)?;
            vec![element; count as usize]
        }
        _ => vec![ty],
    };
    parts.iter().all(|part| is_scalar(*part)).then_some(parts)
}

/// The type that a load or a store accesses.
pub fn accessed_type(access: Value) -> Type {
    match access.opcode() {
        Opcode::LLVMStore => access.operand(0).ty(),
        _ => access.ty(),
    }
}

/// The pointer of a load or a store.
pub fn pointer_of(access: Value) -> Value {
    access.operand(u32::from(access.is(Opcode::LLVMStore)))
}

/// Bytes of a component; none if its bits do not fill them.
pub fn component_bytes(ty: Type, layout: DataLayout) -> Option<u64> {
    let size = layout.size(ty);
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => (u64::from(ty.integer_bits()) == 8 * size).then_some(size),
        _ => Some(size),
    }
}

/// Whether an instruction divides integers.
pub fn is_integer_division(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem
    )
}

/// Whether lanes do an integer division as one of doubles, which hold integers of 32 bits and
/// their quotients exactly enough: no processor divides vectors of integers.
pub fn uses_double_division(instruction: Value) -> bool {
    is_integer_division(instruction)
        // LLVM multiplies by a constant's reciprocal instead.
        && !instruction.operand(1).is_constant()
        && components(instruction.ty())
            .is_some_and(|parts| parts.iter().all(|part| part.integer_bits() <= 32))
}
