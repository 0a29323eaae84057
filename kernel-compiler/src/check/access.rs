//! The parts of memory that instructions access.

use crate::intrinsics::address_space;
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, TypeKind, Value};
use host_exec::memory_checker::access_table::ValueType;

/// Metadata of an access of the program, as opposed to those that checks insert.
const MARK: &str = "mocl3.access";

/// Marks the accesses of a program before checks insert others.
pub fn mark(module: ModuleRef) {
    for function in ir::functions(module) {
        let b = Builder::new(function.ty().context());
        let kind = ir::metadata_kind(b.context, MARK);
        let layout = DataLayout::of_module(module);
        for instruction in function.instructions() {
            if !accesses(&b, layout, instruction).is_empty() {
                instruction.set_metadata(kind, ir::metadata_node(b.context, &[]));
            }
        }
    }
}

/// The marked instructions of a function.
fn marked(function: Value) -> Vec<Value> {
    let kind = ir::metadata_kind(function.ty().context(), MARK);
    let mut instructions = function.instructions();
    instructions.retain(|instruction| instruction.metadata_operands(kind).is_some());
    instructions
}

/// The marked accesses of memory that work-items share.
pub fn shared(b: &Builder, layout: DataLayout, function: Value) -> Vec<Access> {
    let all = marked(function).into_iter();
    let mut accesses: Vec<Access> = all.flat_map(|i| accesses(b, layout, i)).collect();
    accesses.retain(|access| {
        let space = access.pointer.ty().address_space();
        matches!(space, address_space::GLOBAL | address_space::LOCAL)
    });
    accesses
}

/// Removes the marks.
pub fn unmark(module: ModuleRef) {
    for function in ir::functions(module) {
        let kind = ir::metadata_kind(function.ty().context(), MARK);
        for instruction in function.instructions() {
            instruction.remove_metadata(kind);
        }
    }
}

/// A part of memory that an instruction accesses.
pub struct Access {
    pub instruction: Value,
    pub pointer: Value,
    /// 64 bits.
    pub bytes: Value,
    /// What the address is a multiple of.
    pub alignment: u64,
    pub writes: bool,
}

impl Access {
    /// The type of the value that a write stores, if that is a number or a pointer.
    pub fn value_type(&self) -> Option<ValueType> {
        written_value(self.instruction).map(|(_, ty)| ty)
    }
}

fn written_value(instruction: Value) -> Option<(Value, ValueType)> {
    let value = match instruction.opcode() {
        Opcode::LLVMStore => instruction.operand(0),
        Opcode::LLVMAtomicRMW => instruction.operand(1),
        Opcode::LLVMAtomicCmpXchg => instruction.operand(2),
        _ => return None,
    };
    let ty = match value.ty().kind() {
        TypeKind::LLVMIntegerTypeKind => match value.ty().integer_bits() {
            bits @ 1..=64 => ValueType::Integer(bits),
            _ => return None,
        },
        TypeKind::LLVMFloatTypeKind => ValueType::Float,
        TypeKind::LLVMDoubleTypeKind => ValueType::Double,
        TypeKind::LLVMPointerTypeKind => ValueType::Pointer,
        _ => return None,
    };
    Some((value, ty))
}

/// The bits of the value that an instruction writes, as 64 bits; 0 of what findings do not show.
pub fn written_bits(b: &Builder, instruction: Value) -> Value {
    let Some((value, ty)) = written_value(instruction) else {
        return b.i64().constant(0);
    };
    match ty {
        ValueType::Integer(_) => b.resize(value, b.i64()),
        ValueType::Float => b.resize(b.bit_cast(value, b.i32()), b.i64()),
        ValueType::Double => b.bit_cast(value, b.i64()),
        ValueType::Pointer => b.cast(Opcode::LLVMPtrToInt, value, b.i64()),
    }
}

/// What an instruction accesses; calls of functions other than those of LLVM access nothing.
/// Leaves the builder before a call.
pub fn accesses(b: &Builder, layout: DataLayout, instruction: Value) -> Vec<Access> {
    let of = |operand: u32, ty: Type, writes| Access {
        instruction,
        pointer: instruction.operand(operand),
        bytes: b.i64().constant(layout.stored(ty)),
        alignment: u64::from(instruction.alignment()),
        writes,
    };
    match instruction.opcode() {
        Opcode::LLVMLoad => vec![of(0, instruction.ty(), false)],
        Opcode::LLVMStore => vec![of(1, instruction.operand(0).ty(), true)],
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            let ty = instruction.operand(1).ty();
            vec![Access {
                alignment: layout.stored(ty),
                ..of(0, ty, true)
            }]
        }
        Opcode::LLVMCall => {
            let called = instruction.called_function().map(Value::name);
            let called = called.unwrap_or_default();
            let moved = |operand: u32, writes| Access {
                instruction,
                pointer: instruction.operand(operand),
                bytes: b.resize(instruction.operand(2), b.i64()),
                alignment: 1,
                writes,
            };
            b.before(instruction);
            match () {
                () if called.starts_with("llvm.memset.") => vec![moved(0, true)],
                () if called.starts_with("llvm.memcpy.") || called.starts_with("llvm.memmove.") => {
                    vec![moved(0, true), moved(1, false)]
                }
                () => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
