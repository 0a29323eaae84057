//! Values in registers of 64 bits: integers that are extended, pointers, and numbers of `float` and
//! `double` as their bits.

use crate::ir::{Builder, DataLayout, Opcode, Type, TypeKind, Value};

/// Whether a value of a type has one register.
pub fn has_register(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.integer_bits() <= 64,
        TypeKind::LLVMPointerTypeKind
        | TypeKind::LLVMFloatTypeKind
        | TypeKind::LLVMDoubleTypeKind => true,
        _ => false,
    }
}

/// A value as a word; narrower numbers have a sign unless they are known to have none.
pub fn from_value(b: &Builder, value: Value, is_unsigned: bool) -> Value {
    let ty = value.ty();
    match ty.kind() {
        TypeKind::LLVMPointerTypeKind => b.cast(Opcode::LLVMPtrToInt, value, b.i64()),
        TypeKind::LLVMDoubleTypeKind => b.bit_cast(value, b.i64()),
        TypeKind::LLVMFloatTypeKind => b.zero_extend(b.bit_cast(value, b.i32()), b.i64()),
        _ if ty.integer_bits() == 64 => value,
        _ if is_unsigned => b.zero_extend(value, b.i64()),
        _ => b.sign_extend(value, b.i64()),
    }
}

/// The value of a type that a word has.
pub fn to_value(b: &Builder, word: Value, ty: Type) -> Value {
    match ty.kind() {
        TypeKind::LLVMPointerTypeKind => b.cast(Opcode::LLVMIntToPtr, word, ty),
        TypeKind::LLVMDoubleTypeKind => b.bit_cast(word, ty),
        TypeKind::LLVMFloatTypeKind => b.bit_cast(b.truncate(word, b.i32()), ty),
        _ if ty.integer_bits() < 64 => b.truncate(word, ty),
        _ => word,
    }
}

/// Loads values of these types from an array of words.
pub fn load(
    b: &Builder,
    words: Value,
    types: impl IntoIterator<Item = Type>,
    layout: DataLayout,
) -> Vec<Value> {
    let numbered = (0u64..).zip(types);
    let values = numbered.map(|(number, ty)| {
        let word = b.offset(words, b.i64().constant(8 * number));
        b.load(ty, word, layout.alignment(ty))
    });
    values.collect()
}
