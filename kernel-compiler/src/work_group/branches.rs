//! Code that is inserted and runs under a condition.

use super::barrier_split::split_before;
use crate::ir::{Builder, Value};

/// Inserts a block before an instruction that runs if `condition` holds. `emit` gets the block's
/// terminator, with the builder before it. Leaves the builder before the instruction.
pub fn when(b: &Builder, condition: Value, before: Value, name: &str, emit: impl FnOnce(Value)) {
    insert(b, condition, true, before, name, emit);
}

/// The same of a block that runs unless `condition` holds.
pub fn unless(b: &Builder, condition: Value, before: Value, name: &str, emit: impl FnOnce(Value)) {
    insert(b, condition, false, before, name, emit);
}

fn insert(
    b: &Builder,
    condition: Value,
    runs_if: bool,
    before: Value,
    name: &str,
    emit: impl FnOnce(Value),
) {
    let head = split_before(b, before);
    let join = before.block();
    let block = join.insert_before(name);
    head.terminator().erase();
    b.at_end(head);
    match runs_if {
        true => b.branch_if(condition, block, join),
        false => b.branch_if(condition, join, block),
    };
    b.at_end(block);
    let end = b.branch(join);
    b.before(end);
    emit(end);
    b.before(before);
}
