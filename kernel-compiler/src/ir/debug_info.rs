//! Debug information of functions: variables that debuggers show, and where these are.

use super::ffi::c_string;
use super::{Block, Value};
use llvm_sys::prelude::*;
use std::ffi::c_char;

#[repr(C)]
#[derive(Clone, Copy)]
struct RawVariable {
    address: LLVMValueRef,
    record: LLVMDbgRecordRef,
}

#[repr(C)]
struct RawField {
    name: *const c_char,
    count: u64,
    is_pointer: bool,
}

unsafe extern "C" {
    fn mocl3_is_debugged(function: LLVMValueRef) -> bool;
    fn mocl3_declared_variables(
        function: LLVMValueRef,
        variables: *mut RawVariable,
        capacity: usize,
    ) -> usize;
    fn mocl3_declare_again(
        block: LLVMBasicBlockRef,
        record: LLVMDbgRecordRef,
        address: LLVMValueRef,
        is_indirect: bool,
    );
    fn mocl3_declare_local_memory(before: LLVMValueRef, global: LLVMValueRef, slot: LLVMValueRef);
    fn mocl3_declare_work_item(
        kernel: LLVMValueRef,
        block: LLVMBasicBlockRef,
        storage: LLVMValueRef,
        fields: *const RawField,
        field_count: usize,
    );
    fn mocl3_move_subprogram(kernel: LLVMValueRef, function: LLVMValueRef);
    fn mocl3_attach_line_table(work_group_function: LLVMValueRef);
    fn mocl3_separate_scopes(blocks: *const LLVMBasicBlockRef, count: usize);
    fn mocl3_complete_debug_info(work_group_function: LLVMValueRef);
}

/// A variable that a kernel declares to debuggers, and its function, whose erasure would free the
/// record.
#[derive(Clone, Copy)]
pub struct DeclaredVariable {
    /// Its address in the kernel.
    pub address: Value,
    kernel: Value,
    record: LLVMDbgRecordRef,
}

/// Where a debugger finds a variable.
#[derive(Clone, Copy)]
pub enum VariableAddress {
    /// At this address.
    At(Value),
    /// At the address that is stored at this one.
    Through(Value),
}

/// A field of the structure `mocl3`, which identifies the work-item to debuggers: a number of
/// eight bytes or an array of them, or a pointer.
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Elements.
    pub count: u64,
    /// It is an address.
    pub is_pointer: bool,
}

impl Value {
    /// Whether a function has full debug information, as programs that are debugged have.
    pub fn is_debugged(self) -> bool {
        llvm!(mocl3_is_debugged(self.raw()))
    }

    /// The variables that a function declares to debuggers.
    pub fn declared_variables(self) -> Vec<DeclaredVariable> {
        let count = llvm!(mocl3_declared_variables(
            self.raw(),
            std::ptr::null_mut(),
            0
        ));
        let empty = RawVariable {
            address: std::ptr::null_mut(),
            record: std::ptr::null_mut(),
        };
        let mut variables = vec![empty; count];
        llvm!(mocl3_declared_variables(
            self.raw(),
            variables.as_mut_ptr(),
            count
        ));
        let declared = |RawVariable { address, record }| DeclaredVariable {
            address: Value::new(address),
            kernel: self,
            record,
        };
        variables.into_iter().map(declared).collect()
    }

    /// Declares a variable of local memory, whose address is stored in `slot`, before this
    /// instruction of its kernel.
    pub fn declare_local_memory(self, global: Value, slot: Value) {
        llvm!(mocl3_declare_local_memory(
            self.raw(),
            global.raw(),
            slot.raw()
        ));
    }

    /// Declares the structure `mocl3`, which is at `storage`, at the end of `block`; this is the
    /// kernel.
    pub fn declare_work_item(self, block: Block, storage: Value, fields: &[Field]) {
        let names: Vec<_> = fields.iter().map(|field| c_string(field.name)).collect();
        let raw = fields.iter().zip(&names).map(|(field, name)| RawField {
            name: name.as_ptr(),
            count: field.count,
            is_pointer: field.is_pointer,
        });
        let raw: Vec<_> = raw.collect();
        llvm!(mocl3_declare_work_item(
            self.raw(),
            block.raw(),
            storage.raw(),
            raw.as_ptr(),
            raw.len()
        ));
    }

    /// Gives this kernel's debug information to its work-group function.
    pub fn move_subprogram_to(self, function: Value) {
        llvm!(mocl3_move_subprogram(self.raw(), function.raw()));
    }

    /// Has code generation write a line table of this work-group function, if it was made of a kernel
    /// with lines.
    pub fn attach_line_table(self) {
        llvm!(mocl3_attach_line_table(self.raw()));
    }

    /// Prepares the module of this work-group function, which is debugged, for code generation: each
    /// instruction of it has a line, and functions of the program are not optimised.
    pub fn complete_debug_info(self) {
        llvm!(mocl3_complete_debug_info(self.raw()));
    }
}

/// Gives the code of these blocks, a copy of code of a kernel that is debugged, scopes of its own:
/// debuggers have one breakpoint for a line in each scope.
pub fn separate_scopes(blocks: impl Iterator<Item = Block>) {
    let raw: Vec<_> = blocks.map(Block::raw).collect();
    llvm!(mocl3_separate_scopes(raw.as_ptr(), raw.len()));
}

impl DeclaredVariable {
    /// Declares it again, at the end of `block`.
    ///
    /// # Panics
    /// Its kernel is of an earlier epoch.
    pub fn declare(self, block: Block, place: VariableAddress) {
        // The record lives as long as the kernel.
        self.kernel.raw();
        let (address, is_indirect) = match place {
            VariableAddress::At(address) => (address, false),
            VariableAddress::Through(slot) => (slot, true),
        };
        llvm!(mocl3_declare_again(
            block.raw(),
            self.record,
            address.raw(),
            is_indirect
        ));
    }
}
