//! Calls that checks insert: queries of a work-item, and functions of the platform.

use crate::intrinsics::{GROUP_CONTEXT, LOCAL_MEMORY, address_space};
use crate::ir::{self, Builder, ModuleRef, Type, Value};

/// The context of the group, at the builder's position.
pub fn context(b: &Builder, module: ModuleRef) -> Value {
    let ty = Type::function(Type::pointer(b.context, 0), &[]);
    b.call(query(module, GROUP_CONTEXT, ty), &[])
}

/// The local id in each dimension, 64 bits.
pub fn local_id(b: &Builder, module: ModuleRef) -> [Value; 3] {
    by_dimension(b, module, "__mocl3_local_id")
}

/// The local size in each dimension, 64 bits.
pub fn local_size(b: &Builder, module: ModuleRef) -> [Value; 3] {
    by_dimension(b, module, "__mocl3_local_size")
}

/// The group id in each dimension, 64 bits.
pub fn group_id(b: &Builder, module: ModuleRef) -> [Value; 3] {
    by_dimension(b, module, "__mocl3_group_id")
}

/// The number of groups in each dimension, 64 bits.
pub fn group_count(b: &Builder, module: ModuleRef) -> [Value; 3] {
    by_dimension(b, module, "__mocl3_num_groups")
}

/// The start of local memory.
pub fn local_memory(b: &Builder, module: ModuleRef) -> Value {
    let pointer = Type::pointer(b.context, address_space::LOCAL);
    b.call(
        query(module, LOCAL_MEMORY, Type::function(pointer, &[])),
        &[],
    )
}

fn by_dimension(b: &Builder, module: ModuleRef, name: &str) -> [Value; 3] {
    let ty = Type::function(b.i64(), &[b.i32()]);
    let query = query(module, name, ty);
    [0, 1, 2].map(|dimension| b.call(query, &[b.i32().constant(dimension)]))
}

fn query(module: ModuleRef, name: &str, ty: Type) -> Value {
    ir::function(module, name).unwrap_or_else(|| ir::add_query(module, name, ty))
}

/// Calls a function of the platform's, declared for these arguments, that uses no memory of the
/// code's.
pub fn outside(
    b: &Builder,
    module: ModuleRef,
    name: &str,
    result: Type,
    arguments: &[Value],
) -> Value {
    let function = ir::function(module, name).unwrap_or_else(|| {
        let made = declared(module, name, result, arguments);
        made.touches_no_accessible_memory();
        made
    });
    b.call(function, arguments)
}

/// Calls a function of the platform's, declared for these arguments, that writes memory.
pub fn writer(b: &Builder, module: ModuleRef, name: &str, arguments: &[Value]) {
    let function = ir::function(module, name)
        .unwrap_or_else(|| declared(module, name, Type::void(b.context), arguments));
    b.call(function, arguments);
}

fn declared(module: ModuleRef, name: &str, result: Type, arguments: &[Value]) -> Value {
    let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let made = ir::add_function(module, name, Type::function(result, &types));
    for attribute in ["nounwind", "willreturn", "nofree", "nosync", "cold"] {
        made.add_attribute(attribute);
    }
    made
}
