//! Calls of LLVM's masked accesses.
//!
//! Passes lower accesses under constant masks, too, where the host has no instruction: LLVM 22 accesses the elements one
//! by one, but takes each element of a vector of pointers as aligned as the vector.

use crate::ir::{self, Block, Builder, ModuleRef, Value};
use crate::work_group::barrier_split;

/// The calls of a kind in a module: `load`, `store`, `gather` or `scatter`.
pub fn of_kind(module: ModuleRef, kind: &str) -> Vec<Value> {
    let prefix = format!("llvm.masked.{kind}.");
    let functions = ir::functions(module).into_iter();
    let mut calls: Vec<Value> = functions.flat_map(Value::instructions).collect();
    calls.retain(|call| {
        call.called_function()
            .is_some_and(|callee| callee.name().starts_with(&prefix))
    });
    calls
}

/// Takes a call out of its block, and splits that there: the block before it, which gets no terminator, empty blocks
/// with these names, and the block after it.
pub fn split_at<const N: usize>(
    b: &Builder,
    call: Value,
    names: [&str; N],
) -> (Block, [Block; N], Block) {
    let next = call.next_instruction().expect("a call is no terminator");
    let before = barrier_split::split_before(b, next);
    let after = next.block();
    let between = names.map(|name| after.insert_before(name));
    before.terminator().erase();
    call.remove_from_block();
    (before, between, after)
}
