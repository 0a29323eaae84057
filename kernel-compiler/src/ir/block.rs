//! Basic blocks.

use super::{Opcode, Value, c_string, some};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);

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
