//! Variables of the stack at the start of a function. LLVM gives an `alloca` of the entry block a
//! fixed place in the frame. Where code generation splits that block, each `alloca` behind the
//! split moves the stack pointer instead, and LLVM then breaks the alignment of arguments that it
//! passes on the stack.

use crate::ir::{self, Builder, ModuleRef, Opcode, Value};

/// Moves every `alloca` of constant size in an entry block to the start of the block.
pub fn hoist(module: ModuleRef) {
    let defined = ir::functions(module).into_iter();
    for function in defined.filter(|function| !function.is_declaration()) {
        let entry = function.entry_block();
        let behind_others: Vec<Value> = entry
            .instructions()
            .into_iter()
            .skip_while(|instruction| instruction.is(Opcode::LLVMAlloca))
            .filter(|instruction| is_static(*instruction))
            .collect();
        let Some(first) = entry.first_instruction() else {
            continue;
        };
        let builder = Builder::new(first.ty().context());
        for alloca in behind_others {
            alloca.remove_from_block();
            builder.before(first);
            builder.insert(alloca);
        }
    }
}

fn is_static(instruction: Value) -> bool {
    instruction.is(Opcode::LLVMAlloca) && instruction.operand(0).as_integer().is_some()
}
