//! Calls of `printf` become calls of the host function.

use super::directive::{Conversion, directives};
use super::{ArgumentType, Class, FUNCTION};
use crate::intrinsics::address_space;
use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, TypeKind, Value};

/// What OpenCL C programs call.
const PRINTF: &str = "printf";

/// Alignment of a slot, bytes.
const SLOT: u64 = 8;

/// Replaces all calls of `printf` in the module. With `reads_strings`, the code finds the ends of
/// strings, so that its accesses can be checked.
pub fn lower(module: ModuleRef, reads_strings: bool) {
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
            lower_call(module, &builder, function, call, reads_strings);
        }
    }
}

fn lower_call(
    module: ModuleRef,
    builder: &Builder,
    function: Value,
    call: Value,
    reads_strings: bool,
) {
    let layout = DataLayout::of_module(module);
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
    let limits = match reads_strings {
        true => string_limits(format, &arguments),
        false => vec![None; arguments.len()],
    };
    let types = arguments.iter().zip(&limits);
    let types: Vec<ArgumentType> = types
        .map(|(argument, limit)| match limit {
            Some(_) => TEXT,
            None => argument_type(layout, argument.ty()),
        })
        .collect();

    let size: u64 = types.iter().map(|ty| u64::from(ty.slot)).sum();
    builder.before(call.block().function().entry_block().instructions()[0]);
    let values = builder.alloca(builder.i8().array(size.max(1)), "printed");
    values.set_alignment(SLOT as u32);

    builder.before(call);
    let mut place = 0;
    for ((argument, ty), limit) in arguments.iter().zip(&types).zip(limits) {
        let address = |place| builder.offset(values, builder.i64().constant(place));
        builder.store(*argument, address(place), SLOT as u32);
        if let Some(limit) = limit {
            let length = string_length(module, builder, *argument, limit);
            builder.store(length, address(place + SLOT), SLOT as u32);
        }
        place += u64::from(ty.slot);
    }
    let described: Vec<u8> = types.iter().flat_map(|ty| ty.described()).collect();
    let described = ir::add_constant_bytes(module, "printed.types", &described);
    let count = builder.i32().constant(types.len() as u64);
    let format = builder.address_space_cast(format, generic);
    let result = builder.call(function, &[format, described, count, values]);
    call.replace_all_uses_with(result);
    call.erase();
}

/// A string whose end code has found.
const TEXT: ArgumentType = ArgumentType {
    class: Class::Text,
    bytes: 8,
    count: 1,
    slot: 2 * SLOT as u8,
};

/// For each argument that is a string, and no literal, the most bytes of it that are printed.
fn string_limits(format: Value, arguments: &[Value]) -> Vec<Option<u64>> {
    let format = format.constant_string().unwrap_or_default();
    let end = format.iter().position(|byte| *byte == 0);
    let mut directives = directives(&format[..end.unwrap_or(0)]).into_iter();
    let limits = arguments.iter().map(|argument| {
        let directive = directives.next()?;
        let is_literal = || {
            let text = argument.constant_string();
            text.is_some_and(|text| text.contains(&0))
        };
        let is_string = directive.conversion == Conversion::Text
            && string_length_function(argument.ty()).is_some()
            && !is_literal();
        is_string.then(|| directive.precision().unwrap_or(u64::MAX))
    });
    limits.collect()
}

/// Calls the builtin that reads a string up to its end or to `limit` bytes.
fn string_length(module: ModuleRef, builder: &Builder, string: Value, limit: u64) -> Value {
    let name = string_length_function(string.ty()).expect("only such strings have limits");
    let function = ir::function(module, name).unwrap_or_else(|| {
        let signature = Type::function(builder.i64(), &[string.ty(), builder.i64()]);
        ir::add_function(module, name, signature)
    });
    builder.call(function, &[string, builder.i64().constant(limit)])
}

fn string_length_function(ty: Type) -> Option<&'static str> {
    if ty.kind() != TypeKind::LLVMPointerTypeKind {
        return None;
    }
    let functions = [
        (address_space::PRIVATE, "__mocl3_string_length_private"),
        (address_space::GLOBAL, "__mocl3_string_length_global"),
        (address_space::CONSTANT, "__mocl3_string_length_constant"),
        (address_space::LOCAL, "__mocl3_string_length_local"),
    ];
    let known = functions
        .iter()
        .find(|(space, _)| *space == ty.address_space());
    known.map(|(_, name)| *name)
}

fn argument_type(layout: DataLayout, ty: Type) -> ArgumentType {
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
