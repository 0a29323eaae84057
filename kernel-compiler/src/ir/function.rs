//! Values that are functions: blocks, parameters, attributes, linkage.

use super::ffi::c_string;
use super::{Block, Type, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMModuleRef;

impl Value {
    pub fn delete_function(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }

    /// The module that a function is in.
    pub fn module(self) -> LLVMModuleRef {
        llvm!(LLVMGetGlobalParent(self.0))
    }

    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    pub fn function_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    pub fn parameters(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.0)))
            .map(|i| Value(llvm!(LLVMGetParam(self.0, i))))
            .collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut next = llvm!(LLVMGetFirstBasicBlock(self.0));
        while !next.is_null() {
            blocks.push(Block(next));
            next = llvm!(LLVMGetNextBasicBlock(next));
        }
        blocks
    }

    pub fn entry_block(self) -> Block {
        Block(llvm!(LLVMGetEntryBasicBlock(self.0)))
    }

    pub fn instructions(self) -> Vec<Value> {
        self.blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .collect()
    }

    pub fn append_block(self, name: &str) -> Block {
        let context = self.ty().context();
        Block(llvm!(LLVMAppendBasicBlockInContext(
            context,
            self.0,
            c_string(name).as_ptr()
        )))
    }

    pub fn calling_convention(self) -> u32 {
        llvm!(LLVMGetFunctionCallConv(self.0))
    }

    /// Whether other units see a function or variable.
    pub fn is_external(self) -> bool {
        llvm!(LLVMGetLinkage(self.0)) == llvm_sys::LLVMLinkage::LLVMExternalLinkage
    }

    pub fn set_linkage(self, linkage: llvm_sys::LLVMLinkage) {
        llvm!(LLVMSetLinkage(self.0, linkage));
    }

    /// Adds an enum attribute such as `alwaysinline` to a function.
    pub fn add_attribute(self, name: &str) {
        self.add_attribute_with(name, 0);
    }

    /// A function reads and writes no memory that its callers know of.
    pub fn touches_no_accessible_memory(self) {
        // Two bits for reading and writing at the second kind of memory, which is inaccessible
        // (llvm/Support/ModRef.h).
        self.add_attribute_with("memory", 3 << 2);
    }

    fn add_attribute_with(self, name: &str, value: u64) {
        let kind = attribute_kind(name);
        let attribute = llvm!(LLVMCreateEnumAttribute(self.ty().context(), kind, value));
        llvm!(LLVMAddAttributeAtIndex(
            self.0,
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute
        ));
    }

    /// Removes an enum attribute from a function.
    pub fn remove_attribute(self, name: &str) {
        llvm!(LLVMRemoveEnumAttributeAtIndex(
            self.0,
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute_kind(name)
        ));
    }

    pub fn has_text_attribute(self, name: &str) -> bool {
        let attribute = llvm!(LLVMGetStringAttributeAtIndex(
            self.0,
            llvm_sys::LLVMAttributeFunctionIndex,
            c_string(name).as_ptr(),
            name.len() as u32
        ));
        !attribute.is_null()
    }

    pub fn set_text_attribute(self, name: &str, value: &str) {
        llvm!(LLVMAddTargetDependentFunctionAttr(
            self.0,
            c_string(name).as_ptr(),
            c_string(value).as_ptr()
        ));
    }

    /// Removes what the front end says of the CPU it compiled for.
    pub fn remove_text_attributes(self) {
        for name in [
            "target-cpu",
            "target-features",
            "tune-cpu",
            "min-legal-vector-width",
            "stack-protector-buffer-size",
            "no-trapping-math",
        ] {
            llvm!(LLVMRemoveStringAttributeAtIndex(
                self.0,
                llvm_sys::LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                name.len() as u32
            ));
        }
    }

    /// The type of a `byval` parameter.
    pub fn by_value_type(self, parameter: u32) -> Option<Type> {
        let attribute = llvm!(LLVMGetEnumAttributeAtIndex(
            self.0,
            parameter + 1,
            attribute_kind("byval")
        ));
        (!attribute.is_null()).then(|| Type(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The type of a `byval` argument of a call.
    pub fn by_value_argument_type(self, argument: u32) -> Option<Type> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(
            self.0,
            argument + 1,
            attribute_kind("byval")
        ));
        (!attribute.is_null()).then(|| Type(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }
}

fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(
        name.as_ptr().cast(),
        name.len()
    ))
}
