//! Loads from constant variables. LLVM replaces them while it inlines functions, also those out of
//! bounds, so that in a program to be checked no variable is a constant until checks are inserted.

use crate::intrinsics::address_space;
use crate::ir::{self, ModuleRef};

/// Has LLVM keep the loads of a program.
pub fn keep(module: ModuleRef) {
    set(module, false);
}

/// Lets LLVM replace them.
pub fn release(module: ModuleRef) {
    set(module, true);
}

fn set(module: ModuleRef, are_constant: bool) {
    for variable in ir::globals(module) {
        if variable.ty().address_space() == address_space::CONSTANT && !variable.is_declaration() {
            variable.set_constant_variable(are_constant);
        }
    }
}
