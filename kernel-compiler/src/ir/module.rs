//! What a module holds.

use super::ffi::{c_string, some};
use super::{Type, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// The functions of a module.
pub fn functions(module: LLVMModuleRef) -> Vec<Value> {
    let mut functions = Vec::new();
    let mut next = llvm!(LLVMGetFirstFunction(module));
    while !next.is_null() {
        functions.push(Value(next));
        next = llvm!(LLVMGetNextFunction(next));
    }
    functions
}

/// The global variables of a module.
pub fn globals(module: LLVMModuleRef) -> Vec<Value> {
    let mut globals = Vec::new();
    let mut next = llvm!(LLVMGetFirstGlobal(module));
    while !next.is_null() {
        globals.push(Value(next));
        next = llvm!(LLVMGetNextGlobal(next));
    }
    globals
}

/// The function of that name.
pub fn function(module: LLVMModuleRef, name: &str) -> Option<Value> {
    some(llvm!(LLVMGetNamedFunction(module, c_string(name).as_ptr()))).map(Value)
}

/// Adds a function.
pub fn add_function(module: LLVMModuleRef, name: &str, ty: Type) -> Value {
    Value(llvm!(LLVMAddFunction(
        module,
        c_string(name).as_ptr(),
        ty.0
    )))
}

/// Adds a constant of the module's own.
pub fn add_constant_bytes(module: LLVMModuleRef, name: &str, bytes: &[u8]) -> Value {
    let context = llvm!(LLVMGetModuleContext(module));
    let constant = llvm!(LLVMConstStringInContext2(
        context,
        bytes.as_ptr().cast(),
        bytes.len(),
        1
    ));
    let global = Value(llvm!(LLVMAddGlobal(
        module,
        LLVMTypeOf(constant),
        c_string(name).as_ptr()
    )));
    llvm!(LLVMSetInitializer(global.0, constant));
    llvm!(LLVMSetGlobalConstant(global.0, 1));
    global.set_linkage(llvm_sys::LLVMLinkage::LLVMPrivateLinkage);
    global
}
