//! What instructions do besides computing a value.

use crate::intrinsics::{IMAGE_FINDING, MEMORY_FINDING};
use crate::ir::{Block, Opcode, Value};

/// The effect of executing an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only computes a value, or branches.
    None,
    /// It reads memory that others may write; reading twice is the same as reading once.
    Read,
    /// It writes memory; writing the same twice is the same as writing once.
    Write,
    /// It orders memory accesses.
    Fence,
    /// Each execution counts: an atomic or volatile access, or a call that may do anything.
    Observable,
}

/// The effect of an instruction.
pub fn effect(instruction: Value) -> Effect {
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMStore
            if instruction.is_volatile() || instruction.is_atomic() =>
        {
            Effect::Observable
        }
        Opcode::LLVMLoad => Effect::Read,
        Opcode::LLVMStore => Effect::Write,
        Opcode::LLVMFence => Effect::Fence,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => Effect::Observable,
        Opcode::LLVMCall if !instruction.is_computing_call() => Effect::Observable,
        _ => Effect::None,
    }
}

/// Whether the result depends on the operands alone, so that equal operands give equal results
/// wherever and whenever it is executed. `freeze` may choose another value each time.
pub fn is_pure(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMCall => instruction.is_computing_call(),
        opcode => {
            is_cheap_and_speculatable(opcode)
                || matches!(
                    opcode,
                    LLVMSDiv
                        | LLVMUDiv
                        | LLVMSRem
                        | LLVMURem
                        | LLVMFAdd
                        | LLVMFSub
                        | LLVMFMul
                        | LLVMFDiv
                        | LLVMFRem
                        | LLVMFNeg
                        | LLVMFCmp
                        | LLVMSIToFP
                        | LLVMUIToFP
                        | LLVMFPToSI
                        | LLVMFPToUI
                        | LLVMFPExt
                        | LLVMFPTrunc
                        | LLVMPtrToInt
                        | LLVMIntToPtr
                        | LLVMExtractElement
                        | LLVMInsertElement
                        | LLVMShuffleVector
                        | LLVMExtractValue
                        | LLVMInsertValue
                )
        }
    }
}

/// Whether an operation is pure, cannot fault and costs about one cycle: recomputing it elsewhere
/// is cheaper than keeping its result in memory.
pub fn is_cheap_and_speculatable(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMBitCast
    )
}

/// Whether a block reports a finding of checked code, which is seldom.
pub fn reports_finding(block: Block) -> bool {
    block.instructions().into_iter().any(reports_access)
}

/// Whether an instruction reports an access of memory or of an image.
pub fn reports_access(instruction: Value) -> bool {
    [MEMORY_FINDING, IMAGE_FINDING]
        .iter()
        .any(|name| instruction.calls(name))
}

/// Intrinsics that inform LLVM and generate no code.
const ANNOTATIONS: &[&str] = &[
    "llvm.assume",
    "llvm.dbg.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.",
    LIFETIME,
];

const LIFETIME: &str = "llvm.lifetime.";

/// Whether a call marks where a variable's contents begin or end to matter.
pub fn is_lifetime_marker(call: Value) -> bool {
    let called = call.called_function();
    called.is_some_and(|function| function.name().starts_with(LIFETIME))
}

/// Whether a call only informs LLVM and generates no code.
pub fn is_annotation(call: Value) -> bool {
    call.called_function().is_some_and(|function| {
        let name = function.name();
        ANNOTATIONS.iter().any(|prefix| name.starts_with(prefix))
    })
}
