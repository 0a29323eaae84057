//! LLVM IR as the passes of this crate see it: small copyable references to
//! values, blocks and types, over LLVM's C interface.
//!
//! Not inkwell's values: there each kind of value is a type of its own, while passes
//! clone, move and rewire instructions of all kinds alike.
//!
//! A reference is valid as long as its module; the passes hold the module for as
//! long as they run, and use no reference to what they have erased.

use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, CString};

pub use llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};

/// Calls LLVM's C interface.
macro_rules! llvm {
    ($($call:tt)*) => {
        // SAFETY: the references passed belong to the module the caller works on,
        // which is alive and used by this thread only (see the module's comment).
        unsafe { $($call)* }
    };
}

/// A value: instruction, argument, constant, function or global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub LLVMTypeRef);

fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// LLVM takes names as C strings; ours have no NUL.
pub fn c_string(text: &str) -> CString {
    CString::new(text).expect("names in this crate hold no NUL")
}

impl Value {
    pub fn ty(self) -> Type {
        Type(llvm!(LLVMTypeOf(self.0)))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMGetValueName2(self.0, &mut length));
        // SAFETY: LLVM gives start and length of the name it keeps.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// As LLVM writes it: an instruction with all its operands.
    pub fn text(self) -> String {
        let text = llvm!(LLVMPrintValueToString(self.0));
        taken(text).trim().to_owned()
    }

    pub fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    pub fn is_instruction(self) -> bool {
        some(llvm!(LLVMIsAInstruction(self.0))).is_some()
    }

    pub fn is_constant(self) -> bool {
        llvm!(LLVMIsConstant(self.0)) != 0
    }

    pub fn is_function(self) -> bool {
        some(llvm!(LLVMIsAFunction(self.0))).is_some()
    }

    pub fn opcode(self) -> Opcode {
        llvm!(LLVMGetInstructionOpcode(self.0))
    }

    pub fn is(self, opcode: Opcode) -> bool {
        self.is_instruction() && self.opcode() == opcode
    }

    pub fn operands(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumOperands(self.0)).max(0) as u32;
        (0..count)
            .filter_map(|i| some(llvm!(LLVMGetOperand(self.0, i))).map(Value))
            .collect()
    }

    pub fn operand(self, index: u32) -> Value {
        Value(llvm!(LLVMGetOperand(self.0, index)))
    }

    pub fn set_operand(self, index: u32, value: Value) {
        llvm!(LLVMSetOperand(self.0, index, value.0));
    }

    /// Users of this value, one entry per use.
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = llvm!(LLVMGetFirstUse(self.0));
        while !next.is_null() {
            users.push(Value(llvm!(LLVMGetUser(next))));
            next = llvm!(LLVMGetNextUse(next));
        }
        users
    }

    pub fn replace_all_uses_with(self, value: Value) {
        llvm!(LLVMReplaceAllUsesWith(self.0, value.0));
    }

    pub fn block(self) -> Block {
        Block(llvm!(LLVMGetInstructionParent(self.0)))
    }

    pub fn next_instruction(self) -> Option<Value> {
        some(llvm!(LLVMGetNextInstruction(self.0))).map(Value)
    }

    pub fn is_terminator(self) -> bool {
        some(llvm!(LLVMIsATerminatorInst(self.0))).is_some()
    }

    pub fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }

    pub fn remove_from_block(self) {
        llvm!(LLVMInstructionRemoveFromParent(self.0));
    }

    /// A copy of an instruction with the same operands, in no block.
    pub fn clone_instruction(self) -> Value {
        Value(llvm!(LLVMInstructionClone(self.0)))
    }

    /// The function a call calls, if it calls one by name.
    pub fn called_function(self) -> Option<Value> {
        if !self.is(Opcode::LLVMCall) {
            return None;
        }
        let called = Value(llvm!(LLVMGetCalledValue(self.0)));
        called.is_function().then_some(called)
    }

    /// Whether this is a call of the function of that name.
    pub fn calls(self, name: &str) -> bool {
        self.called_function().is_some_and(|f| f.name() == name)
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = llvm!(LLVMCountIncoming(self.0));
        (0..count)
            .map(|i| {
                (
                    Value(llvm!(LLVMGetIncomingValue(self.0, i))),
                    Block(llvm!(LLVMGetIncomingBlock(self.0, i))),
                )
            })
            .collect()
    }

    pub fn add_incoming(self, value: Value, block: Block) {
        llvm!(LLVMAddIncoming(
            self.0,
            [value.0].as_mut_ptr(),
            [block.0].as_mut_ptr(),
            1
        ));
    }

    pub fn successors(self) -> Vec<Block> {
        (0..llvm!(LLVMGetNumSuccessors(self.0)))
            .map(|i| Block(llvm!(LLVMGetSuccessor(self.0, i))))
            .collect()
    }

    pub fn set_successor(self, index: u32, block: Block) {
        llvm!(LLVMSetSuccessor(self.0, index, block.0));
    }

    pub fn allocated_type(self) -> Type {
        Type(llvm!(LLVMGetAllocatedType(self.0)))
    }

    /// Alignment in bytes of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }

    pub fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }

    pub fn is_volatile(self) -> bool {
        llvm!(LLVMGetVolatile(self.0)) != 0
    }

    pub fn is_atomic(self) -> bool {
        llvm!(LLVMIsAtomic(self.0)) != 0
    }

    /// Bytes that a getelementptr with one constant index adds.
    pub fn constant_offset(self, layout: DataLayout) -> Option<u64> {
        if self.opcode() != Opcode::LLVMGetElementPtr || self.operands().len() != 2 {
            return None;
        }
        let element = Type(llvm!(LLVMGetGEPSourceElementType(self.0)));
        Some(self.operand(1).as_integer()? * layout.size(element))
    }

    /// Value of an integer constant.
    pub fn as_integer(self) -> Option<u64> {
        some(llvm!(LLVMIsAConstantInt(self.0)))
            .map(|constant| llvm!(LLVMConstIntGetZExtValue(constant)))
    }

    /// A vector of `count` of this constant.
    pub fn in_all_elements(self, count: u32) -> Value {
        let mut elements = vec![self.0; count as usize];
        Value(llvm!(LLVMConstVector(elements.as_mut_ptr(), count)))
    }

    pub fn set_metadata(self, kind: u32, node: LLVMMetadataRef) {
        let context = self.ty().context();
        llvm!(LLVMSetMetadata(
            self.0,
            kind,
            LLVMMetadataAsValue(context, node)
        ));
    }

    /// Operation of an `atomicrmw`; none for other instructions.
    pub fn atomic_operation(self) -> Option<llvm_sys::LLVMAtomicRMWBinOp> {
        self.is(Opcode::LLVMAtomicRMW)
            .then(|| llvm!(LLVMGetAtomicRMWBinOp(self.0)))
    }

    pub fn is_global_variable(self) -> bool {
        some(llvm!(LLVMIsAGlobalVariable(self.0))).is_some()
    }

    pub fn is_constant_expression(self) -> bool {
        some(llvm!(LLVMIsAConstantExpr(self.0))).is_some()
    }

    /// Whether other units see a function or variable.
    pub fn is_external(self) -> bool {
        llvm!(LLVMGetLinkage(self.0)) == llvm_sys::LLVMLinkage::LLVMExternalLinkage
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

    pub fn delete_function(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }

    /// Sets no-wrap flags of an integer operation.
    pub fn no_wrap(self) -> Value {
        if self.is_instruction() {
            llvm!(LLVMSetNUW(self.0, 1));
            llvm!(LLVMSetNSW(self.0, 1));
        }
        self
    }

    // Functions.

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

    pub fn set_linkage(self, linkage: llvm_sys::LLVMLinkage) {
        llvm!(LLVMSetLinkage(self.0, linkage));
    }

    /// Adds an enum attribute such as `alwaysinline` to a function.
    pub fn add_attribute(self, name: &str) {
        let kind = attribute_kind(name);
        let attribute = llvm!(LLVMCreateEnumAttribute(self.ty().context(), kind, 0));
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

    /// Metadata nodes attached to a function, by kind.
    pub fn function_metadata(self, kind: &str) -> Option<Vec<Metadata>> {
        let context = self.ty().context();
        let kind = metadata_kind(context, kind);
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let found = (0..count as u32)
            .find(|&i| llvm!(LLVMValueMetadataEntriesGetKind(entries, i)) == kind)
            .map(|i| {
                let node = llvm!(LLVMValueMetadataEntriesGetMetadata(entries, i));
                let node = llvm!(LLVMMetadataAsValue(context, node));
                let operands = llvm!(LLVMGetMDNodeNumOperands(node)) as usize;
                let mut values = vec![std::ptr::null_mut(); operands];
                llvm!(LLVMGetMDNodeOperands(node, values.as_mut_ptr()));
                values.into_iter().map(Metadata::of).collect()
            });
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        found
    }
}

/// An operand of a metadata node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// A string.
    Text(String),
    /// An integer constant.
    Integer(u64),
    /// Anything else, with the type it names if it is a value.
    Other(Option<Type>),
}

impl Metadata {
    fn of(value: LLVMValueRef) -> Self {
        if value.is_null() {
            return Self::Other(None);
        }
        let mut length = 0;
        let text = llvm!(LLVMGetMDString(value, &mut length));
        if !text.is_null() {
            // SAFETY: LLVM gives start and length of the string it keeps.
            let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) };
            return Self::Text(String::from_utf8_lossy(bytes).into_owned());
        }
        match Value(value).as_integer() {
            Some(integer) => Self::Integer(integer),
            None => Self::Other(Some(Value(value).ty())),
        }
    }
}

fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(
        name.as_ptr().cast(),
        name.len()
    ))
}

/// Number of a metadata kind.
pub fn metadata_kind(context: LLVMContextRef, name: &str) -> u32 {
    llvm!(LLVMGetMDKindIDInContext(
        context,
        name.as_ptr().cast(),
        name.len() as u32
    ))
}

impl Block {
    /// Empty if it has none.
    pub fn name(self) -> String {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).name()
    }

    pub fn set_name(self, name: &str) {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).set_name(name);
    }

    pub fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        let mut next = some(llvm!(LLVMGetFirstInstruction(self.0))).map(Value);
        while let Some(instruction) = next {
            instructions.push(instruction);
            next = instruction.next_instruction();
        }
        instructions
    }

    pub fn function(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockParent(self.0)))
    }

    pub fn is_terminated(self) -> bool {
        some(llvm!(LLVMGetBasicBlockTerminator(self.0))).is_some()
    }

    pub fn terminator(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }

    pub fn successors(self) -> Vec<Block> {
        self.terminator().successors()
    }

    /// The first instruction that is no φ.
    pub fn first_after_phis(self) -> Value {
        self.instructions()
            .into_iter()
            .find(|i| i.opcode() != Opcode::LLVMPHI)
            .expect("a block ends in a terminator")
    }

    /// A new block placed before this one.
    pub fn insert_before(self, name: &str) -> Block {
        let context = llvm!(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(
            self.0
        ))));
        Block(llvm!(LLVMInsertBasicBlockInContext(
            context,
            self.0,
            c_string(name).as_ptr()
        )))
    }
}

/// A message of LLVM's, freed.
fn taken(text: *mut std::ffi::c_char) -> String {
    // SAFETY: LLVM gives a NUL-terminated string that is ours to free, once.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}

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

/// Sizes and alignments of types.
#[derive(Clone, Copy)]
pub struct DataLayout(LLVMTargetDataRef);

impl DataLayout {
    pub fn of(module: LLVMModuleRef) -> Self {
        Self(llvm!(LLVMGetModuleDataLayout(module)))
    }

    /// Bytes from one element of an array of this type to the next.
    pub fn size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(self.0, ty.0))
    }

    pub fn alignment(self, ty: Type) -> u32 {
        llvm!(LLVMABIAlignmentOfType(self.0, ty.0))
    }
}

/// Builds instructions at a place.
pub struct Builder {
    builder: LLVMBuilderRef,
    /// The context instructions are made in.
    pub context: LLVMContextRef,
}

impl Drop for Builder {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.builder));
    }
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Builder {
    pub fn new(context: LLVMContextRef) -> Self {
        Self {
            builder: llvm!(LLVMCreateBuilderInContext(context)),
            context,
        }
    }

    pub fn at_end(&self, block: Block) {
        llvm!(LLVMPositionBuilderAtEnd(self.builder, block.0));
    }

    pub fn before(&self, instruction: Value) {
        llvm!(LLVMPositionBuilderBefore(self.builder, instruction.0));
    }

    /// Puts an instruction that is in no block here; it keeps its name.
    pub fn insert(&self, instruction: Value) {
        let name = c_string(&instruction.name());
        llvm!(LLVMInsertIntoBuilderWithName(
            self.builder,
            instruction.0,
            name.as_ptr()
        ));
    }

    pub fn i8(&self) -> Type {
        Type::integer(self.context, 8)
    }
    pub fn i32(&self) -> Type {
        Type::integer(self.context, 32)
    }
    pub fn i64(&self) -> Type {
        Type::integer(self.context, 64)
    }

    pub fn add(&self, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildAdd(self.builder, a.0, b.0, NO_NAME)))
    }
    pub fn multiply(&self, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildMul(self.builder, a.0, b.0, NO_NAME)))
    }
    pub fn and(&self, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildAnd(self.builder, a.0, b.0, NO_NAME)))
    }
    pub fn binary(&self, opcode: Opcode, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildBinOp(
            self.builder,
            opcode,
            a.0,
            b.0,
            NO_NAME
        )))
    }

    pub fn compare(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildICmp(
            self.builder,
            predicate,
            a.0,
            b.0,
            NO_NAME
        )))
    }
    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildSelect(
            self.builder,
            condition.0,
            a.0,
            b.0,
            NO_NAME
        )))
    }
    pub fn zero_extend(&self, a: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildZExt(self.builder, a.0, ty.0, NO_NAME)))
    }
    /// Zero extension of a value that is not negative as a signed number.
    pub fn zero_extend_not_negative(&self, a: Value, ty: Type) -> Value {
        let extended = self.zero_extend(a, ty);
        if extended.is_instruction() {
            llvm!(LLVMSetNNeg(extended.0, 1));
        }
        extended
    }
    pub fn truncate(&self, a: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildTrunc(self.builder, a.0, ty.0, NO_NAME)))
    }
    pub fn address_space_cast(&self, a: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildAddrSpaceCast(
            self.builder,
            a.0,
            ty.0,
            NO_NAME
        )))
    }
    /// `pointer` moved by `bytes`.
    pub fn offset(&self, pointer: Value, bytes: Value) -> Value {
        Value(llvm!(LLVMBuildInBoundsGEP2(
            self.builder,
            self.i8().0,
            pointer.0,
            [bytes.0].as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    pub fn load(&self, ty: Type, pointer: Value, alignment: u32) -> Value {
        let load = Value(llvm!(LLVMBuildLoad2(
            self.builder,
            ty.0,
            pointer.0,
            NO_NAME
        )));
        load.set_alignment(alignment);
        load
    }
    pub fn store(&self, value: Value, pointer: Value, alignment: u32) -> Value {
        let store = Value(llvm!(LLVMBuildStore(self.builder, value.0, pointer.0)));
        store.set_alignment(alignment);
        store
    }
    pub fn alloca(&self, ty: Type, name: &str) -> Value {
        Value(llvm!(LLVMBuildAlloca(
            self.builder,
            ty.0,
            c_string(name).as_ptr()
        )))
    }
    pub fn phi(&self, ty: Type, name: &str) -> Value {
        Value(llvm!(LLVMBuildPhi(
            self.builder,
            ty.0,
            c_string(name).as_ptr()
        )))
    }
    pub fn branch(&self, target: Block) -> Value {
        Value(llvm!(LLVMBuildBr(self.builder, target.0)))
    }
    pub fn branch_if(&self, condition: Value, yes: Block, no: Block) -> Value {
        Value(llvm!(LLVMBuildCondBr(
            self.builder,
            condition.0,
            yes.0,
            no.0
        )))
    }
    pub fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        let switch = llvm!(LLVMBuildSwitch(
            self.builder,
            value.0,
            default.0,
            cases.len() as u32
        ));
        for (case, block) in cases {
            llvm!(LLVMAddCase(switch, case.0, block.0));
        }
        Value(switch)
    }
    pub fn return_void(&self) -> Value {
        Value(llvm!(LLVMBuildRetVoid(self.builder)))
    }
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|a| a.0).collect();
        Value(llvm!(LLVMBuildCall2(
            self.builder,
            function.function_type().0,
            function.0,
            arguments.as_mut_ptr(),
            arguments.len() as u32,
            NO_NAME
        )))
    }
    pub fn insert_value(&self, aggregate: Value, element: Value, index: u32) -> Value {
        Value(llvm!(LLVMBuildInsertValue(
            self.builder,
            aggregate.0,
            element.0,
            index,
            NO_NAME
        )))
    }
}

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

/// A metadata node of nodes.
pub fn metadata_node(context: LLVMContextRef, operands: &[LLVMMetadataRef]) -> LLVMMetadataRef {
    let mut operands = operands.to_vec();
    llvm!(LLVMMDNodeInContext2(
        context,
        operands.as_mut_ptr(),
        operands.len()
    ))
}

/// A metadata string.
pub fn metadata_text(context: LLVMContextRef, text: &str) -> LLVMMetadataRef {
    llvm!(LLVMMDStringInContext2(
        context,
        text.as_ptr().cast(),
        text.len()
    ))
}

/// A constant as a metadata operand.
pub fn metadata_constant(value: Value) -> LLVMMetadataRef {
    llvm!(LLVMValueAsMetadata(value.0))
}

/// A metadata node that is distinct from all others (its first operand is itself),
/// as loops are named.
pub fn metadata_loop_id(
    context: LLVMContextRef,
    properties: &[LLVMMetadataRef],
) -> LLVMMetadataRef {
    let placeholder = llvm!(LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0));
    let mut operands = vec![placeholder];
    operands.extend_from_slice(properties);
    let node = metadata_node(context, &operands);
    llvm!(LLVMMetadataReplaceAllUsesWith(placeholder, node));
    node
}
