//! Walks whose iterations are independent of each other: LLVM vectorises them in scalar code, along the row.

use super::{Advance, RowWalk};
use crate::ir::{Opcode, Value};
use crate::vectorize::instruction_queries::is_integer_division;

impl RowWalk {
    /// Whether iterations pass nothing on to the next ones but counters and what is reduced, and access rows alone.
    pub fn is_independent(&self) -> bool {
        let phis = self.block.phis();
        let is_row = |access: Value| match self.advance(access) {
            Some(Advance::Row(_)) => true,
            Some(Advance::Fixed) => access.is(Opcode::LLVMLoad),
            None => false,
        };
        self.forwarded.is_empty()
            && phis
                .iter()
                .all(|phi| *phi == self.counter.phi || self.is_reduced(*phi))
            && self
                .block
                .instructions()
                .into_iter()
                .all(|instruction| match instruction.opcode() {
                    Opcode::LLVMLoad | Opcode::LLVMStore => is_row(instruction),
                    Opcode::LLVMCall => instruction.is_elementwise_call(),
                    _ => !is_integer_division(instruction),
                })
    }

    /// Whether the iterations may compute the next value of a φ in any order, and do nothing else with it.
    fn is_reduced(&self, phi: Value) -> bool {
        let next = self.next(phi);
        let is_used_by = |value: Value, user: Value| {
            let users = value.users().into_iter();
            users
                .filter(|user| user.block() == self.block)
                .all(|of| of == user)
        };
        if !next.is_instruction() {
            return false;
        }
        let may_reorder = match next.opcode() {
            Opcode::LLVMAdd
            | Opcode::LLVMMul
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor => true,
            Opcode::LLVMFAdd | Opcode::LLVMFMul => next.may_reassociate(),
            Opcode::LLVMCall => is_extremum(next),
            _ => false,
        };
        may_reorder
            && next.operands().contains(&phi)
            && is_used_by(phi, next)
            && is_used_by(next, phi)
    }
}

/// Whether a call computes the smaller or the larger of two numbers.
fn is_extremum(call: Value) -> bool {
    const EXTREMA: &[&str] = &[
        "llvm.smin.",
        "llvm.smax.",
        "llvm.umin.",
        "llvm.umax.",
        "llvm.minnum.",
        "llvm.maxnum.",
    ];
    let function = call.called_function().map(|function| function.name());
    function.is_some_and(|name| EXTREMA.iter().any(|extremum| name.starts_with(extremum)))
}
