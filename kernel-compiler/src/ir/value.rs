//! Values: instructions, arguments and constants.

use super::epoch;
use super::ffi::{some, taken};
use super::graveyard;
use super::handle::Value;
use super::{Block, DataLayout, Opcode, SourceFile, Type};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine,
    LLVMInstructionGetDebugLoc,
};
use llvm_sys::prelude::LLVMValueRef;
use std::ffi::c_char;

unsafe extern "C" {
    fn mocl3_source_function(instruction: LLVMValueRef, length: *mut usize) -> *const c_char;
}

/// Assembly in a function.
pub struct InlineAssembly {
    /// Its text, with places for operands.
    pub template: String,
    /// What its operands are.
    pub constraints: String,
}

impl Value {
    pub fn ty(self) -> Type {
        Type::new(llvm!(LLVMTypeOf(self.raw())))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let start = llvm!(LLVMGetValueName2(self.raw(), &mut length));
        // SAFETY: LLVM gives start and length of the name it keeps.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// As LLVM writes it: an instruction with all its operands.
    pub fn text(self) -> String {
        let text = llvm!(LLVMPrintValueToString(self.raw()));
        taken(text).trim().to_owned()
    }

    pub fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(
            self.raw(),
            name.as_ptr().cast(),
            name.len()
        ));
    }

    pub fn is_instruction(self) -> bool {
        some(llvm!(LLVMIsAInstruction(self.raw()))).is_some()
    }

    pub fn is_constant(self) -> bool {
        llvm!(LLVMIsConstant(self.raw())) != 0
    }

    pub fn is_function(self) -> bool {
        some(llvm!(LLVMIsAFunction(self.raw()))).is_some()
    }

    pub fn opcode(self) -> Opcode {
        llvm!(LLVMGetInstructionOpcode(self.raw()))
    }

    /// That of an instruction or of a constant expression.
    pub fn operation(self) -> Opcode {
        match self.is_constant_expression() {
            true => llvm!(LLVMGetConstOpcode(self.raw())),
            false => self.opcode(),
        }
    }

    pub fn is(self, opcode: Opcode) -> bool {
        self.is_instruction() && self.opcode() == opcode
    }

    pub fn operands(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumOperands(self.raw())).max(0) as u32;
        (0..count)
            .filter_map(|i| some(llvm!(LLVMGetOperand(self.raw(), i))).map(Value::new))
            .collect()
    }

    pub fn operand(self, index: u32) -> Value {
        Value::new(llvm!(LLVMGetOperand(self.raw(), index)))
    }

    pub fn set_operand(self, index: u32, value: Value) {
        llvm!(LLVMSetOperand(self.raw(), index, value.raw()));
    }

    /// Users of this value, one entry per use.
    pub fn users(self) -> Vec<Value> {
        self.each_user().collect()
    }

    /// Whether a user is one of these. Of values with many users it looks at the first ones only.
    pub fn has_user(self, is_one: impl FnMut(Value) -> bool) -> bool {
        self.each_user().any(is_one)
    }

    /// The users, while none is added or removed.
    fn each_user(self) -> impl Iterator<Item = Value> {
        let mut next = llvm!(LLVMGetFirstUse(self.raw()));
        std::iter::from_fn(move || {
            if next.is_null() {
                return None;
            }
            let user = Value::new(llvm!(LLVMGetUser(next)));
            next = llvm!(LLVMGetNextUse(next));
            Some(user)
        })
    }

    /// If constants use this constant, no handle can be used afterwards.
    pub fn replace_all_uses_with(self, value: Value) {
        // LLVM frees constant expressions over a constant that is replaced.
        let frees = self.is_constant() && self.users().into_iter().any(Value::is_constant);
        llvm!(LLVMReplaceAllUsesWith(self.raw(), value.raw()));
        if frees {
            epoch::end();
        }
    }

    /// # Panics
    /// The instruction is in no block, for example since it is erased.
    #[track_caller]
    pub fn block(self) -> Block {
        Block::new(llvm!(LLVMGetInstructionParent(self.raw())))
    }

    /// Whether an instruction is in a block: not erased, removed, or a copy not yet inserted.
    pub fn is_in_block(self) -> bool {
        some(llvm!(LLVMGetInstructionParent(self.raw()))).is_some()
    }

    /// None for the last of a block, and for one that is in no block.
    pub fn next_instruction(self) -> Option<Value> {
        if !self.is_in_block() {
            return None;
        }
        some(llvm!(LLVMGetNextInstruction(self.raw()))).map(Value::new)
    }

    pub fn is_terminator(self) -> bool {
        some(llvm!(LLVMIsATerminatorInst(self.raw()))).is_some()
    }

    /// Erases an instruction; uses of it become poison.
    ///
    /// # Panics
    /// It is no instruction.
    pub fn erase(self) {
        assert!(self.is_instruction(), "only instructions are erased");
        llvm!(graveyard::bury(self.raw()));
    }

    /// # Panics
    /// The instruction is in no block.
    pub fn remove_from_block(self) {
        self.block();
        llvm!(LLVMInstructionRemoveFromParent(self.raw()));
    }

    /// A copy of an instruction with the same operands, in no block.
    pub fn clone_instruction(self) -> Value {
        Value::new(llvm!(LLVMInstructionClone(self.raw())))
    }

    /// The function a call calls, if it calls one by name.
    pub fn called_function(self) -> Option<Value> {
        if !self.is(Opcode::LLVMCall) {
            return None;
        }
        let called = Value::new(llvm!(LLVMGetCalledValue(self.raw())));
        called.is_function().then_some(called)
    }

    /// The assembly that a call is; none if it calls a function.
    pub fn inline_assembly(self) -> Option<InlineAssembly> {
        let is_call =
            self.is_instruction() && matches!(self.opcode(), Opcode::LLVMCall | Opcode::LLVMCallBr);
        let called = is_call.then(|| llvm!(LLVMGetCalledValue(self.raw())))?;
        if llvm!(LLVMIsAInlineAsm(called)).is_null() {
            return None;
        }
        let (mut template, mut constraints) = (0, 0);
        let texts = [
            (
                llvm!(LLVMGetInlineAsmAsmString(called, &mut template)),
                template,
            ),
            (
                llvm!(LLVMGetInlineAsmConstraintString(called, &mut constraints)),
                constraints,
            ),
        ];
        let [template, constraints] = texts.map(|(start, length)| {
            // SAFETY: LLVM gives the start and the length of a text that the call owns.
            let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
            String::from_utf8_lossy(bytes).into_owned()
        });
        Some(InlineAssembly {
            template,
            constraints,
        })
    }

    /// Whether this is a call of the function of that name.
    pub fn calls(self, name: &str) -> bool {
        self.called_function().is_some_and(|f| f.name() == name)
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = llvm!(LLVMCountIncoming(self.raw()));
        (0..count)
            .map(|i| {
                (
                    Value::new(llvm!(LLVMGetIncomingValue(self.raw(), i))),
                    Block::new(llvm!(LLVMGetIncomingBlock(self.raw(), i))),
                )
            })
            .collect()
    }

    /// What a φ is if control comes from `block`; none if that is no predecessor.
    pub fn incoming_from(self, block: Block) -> Option<Value> {
        let mut incoming = self.incoming().into_iter();
        let found = incoming.find(|(_, from)| *from == block);
        found.map(|(value, _)| value)
    }

    pub fn add_incoming(self, value: Value, block: Block) {
        llvm!(LLVMAddIncoming(
            self.raw(),
            [value.raw()].as_mut_ptr(),
            [block.raw()].as_mut_ptr(),
            1
        ));
    }

    /// None of what is erased, or no terminator.
    pub fn successors(self) -> Vec<Block> {
        if !self.is_terminator() {
            return Vec::new();
        }
        (0..llvm!(LLVMGetNumSuccessors(self.raw())))
            .filter_map(|i| some(llvm!(LLVMGetSuccessor(self.raw(), i))).map(Block::new))
            .collect()
    }

    pub fn set_successor(self, index: u32, block: Block) {
        llvm!(LLVMSetSuccessor(self.raw(), index, block.raw()));
    }

    pub fn allocated_type(self) -> Type {
        Type::new(llvm!(LLVMGetAllocatedType(self.raw())))
    }

    /// Alignment in bytes of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.raw()))
    }

    pub fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.raw(), bytes));
    }

    pub fn is_volatile(self) -> bool {
        llvm!(LLVMGetVolatile(self.raw())) != 0
    }

    pub fn is_atomic(self) -> bool {
        llvm!(LLVMIsAtomic(self.raw())) != 0
    }

    /// Bytes that a getelementptr with one constant index adds.
    pub fn constant_offset(self, layout: DataLayout) -> Option<u64> {
        if self.operation() != Opcode::LLVMGetElementPtr || self.operands().len() != 2 {
            return None;
        }
        let element = Type::new(llvm!(LLVMGetGEPSourceElementType(self.raw())));
        Some(self.operand(1).as_integer()? * layout.size(element))
    }

    /// File and line of the source that an instruction was made of, if there are line tables.
    pub fn source(self) -> Option<(String, u32)> {
        SourceFile::at(self).map(|(file, line)| (file.name(), line))
    }

    /// Column of the source that an instruction was made of; 0 if there are no line tables.
    pub fn source_column(self) -> u32 {
        let location = llvm!(LLVMInstructionGetDebugLoc(self.raw()));
        match location.is_null() {
            true => 0,
            false => llvm!(LLVMDILocationGetColumn(location)),
        }
    }

    /// Lines and columns of the calls from which an instruction was inlined, the innermost first.
    pub fn source_calls(self) -> Vec<(u32, u32)> {
        let mut calls = Vec::new();
        let mut location = llvm!(LLVMInstructionGetDebugLoc(self.raw()));
        while !location.is_null() {
            location = llvm!(LLVMDILocationGetInlinedAt(location));
            if !location.is_null() {
                let line = llvm!(LLVMDILocationGetLine(location));
                calls.push((line, llvm!(LLVMDILocationGetColumn(location))));
            }
        }
        calls
    }

    /// The function of the source that an instruction was made of, if there are line tables.
    pub fn source_function(self) -> Option<String> {
        let mut length = 0;
        let start = llvm!(mocl3_source_function(self.raw(), &mut length));
        if start.is_null() {
            return None;
        }
        // SAFETY: LLVM keeps the name while the module lives.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Value of an integer constant.
    pub fn as_integer(self) -> Option<u64> {
        some(llvm!(LLVMIsAConstantInt(self.raw())))
            .map(|constant| llvm!(LLVMConstIntGetZExtValue(constant)))
    }

    /// The value of an integer constant of up to 64 bits, sign-extended.
    pub fn as_signed_integer(self) -> Option<i64> {
        let bits = self.ty().is_integer().then(|| self.ty().integer_bits())?;
        let unused = 64u32.checked_sub(bits).filter(|_| bits > 0)?;
        self.as_integer()
            .map(|value| ((value << unused) as i64) >> unused)
    }

    /// A vector of `count` of this constant.
    pub fn in_all_elements(self, count: u32) -> Value {
        Self::constant_vector(&vec![self; count as usize])
    }

    /// A vector of these constants.
    pub fn constant_vector(elements: &[Value]) -> Value {
        let mut elements: Vec<_> = elements.iter().map(|element| element.raw()).collect();
        let count = elements.len() as u32;
        Value::new(llvm!(LLVMConstVector(elements.as_mut_ptr(), count)))
    }

    /// What an `icmp` asks.
    pub fn predicate(self) -> llvm_sys::LLVMIntPredicate {
        llvm!(LLVMGetICmpPredicate(self.raw()))
    }

    /// Operation of an `atomicrmw`; none for other instructions.
    pub fn atomic_operation(self) -> Option<llvm_sys::LLVMAtomicRMWBinOp> {
        self.is(Opcode::LLVMAtomicRMW)
            .then(|| llvm!(LLVMGetAtomicRMWBinOp(self.raw())))
    }

    /// Whether a constant has all bits set.
    pub fn is_all_ones(self) -> bool {
        self.is_constant() && self == Value::new(llvm!(LLVMConstAllOnes(LLVMTypeOf(self.raw()))))
    }

    pub fn is_poison(self) -> bool {
        llvm!(LLVMIsPoison(self.raw())) != 0
    }

    pub fn is_global_variable(self) -> bool {
        some(llvm!(LLVMIsAGlobalVariable(self.raw()))).is_some()
    }

    /// The bytes of a constant global variable that is an array of bytes; of zeros, the first one.
    pub fn constant_string(self) -> Option<Vec<u8>> {
        if !self.is_global_variable() || llvm!(LLVMIsGlobalConstant(self.raw())) == 0 {
            return None;
        }
        let bytes = some(llvm!(LLVMGetInitializer(self.raw())))?;
        if some(llvm!(LLVMIsAConstantAggregateZero(bytes))).is_some() {
            return Some(vec![0]);
        }
        // LLVM requires a sequence of numbers.
        some(llvm!(LLVMIsAConstantDataSequential(bytes)))?;
        if llvm!(LLVMIsConstantString(bytes)) == 0 {
            return None;
        }
        let mut length = 0;
        let start = llvm!(LLVMGetAsString(bytes, &mut length));
        // SAFETY: LLVM gives start and length of bytes that live as long as the constant.
        Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec())
    }

    /// What a global variable has at first.
    pub fn initializer(self) -> Option<Value> {
        some(llvm!(LLVMGetInitializer(self.raw()))).map(Value::new)
    }

    /// Whether nothing writes a global variable.
    pub fn is_constant_variable(self) -> bool {
        self.is_global_variable() && llvm!(LLVMIsGlobalConstant(self.raw())) != 0
    }

    /// Whether nothing writes a global variable, so that LLVM may replace loads from it.
    pub fn set_constant_variable(self, is_constant: bool) {
        llvm!(LLVMSetGlobalConstant(self.raw(), is_constant.into()));
    }

    pub fn is_constant_expression(self) -> bool {
        some(llvm!(LLVMIsAConstantExpr(self.raw()))).is_some()
    }

    /// Whether an operation may be rounded together with another.
    pub fn may_contract(self) -> bool {
        self.fast_math_flags() & llvm_sys::LLVMFastMathAllowContract != 0
    }

    /// Whether a division may multiply by the reciprocal of its divisor.
    pub fn may_use_reciprocal(self) -> bool {
        self.fast_math_flags() & llvm_sys::LLVMFastMathAllowReciprocal != 0
    }

    /// Whether the order of an operation and others may change.
    pub fn may_reassociate(self) -> bool {
        self.fast_math_flags() & llvm_sys::LLVMFastMathAllowReassoc != 0
    }

    /// Gives a floating-point operation the flags of another, but for that of reciprocals.
    pub fn set_flags_without_reciprocal(self, other: Value) {
        let flags = other.fast_math_flags() & !llvm_sys::LLVMFastMathAllowReciprocal;
        llvm!(LLVMSetFastMathFlags(self.raw(), flags));
    }

    /// Flags of a floating-point operation; 0 of others.
    fn fast_math_flags(self) -> llvm_sys::LLVMFastMathFlags {
        if llvm!(LLVMCanValueUseFastMathFlags(self.raw())) == 0 {
            return llvm_sys::LLVMFastMathNone;
        }
        llvm!(LLVMGetFastMathFlags(self.raw()))
    }

    /// An integer operation never wraps as an unsigned number.
    pub fn set_no_unsigned_wrap(self) {
        if self.is_instruction() {
            llvm!(LLVMSetNUW(self.raw(), 1));
        }
    }

    /// An integer operation never wraps as a signed number.
    pub fn set_no_signed_wrap(self) {
        if self.is_instruction() {
            llvm!(LLVMSetNSW(self.raw(), 1));
        }
    }

    /// Sets no-wrap flags of an integer operation.
    pub fn no_wrap(self) -> Value {
        if self.is_instruction() {
            llvm!(LLVMSetNUW(self.raw(), 1));
            llvm!(LLVMSetNSW(self.raw(), 1));
        }
        self
    }
}
