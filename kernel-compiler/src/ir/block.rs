//! Basic blocks.

use super::ffi::{c_string, some};
use super::handle::Block;
use super::{Opcode, Value};
use llvm_sys::core::*;
use std::collections::HashSet;

impl Block {
    /// Empty if it has none.
    pub fn name(self) -> String {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).name()
    }

    /// The name with the sign that LLVM prints before it.
    pub fn text(&self) -> String {
        format!("%{}", self.name())
    }

    pub fn set_name(self, name: &str) {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).set_name(name);
    }

    /// None if the block is empty.
    pub fn first_instruction(self) -> Option<Value> {
        some(llvm!(LLVMGetFirstInstruction(self.0))).map(Value)
    }

    /// The terminators that lead here, each once, in the order in which they were made to.
    pub fn branches(self) -> Vec<Value> {
        let mut branches = Value(llvm!(LLVMBasicBlockAsValue(self.0))).users();
        let mut seen = HashSet::new();
        branches.reverse();
        branches.retain(|user| user.is_instruction() && user.is_terminator() && seen.insert(*user));
        branches
    }

    pub fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        let mut next = self.first_instruction();
        while let Some(instruction) = next {
            instructions.push(instruction);
            next = instruction.next_instruction();
        }
        instructions
    }

    pub fn function(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockParent(self.0)))
    }

    pub fn terminator(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }

    pub fn successors(self) -> Vec<Block> {
        self.terminator().successors()
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
            self.0
        ))));
        Block(llvm!(LLVMInsertBasicBlockInContext(
            context,
            self.0,
            c_string(name).as_ptr()
        )))
    }
}
