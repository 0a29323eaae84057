//! Makes instructions.

use super::ffi::c_string;
use super::{Block, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;

/// Builds instructions at a place.
pub struct Builder {
    pub(super) builder: LLVMBuilderRef,
    /// The context instructions are made in.
    pub context: LLVMContextRef,
}

impl Drop for Builder {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.builder));
    }
}

pub(super) const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

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

    /// Gives new instructions the source line of `instruction` from now on.
    pub fn of_the_line_of(&self, instruction: Value) {
        let location = llvm!(LLVMInstructionGetDebugLoc(instruction.0));
        llvm!(LLVMSetCurrentDebugLocation2(self.builder, location));
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
    pub fn freeze(&self, value: Value) -> Value {
        Value(llvm!(LLVMBuildFreeze(self.builder, value.0, NO_NAME)))
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
    /// Address of the element of that number behind a pointer to one of type `ty`.
    pub fn element(&self, ty: Type, pointer: Value, number: Value) -> Value {
        Value(llvm!(LLVMBuildGEP2(
            self.builder,
            ty.0,
            pointer.0,
            [number.0].as_mut_ptr(),
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
    /// Puts a φ in the place of one whose block is entered from `to`, no longer from `from`.
    /// Returns the new one.
    pub fn replace_incoming_block(&self, phi: Value, from: Block, to: Block) -> Value {
        self.before(phi);
        let again = self.phi(phi.ty(), "");
        for (value, block) in phi.incoming() {
            again.add_incoming(value, if block == from { to } else { block });
        }
        phi.replace_all_uses_with(again);
        phi.erase();
        again
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
