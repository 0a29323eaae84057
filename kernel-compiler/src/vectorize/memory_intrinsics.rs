//! Expands `memset` and `memcpy` of constant size into accesses of single elements.

use crate::ir::{Builder, Type, TypeKind, Value};

/// Most elements of a call that is expanded.
const MAX_ELEMENTS: u64 = 128;

const MEMSET: &str = "llvm.memset.";
const MEMCPY: &str = "llvm.memcpy.";

/// Whether an instruction calls `memset` or `memcpy`.
pub fn is_fill_or_copy(call: Value) -> bool {
    let name = call.called_function().map(Value::name);
    name.is_some_and(|name| name.starts_with(MEMSET) || name.starts_with(MEMCPY))
}

/// Whether such a call can be expanded into accesses of elements of `element` bytes and of a type.
pub fn can_expand(call: Value, element: u64, ty: Type) -> bool {
    let Some(bytes) = call.operand(2).as_integer() else {
        return false;
    };
    let is_volatile = call.operand(3).as_integer() != Some(0);
    let fits = bytes.is_multiple_of(element) && bytes / element <= MAX_ELEMENTS;
    let has_value = is_copy(call)
        || match call.operand(1).as_integer() {
            Some(0) => true,
            Some(_) => matches!(
                ty.kind(),
                TypeKind::LLVMIntegerTypeKind
                    | TypeKind::LLVMFloatTypeKind
                    | TypeKind::LLVMDoubleTypeKind
                    | TypeKind::LLVMHalfTypeKind
            ),
            None => false,
        };
    !is_volatile && fits && has_value
}

fn is_copy(call: Value) -> bool {
    let function = call.called_function().expect("a call of a function");
    function.name().starts_with(MEMCPY)
}

/// Replaces a call by accesses of elements, which it returns.
pub fn expand(b: &Builder, call: Value, element: u64, ty: Type) -> Vec<Value> {
    b.before(call);
    let is_copy = is_copy(call);
    let (to, from) = (call.operand(0), call.operand(1));
    let bytes = call.operand(2).as_integer().expect("checked before");
    let at = |pointer: Value, offset: u64| match offset {
        0 => pointer,
        _ => b.offset(pointer, b.i64().constant(offset)),
    };
    let mut made = Vec::new();
    for offset in (0..bytes).step_by(element as usize) {
        let value = if is_copy {
            let value = b.load(ty, at(from, offset), 1);
            made.push(value);
            value
        } else {
            splat_byte(b, from, element, ty)
        };
        made.push(b.store(value, at(to, offset), 1));
    }
    call.erase();
    made
}

/// An element all bytes of which have one value.
fn splat_byte(b: &Builder, byte: Value, element: u64, ty: Type) -> Value {
    match byte.as_integer() {
        Some(0) => ty.zero(),
        byte => {
            let byte = byte.expect("checked before") & 0xff;
            let bytes = (0..element).fold(0, |bytes, at| bytes | byte << (8 * at));
            let bits = Type::integer(b.context, 8 * element as u32);
            b.bit_cast(bits.constant(bytes), ty)
        }
    }
}
