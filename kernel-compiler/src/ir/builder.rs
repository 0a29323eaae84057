//! Makes instructions.

use super::epoch::Epoch;
use super::ffi::c_string;
use super::{Block, ContextRef, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use std::cell::Cell;

unsafe extern "C" {
    fn mocl3_is_placed(builder: LLVMBuilderRef, before: LLVMValueRef) -> bool;
}

/// Builds instructions at a place.
pub struct Builder {
    builder: LLVMBuilderRef,
    /// That in which it was made.
    epoch: Epoch,
    /// The instruction before which others are placed; none at the end of a block.
    before: Cell<Option<Value>>,
    /// The context instructions are made in.
    pub context: ContextRef,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // In a later epoch the context may be gone, which the destructor uses: it is leaked then.
        if self.epoch.is_current() {
            llvm!(LLVMDisposeBuilder(self.builder));
        }
    }
}

pub(super) const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Builder {
    pub fn new(context: ContextRef) -> Self {
        Self {
            builder: llvm!(LLVMCreateBuilderInContext(context.raw())),
            epoch: Epoch::current(),
            before: Cell::new(None),
            context,
        }
    }

    /// LLVM's builder, at a place where it can insert.
    ///
    /// # Panics
    /// There is no such place: none was chosen, or it was erased.
    #[track_caller]
    pub(super) fn placed(&self) -> LLVMBuilderRef {
        self.epoch.check("Builder");
        let before = self.before.get().map_or(std::ptr::null_mut(), Value::raw);
        let is_placed = llvm!(mocl3_is_placed(self.builder, before));
        assert!(
            is_placed,
            "the place of the builder was erased, or none was chosen"
        );
        self.builder
    }

    pub fn at_end(&self, block: Block) {
        self.epoch.check("Builder");
        llvm!(LLVMPositionBuilderAtEnd(self.builder, block.raw()));
        self.before.set(None);
    }

    /// # Panics
    /// The instruction is in no block.
    pub fn before(&self, instruction: Value) {
        self.epoch.check("Builder");
        instruction.block();
        llvm!(LLVMPositionBuilderBefore(self.builder, instruction.raw()));
        self.before.set(Some(instruction));
    }

    /// At the start of a block, where φs are: before the debug records of its first instruction.
    pub fn at_start(&self, block: Block) {
        self.epoch.check("Builder");
        match block.first_instruction() {
            Some(first) => {
                llvm!(LLVMPositionBuilderBeforeInstrAndDbgRecords(
                    self.builder,
                    first.raw()
                ));
                self.before.set(Some(first));
            }
            None => self.at_end(block),
        }
    }

    /// Gives new instructions the source line of `instruction` from now on.
    pub fn of_the_line_of(&self, instruction: Value) {
        self.epoch.check("Builder");
        let location = llvm!(LLVMInstructionGetDebugLoc(instruction.raw()));
        llvm!(LLVMSetCurrentDebugLocation2(self.builder, location));
    }

    /// Gives new instructions no source line from now on.
    pub fn of_no_line(&self) {
        llvm!(LLVMSetCurrentDebugLocation2(
            self.builder,
            std::ptr::null_mut()
        ));
    }

    /// Puts an instruction that is in no block here; it keeps its name.
    ///
    /// # Panics
    /// The instruction is in a block.
    pub fn insert(&self, instruction: Value) {
        assert!(!instruction.is_in_block(), "the instruction is in a block");
        let name = c_string(&instruction.name());
        llvm!(LLVMInsertIntoBuilderWithName(
            self.placed(),
            instruction.raw(),
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
        Value::new(llvm!(LLVMBuildAdd(
            self.placed(),
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }
    pub fn multiply(&self, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildMul(
            self.placed(),
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }
    pub fn and(&self, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildAnd(
            self.placed(),
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }
    pub fn binary(&self, opcode: Opcode, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildBinOp(
            self.placed(),
            opcode,
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }

    pub fn compare(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildICmp(
            self.placed(),
            predicate,
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }
    pub fn freeze(&self, value: Value) -> Value {
        Value::new(llvm!(LLVMBuildFreeze(self.placed(), value.raw(), NO_NAME)))
    }
    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildSelect(
            self.placed(),
            condition.raw(),
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }
    pub fn zero_extend(&self, a: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildZExt(
            self.placed(),
            a.raw(),
            ty.raw(),
            NO_NAME
        )))
    }
    /// Zero extension of a value that is not negative as a signed number.
    pub fn zero_extend_not_negative(&self, a: Value, ty: Type) -> Value {
        let extended = self.zero_extend(a, ty);
        if extended.is_instruction() {
            llvm!(LLVMSetNNeg(extended.raw(), 1));
        }
        extended
    }
    pub fn truncate(&self, a: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildTrunc(
            self.placed(),
            a.raw(),
            ty.raw(),
            NO_NAME
        )))
    }
    pub fn address_space_cast(&self, a: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildAddrSpaceCast(
            self.placed(),
            a.raw(),
            ty.raw(),
            NO_NAME
        )))
    }
    /// `pointer` moved by `bytes`.
    pub fn offset(&self, pointer: Value, bytes: Value) -> Value {
        Value::new(llvm!(LLVMBuildInBoundsGEP2(
            self.placed(),
            self.i8().raw(),
            pointer.raw(),
            [bytes.raw()].as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    /// Address of the element of that number behind a pointer to one of type `ty`.
    pub fn element(&self, ty: Type, pointer: Value, number: Value) -> Value {
        Value::new(llvm!(LLVMBuildGEP2(
            self.placed(),
            ty.raw(),
            pointer.raw(),
            [number.raw()].as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    pub fn load(&self, ty: Type, pointer: Value, alignment: u32) -> Value {
        let load = Value::new(llvm!(LLVMBuildLoad2(
            self.placed(),
            ty.raw(),
            pointer.raw(),
            NO_NAME
        )));
        load.set_alignment(alignment);
        load
    }
    pub fn store(&self, value: Value, pointer: Value, alignment: u32) -> Value {
        let store = Value::new(llvm!(LLVMBuildStore(
            self.placed(),
            value.raw(),
            pointer.raw()
        )));
        store.set_alignment(alignment);
        store
    }
    pub fn alloca(&self, ty: Type, name: &str) -> Value {
        Value::new(llvm!(LLVMBuildAlloca(
            self.placed(),
            ty.raw(),
            c_string(name).as_ptr()
        )))
    }
    pub fn phi(&self, ty: Type, name: &str) -> Value {
        Value::new(llvm!(LLVMBuildPhi(
            self.placed(),
            ty.raw(),
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
        Value::new(llvm!(LLVMBuildBr(self.placed(), target.raw())))
    }
    pub fn branch_if(&self, condition: Value, yes: Block, no: Block) -> Value {
        Value::new(llvm!(LLVMBuildCondBr(
            self.placed(),
            condition.raw(),
            yes.raw(),
            no.raw()
        )))
    }
    pub fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        let switch = llvm!(LLVMBuildSwitch(
            self.placed(),
            value.raw(),
            default.raw(),
            cases.len() as u32
        ));
        for (case, block) in cases {
            llvm!(LLVMAddCase(switch, case.raw(), block.raw()));
        }
        Value::new(switch)
    }
    pub fn return_void(&self) -> Value {
        Value::new(llvm!(LLVMBuildRetVoid(self.placed())))
    }
    pub fn return_value(&self, value: Value) -> Value {
        Value::new(llvm!(LLVMBuildRet(self.placed(), value.raw())))
    }
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        self.call_as(function.function_type(), function, arguments)
    }
    /// Calls a function as one of that type.
    pub fn call_as(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|a| a.raw()).collect();
        Value::new(llvm!(LLVMBuildCall2(
            self.placed(),
            ty.raw(),
            function.raw(),
            arguments.as_mut_ptr(),
            arguments.len() as u32,
            NO_NAME
        )))
    }
    /// Writes zeros to `bytes` bytes.
    pub fn memset_zero(&self, pointer: Value, bytes: Value) -> Value {
        let zero = self.i8().constant(0);
        Value::new(llvm!(LLVMBuildMemSet(
            self.placed(),
            pointer.raw(),
            zero.raw(),
            bytes.raw(),
            1
        )))
    }
    pub fn insert_value(&self, aggregate: Value, element: Value, index: u32) -> Value {
        Value::new(llvm!(LLVMBuildInsertValue(
            self.placed(),
            aggregate.raw(),
            element.raw(),
            index,
            NO_NAME
        )))
    }
}
