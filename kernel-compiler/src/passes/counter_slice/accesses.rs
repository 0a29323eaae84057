//! Which operands of an instruction are addresses, and what it writes.

use super::memory_objects::{MemoryObject, MemoryObjects};
use crate::analysis::effects;
use crate::ir::{Opcode, Value};
use crate::passes::instrumentation::{TIMED_TRANSFER, TIMED_WAIT};

/// Operands of a timed transfer: its addresses.
pub const DESTINATION: u32 = 2;
pub const SOURCE: u32 = 4;

/// Intrinsics that access memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Intrinsic {
    /// Reads at its first operand.
    Load,
    /// Writes at its second operand.
    Store,
    /// Writes at its first operand what it reads at its second.
    Copy,
    /// Writes at its first operand.
    Fill,
}

/// The intrinsic that a call calls, if it accesses memory.
pub fn intrinsic(call: Value) -> Option<Intrinsic> {
    const PREFIXES: [(&str, Intrinsic); 8] = [
        ("llvm.masked.load.", Intrinsic::Load),
        ("llvm.masked.gather.", Intrinsic::Load),
        ("llvm.masked.expandload.", Intrinsic::Load),
        ("llvm.masked.store.", Intrinsic::Store),
        ("llvm.masked.scatter.", Intrinsic::Store),
        ("llvm.masked.compressstore.", Intrinsic::Store),
        ("llvm.mem", Intrinsic::Copy),
        ("llvm.memset.", Intrinsic::Fill),
    ];
    let name = call.called_function()?.name();
    let mut matching = PREFIXES.iter().rev();
    matching
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|(_, intrinsic)| *intrinsic)
}

/// The objects that an instruction may write; none if it writes no memory.
pub fn written(instruction: Value, objects: &MemoryObjects) -> Option<Vec<MemoryObject>> {
    match instruction.opcode() {
        Opcode::LLVMStore => Some(objects.objects_at(instruction.operand(1))),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            Some(objects.objects_at(instruction.operand(0)))
        }
        Opcode::LLVMCall => match intrinsic(instruction) {
            Some(Intrinsic::Load) => None,
            Some(Intrinsic::Store) => Some(objects.objects_at(instruction.operand(1))),
            Some(Intrinsic::Copy | Intrinsic::Fill) => {
                Some(objects.objects_at(instruction.operand(0)))
            }
            None if instruction.is_computing_call()
                || effects::is_annotation(instruction)
                || instruction.calls(TIMED_WAIT) =>
            {
                None
            }
            None if instruction.calls(TIMED_TRANSFER) => {
                Some(objects.objects_at(instruction.operand(DESTINATION)))
            }
            None => {
                let operands = instruction.operands().into_iter();
                let pointers = operands.filter(|operand| is_address(*operand));
                Some(
                    pointers
                        .flat_map(|operand| objects.objects_at(operand))
                        .collect(),
                )
            }
        },
        _ => None,
    }
}

/// Whether a value is an address in memory, or a vector of addresses.
pub fn is_address(value: Value) -> bool {
    value.ty().scalar().is_pointer() && !value.is_function()
}
