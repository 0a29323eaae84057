//! What a module holds.

use super::ffi::{c_string, some};
use super::{ContextRef, ModuleRef, Type, Value};
use llvm_sys::core::*;

/// The functions of a module.
pub fn functions(module: ModuleRef) -> Vec<Value> {
    let mut functions = Vec::new();
    let mut next = llvm!(LLVMGetFirstFunction(module.raw()));
    while !next.is_null() {
        functions.push(Value::new(next));
        next = llvm!(LLVMGetNextFunction(next));
    }
    functions
}

/// The global variables of a module.
pub fn globals(module: ModuleRef) -> Vec<Value> {
    let mut globals = Vec::new();
    let mut next = llvm!(LLVMGetFirstGlobal(module.raw()));
    while !next.is_null() {
        globals.push(Value::new(next));
        next = llvm!(LLVMGetNextGlobal(next));
    }
    globals
}

/// The function of that name.
pub fn function(module: ModuleRef, name: &str) -> Option<Value> {
    some(llvm!(LLVMGetNamedFunction(
        module.raw(),
        c_string(name).as_ptr()
    )))
    .map(Value::new)
}

/// Adds a function.
pub fn add_function(module: ModuleRef, name: &str, ty: Type) -> Value {
    Value::new(llvm!(LLVMAddFunction(
        module.raw(),
        c_string(name).as_ptr(),
        ty.raw()
    )))
}

/// Adds a function that only computes its result, which is the same at each call with the same
/// arguments.
pub fn add_query(module: ModuleRef, name: &str, ty: Type) -> Value {
    let made = add_function(module, name, ty);
    for attribute in ["nounwind", "willreturn", "nofree", "nosync", "speculatable"] {
        made.add_attribute(attribute);
    }
    made.touches_no_memory();
    made
}

/// Adds a constant that other modules see: an array of pointers.
pub fn add_constant_pointers(module: ModuleRef, name: &str, pointers: &[Value]) {
    let context = ContextRef::new(llvm!(LLVMGetModuleContext(module.raw())));
    let pointer = Type::pointer(context, 0);
    let mut values: Vec<_> = pointers.iter().map(|one| one.raw()).collect();
    let constant = llvm!(LLVMConstArray2(
        pointer.raw(),
        values.as_mut_ptr(),
        values.len() as u64
    ));
    let global = llvm!(LLVMAddGlobal(
        module.raw(),
        LLVMTypeOf(constant),
        c_string(name).as_ptr()
    ));
    llvm!(LLVMSetInitializer(global, constant));
    llvm!(LLVMSetGlobalConstant(global, 1));
}

/// Adds a variable that other modules see. It has no contents yet.
pub fn add_variable(module: ModuleRef, name: &str, ty: Type) -> Value {
    Value::new(llvm!(LLVMAddGlobal(
        module.raw(),
        ty.raw(),
        c_string(name).as_ptr()
    )))
}

/// The context of a module.
pub fn context(module: ModuleRef) -> ContextRef {
    ContextRef::new(llvm!(LLVMGetModuleContext(module.raw())))
}

/// Adds a constant of the module's own.
pub fn add_constant_bytes(module: ModuleRef, name: &str, bytes: &[u8]) -> Value {
    let context = llvm!(LLVMGetModuleContext(module.raw()));
    let constant = llvm!(LLVMConstStringInContext2(
        context,
        bytes.as_ptr().cast(),
        bytes.len(),
        1
    ));
    let global = Value::new(llvm!(LLVMAddGlobal(
        module.raw(),
        LLVMTypeOf(constant),
        c_string(name).as_ptr()
    )));
    llvm!(LLVMSetInitializer(global.raw(), constant));
    llvm!(LLVMSetGlobalConstant(global.raw(), 1));
    global.set_linkage(llvm_sys::LLVMLinkage::LLVMPrivateLinkage);
    global
}

/// Removes the assembly that a module has outside functions.
pub fn take_assembly(module: ModuleRef) -> String {
    let mut length = 0;
    let start = llvm!(LLVMGetModuleInlineAsm(module.raw(), &mut length));
    if length == 0 {
        return String::new();
    }
    // SAFETY: LLVM gives the start and the length of a text that the module owns.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    let text = String::from_utf8_lossy(bytes).into_owned();
    llvm!(LLVMSetModuleInlineAsm2(module.raw(), c"".as_ptr(), 0));
    text
}
