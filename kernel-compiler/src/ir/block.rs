//! Basic blocks.

use super::ffi::{c_string, some};
use super::handle::Block;
use super::{Opcode, Value};
use llvm_sys::core::*;
use std::collections::HashSet;

impl Block {
    /// Empty if it has none.
    pub fn name(self) -> String {
        Value::new(llvm!(LLVMBasicBlockAsValue(self.raw()))).name()
    }

    /// The name with the sign that LLVM prints before it.
    pub fn text(&self) -> String {
        format!("%{}", self.name())
    }

    pub fn set_name(self, name: &str) {
        Value::new(llvm!(LLVMBasicBlockAsValue(self.raw()))).set_name(name);
    }

    /// None if the block is empty.
    pub fn first_instruction(self) -> Option<Value> {
        some(llvm!(LLVMGetFirstInstruction(self.raw()))).map(Value::new)
    }

    /// The terminators that lead here, each once, in the order in which they were made to.
    pub fn branches(self) -> Vec<Value> {
        let mut branches = Value::new(llvm!(LLVMBasicBlockAsValue(self.raw()))).users();
        let mut seen = HashSet::new();
        branches.reverse();
        branches.retain(|user| user.is_instruction() && user.is_terminator() && seen.insert(*user));
        branches
    }

    pub fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        let mut next = llvm!(LLVMGetFirstInstruction(self.raw()));
        while !next.is_null() {
            instructions.push(Value::new(next));
            next = llvm!(LLVMGetNextInstruction(next));
        }
        instructions
    }

    pub fn function(self) -> Value {
        Value::new(llvm!(LLVMGetBasicBlockParent(self.raw())))
    }

    pub fn terminator(self) -> Value {
        Value::new(llvm!(LLVMGetBasicBlockTerminator(self.raw())))
    }

    pub fn successors(self) -> Vec<Block> {
        self.terminator().successors()
    }

    /// The block's φ nodes.
    pub fn phis(self) -> Vec<Value> {
        let instructions =
            std::iter::successors(self.first_instruction(), |i| i.next_instruction());
        instructions
            .take_while(|i| i.opcode() == Opcode::LLVMPHI)
            .collect()
    }

    /// The first instruction that is no φ.
    pub fn first_after_phis(self) -> Value {
        let mut next = self.first_instruction();
        while let Some(phi) = next.filter(|i| i.opcode() == Opcode::LLVMPHI) {
            next = phi.next_instruction();
        }
        next.expect("a block ends in a terminator")
    }

    /// A new block placed before this one.
    pub fn insert_before(self, name: &str) -> Block {
        let context = llvm!(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(
            self.raw()
        ))));
        Block::new(llvm!(LLVMInsertBasicBlockInContext(
            context,
            self.raw(),
            c_string(name).as_ptr()
        )))
    }
}
