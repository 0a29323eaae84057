//! Calls of `printf` become calls of the host function.

use super::{ArgumentType, Class, FUNCTION};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, TypeKind, Value};

/// What OpenCL C programs call.
const PRINTF: &str = "printf";

/// Alignment of a slot, bytes.
const SLOT: u64 = 8;

/// Replaces all calls of `printf` in the module.
pub fn lower(module: ModuleRef) {
    let Some(printf) = ir::function(module, PRINTF).filter(|f| f.is_declaration()) else {
        return;
    };
    let builder = Builder::new(printf.ty().context());
    let pointer = Type::pointer(builder.context, 0);
    let signature = Type::function(builder.i32(), &[pointer, pointer, builder.i32(), pointer]);
    let function = ir::function(module, FUNCTION)
        .unwrap_or_else(|| ir::add_function(module, FUNCTION, signature));
    function.add_attribute("nounwind");
    for call in printf.users() {
        if call.called_function() == Some(printf) {
            lower_call(module, &builder, function, call);
        }
    }
}

fn lower_call(module: ModuleRef, builder: &Builder, function: Value, call: Value) {
    let layout = DataLayout::of(module);
    let generic = Type::pointer(builder.context, 0);
    let mut arguments = call.operands();
    // The last operand is the function itself.
    arguments.pop();
    let format = arguments.remove(0);
    builder.before(call);
    for (index, argument) in arguments.iter_mut().enumerate() {
        // Vectors of more than 16 bytes are passed in memory.
        if let Some(ty) = call.by_value_argument_type(index as u32 + 1) {
            *argument = builder.load(ty, *argument, 1);
        }
    }
    let types: Vec<ArgumentType> = arguments.iter().map(|a| of(layout, a.ty())).collect();

    let size: u64 = types.iter().map(|ty| u64::from(ty.slot)).sum();
    builder.before(call.block().function().entry_block().instructions()[0]);
    let values = builder.alloca(builder.i8().array(size.max(1)), "printed");
    values.set_alignment(SLOT as u32);

    builder.before(call);
    let mut place = 0;
    for (argument, ty) in arguments.iter().zip(&types) {
        let address = builder.offset(values, builder.i64().constant(place));
        builder.store(*argument, address, SLOT as u32);
        place += u64::from(ty.slot);
    }
    let described: Vec<u8> = types
        .iter()
        .flat_map(|ty| [ty.class as u8, ty.bytes, ty.count, ty.slot])
        .collect();
    let described = ir::add_constant_bytes(module, "printed.types", &described);
    let count = builder.i32().constant(types.len() as u64);
    let format = builder.address_space_cast(format, generic);
    let result = builder.call(function, &[format, described, count, values]);
    call.replace_all_uses_with(result);
    call.erase();
}

fn of(layout: DataLayout, ty: Type) -> ArgumentType {
    let (element, count) = match ty.kind() {
        TypeKind::LLVMVectorTypeKind => ty.vector_elements(),
        _ => (ty, 1),
    };
    let class = match element.kind() {
        TypeKind::LLVMIntegerTypeKind => Class::Integer,
        TypeKind::LLVMPointerTypeKind => Class::Pointer,
        _ => Class::Floating,
    };
    ArgumentType {
        class,
        bytes: layout.size(element) as u8,
        count: count as u8,
        slot: layout.size(ty).next_multiple_of(SLOT) as u8,
    }
}
