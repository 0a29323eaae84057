//! Values that are functions: blocks, parameters, attributes, linkage.

use super::ffi::c_string;
use super::graveyard;
use super::{Block, ModuleRef, Type, Value};
use llvm_sys::core::*;

impl Value {
    /// Erases a function; uses of it become poison.
    ///
    /// # Panics
    /// It is no function.
    pub fn delete_function(self) {
        assert!(self.is_function(), "only functions are deleted");
        llvm!(graveyard::bury(self.raw()));
    }

    /// The module that a function is in.
    ///
    /// # Panics
    /// The function is erased.
    pub fn module(self) -> ModuleRef {
        ModuleRef::new(llvm!(LLVMGetGlobalParent(self.raw())))
    }

    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.raw())) != 0
    }

    pub fn function_type(self) -> Type {
        self.value_type()
    }

    pub fn parameters(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.raw())))
            .map(|i| Value::new(llvm!(LLVMGetParam(self.raw(), i))))
            .collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut next = llvm!(LLVMGetFirstBasicBlock(self.raw()));
        while !next.is_null() {
            blocks.push(Block::new(next));
            next = llvm!(LLVMGetNextBasicBlock(next));
        }
        blocks
    }

    pub fn entry_block(self) -> Block {
        Block::new(llvm!(LLVMGetEntryBasicBlock(self.raw())))
    }

    pub fn instructions(self) -> Vec<Value> {
        self.blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .collect()
    }

    pub fn append_block(self, name: &str) -> Block {
        let context = self.ty().context();
        Block::new(llvm!(LLVMAppendBasicBlockInContext(
            context.raw(),
            self.raw(),
            c_string(name).as_ptr()
        )))
    }

    pub fn calling_convention(self) -> u32 {
        llvm!(LLVMGetFunctionCallConv(self.raw()))
    }

    /// Whether other units see a function or variable.
    pub fn is_external(self) -> bool {
        llvm!(LLVMGetLinkage(self.raw())) == llvm_sys::LLVMLinkage::LLVMExternalLinkage
    }

    /// Whether only its own unit sees a function or variable.
    pub fn is_local(self) -> bool {
        use llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        matches!(
            llvm!(LLVMGetLinkage(self.raw())),
            LLVMInternalLinkage | LLVMPrivateLinkage
        )
    }

    /// The type of the value that a global variable holds.
    pub fn value_type(self) -> Type {
        Type::new(llvm!(LLVMGlobalGetValueType(self.raw())))
    }

    /// The section that a function or variable is placed in; empty if the source names none.
    pub fn section(self) -> String {
        let section = llvm!(LLVMGetSection(self.raw()));
        if section.is_null() {
            return String::new();
        }
        // SAFETY: LLVM's text ends in NUL and lives as long as the value.
        let section = unsafe { std::ffi::CStr::from_ptr(section) };
        section.to_string_lossy().into_owned()
    }

    /// Places a function or variable in a section.
    pub fn set_section(self, name: &str) {
        let name = c_string(name);
        llvm!(LLVMSetSection(self.raw(), name.as_ptr()));
    }

    /// Gives a variable its first contents.
    pub fn set_initializer(self, value: Value) {
        llvm!(LLVMSetInitializer(self.raw(), value.raw()));
    }

    /// Places a function or variable where code generation chooses.
    pub fn remove_section(self) {
        llvm!(LLVMSetSection(self.raw(), c"".as_ptr()));
    }

    pub fn set_linkage(self, linkage: llvm_sys::LLVMLinkage) {
        llvm!(LLVMSetLinkage(self.raw(), linkage));
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

    /// A function reads and writes no memory.
    pub fn touches_no_memory(self) {
        self.add_attribute_with("memory", 0);
    }

    /// Has the calls that led to each instruction of a function found on the stack.
    pub fn keep_unwind_tables(self) {
        // Asynchronous ones (llvm/Support/CodeGen.h).
        self.add_attribute_with("uwtable", 2);
    }

    fn add_attribute_with(self, name: &str, value: u64) {
        let kind = attribute_kind(name);
        let attribute = llvm!(LLVMCreateEnumAttribute(
            self.ty().context().raw(),
            kind,
            value
        ));
        llvm!(LLVMAddAttributeAtIndex(
            self.raw(),
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute
        ));
    }

    /// Removes an enum attribute from a function.
    pub fn remove_attribute(self, name: &str) {
        llvm!(LLVMRemoveEnumAttributeAtIndex(
            self.raw(),
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute_kind(name)
        ));
    }

    pub fn has_text_attribute(self, name: &str) -> bool {
        let attribute = llvm!(LLVMGetStringAttributeAtIndex(
            self.raw(),
            llvm_sys::LLVMAttributeFunctionIndex,
            c_string(name).as_ptr(),
            name.len() as u32
        ));
        !attribute.is_null()
    }

    pub fn set_text_attribute(self, name: &str, value: &str) {
        llvm!(LLVMAddTargetDependentFunctionAttr(
            self.raw(),
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
                self.raw(),
                llvm_sys::LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                name.len() as u32
            ));
        }
    }

    /// Whether the result of a function is a number without sign that is narrower than a register.
    pub fn has_unsigned_result(self) -> bool {
        let attribute = llvm!(LLVMGetEnumAttributeAtIndex(
            self.raw(),
            llvm_sys::LLVMAttributeReturnIndex,
            attribute_kind("zeroext")
        ));
        !attribute.is_null()
    }

    /// Whether an argument of a call is a number without sign that is narrower than a register.
    pub fn has_unsigned_argument(self, argument: u32) -> bool {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(
            self.raw(),
            argument + 1,
            attribute_kind("zeroext")
        ));
        !attribute.is_null()
    }

    /// The type of a `byval` parameter.
    pub fn by_value_type(self, parameter: u32) -> Option<Type> {
        let attribute = llvm!(LLVMGetEnumAttributeAtIndex(
            self.raw(),
            parameter + 1,
            attribute_kind("byval")
        ));
        (!attribute.is_null()).then(|| Type::new(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The type of a `byval` argument of a call.
    pub fn by_value_argument_type(self, argument: u32) -> Option<Type> {
        self.type_of_argument(argument, "byval")
    }

    /// The type of what an argument of assembly in memory points to.
    pub fn element_type_of_argument(self, argument: u32) -> Option<Type> {
        self.type_of_argument(argument, "elementtype")
    }

    fn type_of_argument(self, argument: u32, attribute: &str) -> Option<Type> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(
            self.raw(),
            argument + 1,
            attribute_kind(attribute)
        ));
        (!attribute.is_null()).then(|| Type::new(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }
}

fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(
        name.as_ptr().cast(),
        name.len()
    ))
}
