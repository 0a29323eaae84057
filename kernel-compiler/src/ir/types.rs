//! Types, and their sizes in memory.

use super::ffi::taken;
use super::handle::DataLayout;
use super::handle::Type;
use super::{ContextRef, ModuleRef, TypeKind, Value};
use llvm_sys::core::*;
use llvm_sys::target::*;

impl Type {
    /// As LLVM writes it.
    pub fn text(self) -> String {
        taken(llvm!(LLVMPrintTypeToString(self.raw())))
    }

    pub fn context(self) -> ContextRef {
        ContextRef::new(llvm!(LLVMGetTypeContext(self.raw())))
    }

    pub fn kind(self) -> TypeKind {
        llvm!(LLVMGetTypeKind(self.raw()))
    }

    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> u32 {
        llvm!(LLVMGetPointerAddressSpace(self.raw()))
    }

    pub fn integer_bits(self) -> u32 {
        llvm!(LLVMGetIntTypeWidth(self.raw()))
    }

    /// Element type and number of elements of a vector.
    pub fn vector_elements(self) -> (Type, u32) {
        (
            Type::new(llvm!(LLVMGetElementType(self.raw()))),
            llvm!(LLVMGetVectorSize(self.raw())),
        )
    }

    pub fn pointer(context: ContextRef, address_space: u32) -> Type {
        Type::new(llvm!(LLVMPointerTypeInContext(
            context.raw(),
            address_space
        )))
    }

    pub fn integer(context: ContextRef, bits: u32) -> Type {
        Type::new(llvm!(LLVMIntTypeInContext(context.raw(), bits)))
    }

    /// An array of `count` of this.
    pub fn array(self, count: u64) -> Type {
        Type::new(llvm!(LLVMArrayType2(self.raw(), count)))
    }

    /// A structure of fields of these types.
    pub fn structure(context: ContextRef, fields: &[Type]) -> Type {
        let mut fields: Vec<_> = fields.iter().map(|field| field.raw()).collect();
        Type::new(llvm!(LLVMStructTypeInContext(
            context.raw(),
            fields.as_mut_ptr(),
            fields.len() as u32,
            0
        )))
    }

    pub fn void(context: ContextRef) -> Type {
        Type::new(llvm!(LLVMVoidTypeInContext(context.raw())))
    }

    pub fn function(result: Type, parameters: &[Type]) -> Type {
        let mut parameters: Vec<_> = parameters.iter().map(|t| t.raw()).collect();
        Type::new(llvm!(LLVMFunctionType(
            result.raw(),
            parameters.as_mut_ptr(),
            parameters.len() as u32,
            0
        )))
    }

    /// What functions of this type give.
    pub fn result(self) -> Type {
        Type::new(llvm!(LLVMGetReturnType(self.raw())))
    }

    /// Whether functions of this type may have more arguments than parameters.
    pub fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.raw())) != 0
    }

    pub fn poison(self) -> Value {
        Value::new(llvm!(LLVMGetPoison(self.raw())))
    }

    pub fn constant(self, value: u64) -> Value {
        Value::new(llvm!(LLVMConstInt(self.raw(), value, 0)))
    }

    /// A pointer with that value.
    pub fn constant_pointer(self, value: u64) -> Value {
        let integer = Type::integer(self.context(), 64).constant(value);
        Value::new(llvm!(LLVMConstIntToPtr(integer.raw(), self.raw())))
    }
}

impl DataLayout {
    pub fn of_module(module: ModuleRef) -> Self {
        Self::new(llvm!(LLVMGetModuleDataLayout(module.raw())))
    }

    /// Bytes from one element of an array of this type to the next.
    pub fn size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(self.raw(), ty.raw()))
    }

    /// The layout of the module that holds a function.
    pub fn of_function(function: Value) -> Self {
        Self::of_module(function.module())
    }

    /// Bytes that a store of this type writes.
    pub fn stored(self, ty: Type) -> u64 {
        llvm!(LLVMStoreSizeOfType(self.raw(), ty.raw()))
    }

    /// Bytes before a field of a structure.
    pub fn field_offset(self, ty: Type, field: u32) -> u64 {
        llvm!(LLVMOffsetOfElement(self.raw(), ty.raw(), field))
    }

    pub fn alignment(self, ty: Type) -> u32 {
        llvm!(LLVMABIAlignmentOfType(self.raw(), ty.raw()))
    }
}
