//! Values: instructions, arguments and constants.

use super::ffi::{some, taken};
use super::handle::Value;
use super::{Block, DataLayout, Opcode, SourceFile, Type};
use llvm_sys::core::*;

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

    /// File and line of the source that an instruction was made of, if there are line tables.
    pub fn source(self) -> Option<(String, u32)> {
        SourceFile::of(self).map(|(file, line)| (file.name(), line))
    }

    /// Value of an integer constant.
    pub fn as_integer(self) -> Option<u64> {
        some(llvm!(LLVMIsAConstantInt(self.0)))
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
        let mut elements = vec![self.0; count as usize];
        Value(llvm!(LLVMConstVector(elements.as_mut_ptr(), count)))
    }

    /// What an `icmp` asks.
    pub fn predicate(self) -> llvm_sys::LLVMIntPredicate {
        llvm!(LLVMGetICmpPredicate(self.0))
    }

    /// Operation of an `atomicrmw`; none for other instructions.
    pub fn atomic_operation(self) -> Option<llvm_sys::LLVMAtomicRMWBinOp> {
        self.is(Opcode::LLVMAtomicRMW)
            .then(|| llvm!(LLVMGetAtomicRMWBinOp(self.0)))
    }

    /// Whether a constant has all bits set.
    pub fn is_all_ones(self) -> bool {
        self.is_constant() && self == Value(llvm!(LLVMConstAllOnes(LLVMTypeOf(self.0))))
    }

    pub fn is_poison(self) -> bool {
        llvm!(LLVMIsPoison(self.0)) != 0
    }

    pub fn is_global_variable(self) -> bool {
        some(llvm!(LLVMIsAGlobalVariable(self.0))).is_some()
    }

    pub fn is_constant_expression(self) -> bool {
        some(llvm!(LLVMIsAConstantExpr(self.0))).is_some()
    }

    /// Whether an operation may be rounded together with another.
    pub fn may_contract(self) -> bool {
        llvm!(LLVMCanValueUseFastMathFlags(self.0)) != 0
            && llvm!(LLVMGetFastMathFlags(self.0)) & llvm_sys::LLVMFastMathAllowContract != 0
    }

    /// An integer operation never wraps as an unsigned number.
    pub fn set_no_unsigned_wrap(self) {
        if self.is_instruction() {
            llvm!(LLVMSetNUW(self.0, 1));
        }
    }

    /// An integer operation never wraps as a signed number.
    pub fn set_no_signed_wrap(self) {
        if self.is_instruction() {
            llvm!(LLVMSetNSW(self.0, 1));
        }
    }

    /// Sets no-wrap flags of an integer operation.
    pub fn no_wrap(self) -> Value {
        if self.is_instruction() {
            llvm!(LLVMSetNUW(self.0, 1));
            llvm!(LLVMSetNSW(self.0, 1));
        }
        self
    }
}
