//! Types, and their sizes in memory.

use super::ffi::taken;
use super::handle::DataLayout;
use super::handle::Type;
use super::{TypeKind, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

impl Type {
    /// As LLVM writes it.
    pub fn text(self) -> String {
        taken(llvm!(LLVMPrintTypeToString(self.0)))
    }

    pub fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetTypeContext(self.0))
    }

    pub fn kind(self) -> TypeKind {
        llvm!(LLVMGetTypeKind(self.0))
    }

    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> u32 {
        llvm!(LLVMGetPointerAddressSpace(self.0))
    }

    pub fn integer_bits(self) -> u32 {
        llvm!(LLVMGetIntTypeWidth(self.0))
    }

    /// Element type and number of elements of a vector.
    pub fn vector_elements(self) -> (Type, u32) {
        (
            Type(llvm!(LLVMGetElementType(self.0))),
            llvm!(LLVMGetVectorSize(self.0)),
        )
    }

    pub fn pointer(context: LLVMContextRef, address_space: u32) -> Type {
        Type(llvm!(LLVMPointerTypeInContext(context, address_space)))
    }

    pub fn integer(context: LLVMContextRef, bits: u32) -> Type {
        Type(llvm!(LLVMIntTypeInContext(context, bits)))
    }

    /// An array of `count` of this.
    pub fn array(self, count: u64) -> Type {
        Type(llvm!(LLVMArrayType2(self.0, count)))
    }

    pub fn void(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMVoidTypeInContext(context)))
    }

    pub fn function(result: Type, parameters: &[Type]) -> Type {
        let mut parameters: Vec<_> = parameters.iter().map(|t| t.0).collect();
        Type(llvm!(LLVMFunctionType(
            result.0,
            parameters.as_mut_ptr(),
            parameters.len() as u32,
            0
        )))
    }

    pub fn poison(self) -> Value {
        Value(llvm!(LLVMGetPoison(self.0)))
    }

    pub fn constant(self, value: u64) -> Value {
        Value(llvm!(LLVMConstInt(self.0, value, 0)))
    }

    /// A pointer with that value.
    pub fn constant_pointer(self, value: u64) -> Value {
        let integer = Type::integer(self.context(), 64).constant(value);
        Value(llvm!(LLVMConstIntToPtr(integer.0, self.0)))
    }
}

impl DataLayout {
    pub fn of(module: LLVMModuleRef) -> Self {
        Self(llvm!(LLVMGetModuleDataLayout(module)))
    }

    /// Bytes from one element of an array of this type to the next.
    pub fn size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(self.0, ty.0))
    }

    /// The layout of the module that holds a function.
    pub fn of_function(function: Value) -> Self {
        Self::of(llvm!(LLVMGetGlobalParent(function.0)))
    }

    /// Bytes that a store of this type writes.
    pub fn stored(self, ty: Type) -> u64 {
        llvm!(LLVMStoreSizeOfType(self.0, ty.0))
    }

    /// Bytes before a field of a structure.
    pub fn field_offset(self, ty: Type, field: u32) -> u64 {
        llvm!(LLVMOffsetOfElement(self.0, ty.0, field))
    }

    pub fn alignment(self, ty: Type) -> u32 {
        llvm!(LLVMABIAlignmentOfType(self.0, ty.0))
    }
}
