//! Accesses that run only if they are allowed.

use super::access::Access;
use crate::ir::{Builder, Opcode, Value};
use crate::work_group::barrier_split::split_before;

/// Puts an access under a branch on whether it is allowed. Otherwise what `refuse` inserts at the
/// builder's position runs instead; a read then gives zero. If `refuse` gives a condition, the access runs
/// where that holds.
pub fn run_if(
    b: &Builder,
    access: &Access,
    is_allowed: Value,
    refuse: impl FnOnce() -> Option<Value>,
) {
    let instruction = access.instruction;
    let head = split_before(b, instruction);
    let allowed = instruction
        .next_instruction()
        .map(|next| split_before(b, next));
    let (Some(allowed), Some(join)) = (allowed, instruction.block().successors().first().copied())
    else {
        return;
    };
    let report = join.insert_before("report");
    head.terminator().erase();
    b.at_end(head);
    b.branch_if(is_allowed, allowed, report);
    b.at_end(report);
    let end = match refuse() {
        Some(is_allowed) => {
            let refused = join.insert_before("refused");
            b.branch_if(is_allowed, allowed, refused);
            b.at_end(refused);
            refused
        }
        None => report,
    };
    if !access.writes && instruction.is(Opcode::LLVMCall) {
        // The destination of a copy without a source.
        b.memset_zero(instruction.operand(0), instruction.operand(2));
    }
    b.branch(join);
    if !instruction.ty().is_void() && !instruction.users().is_empty() {
        b.at_start(join);
        let phi = b.phi(instruction.ty(), "");
        instruction.replace_all_uses_with(phi);
        phi.add_incoming(instruction, instruction.block());
        phi.add_incoming(instruction.ty().zero(), end);
    }
}
