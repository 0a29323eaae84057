//! Volatile accesses of memory that other threads may access. Programs hand over data by busy-waiting
//! on a variable that another thread sets, without a call in the loop. Calls around each such access
//! let the scheduler run other threads, and make its order independent of the host's threads. Those of writes say what
//! is written, by which a thread that counts in memory differs from one that waits.

use crate::intrinsics::{END_VOLATILE, VOLATILE, VOLATILE_WRITE};
use crate::ir::{self, Builder, ContextRef, ModuleRef, Opcode, Type, TypeKind, Value};

/// Inserts the calls.
pub fn insert(module: ModuleRef) {
    let accesses: Vec<Value> = ir::functions(module)
        .into_iter()
        .flat_map(Value::instructions)
        .filter(|instruction| is_shared_volatile(*instruction))
        .collect();
    let Some(first) = accesses.first() else {
        return;
    };
    let context = first.ty().context();
    let [before, after] = functions(module, context);
    let builder = Builder::new(context);
    for access in accesses {
        builder.before(access);
        match access.is(Opcode::LLVMStore) {
            true => note_write(module, &builder, access),
            false => _ = builder.call(before, &[]),
        }
        if let Some(next) = access.next_instruction() {
            builder.before(next);
            builder.call(after, &[]);
        }
    }
}

/// Calls the function for the access that a store makes.
fn note_write(module: ModuleRef, b: &Builder, store: Value) {
    let ty = Type::function(Type::void(b.context), &[b.i64()]);
    let function = ir::function(module, VOLATILE_WRITE)
        .unwrap_or_else(|| ir::add_function(module, VOLATILE_WRITE, ty));
    b.call(function, &[bits(b, store.operand(0))]);
}

/// The bits of a number or pointer; 0 for others.
fn bits(b: &Builder, value: Value) -> Value {
    let ty = value.ty();
    let number = match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => value,
        TypeKind::LLVMPointerTypeKind => b.cast(Opcode::LLVMPtrToInt, value, b.i64()),
        TypeKind::LLVMFloatTypeKind => b.bit_cast(value, b.i32()),
        TypeKind::LLVMDoubleTypeKind => b.bit_cast(value, b.i64()),
        _ => return b.i64().constant(0),
    };
    b.resize(number, b.i64())
}

/// Inserts a point at which other threads may run, before an instruction. Compilers move no access of memory past it.
pub fn insert_before(instruction: Value) {
    let module = instruction.block().function().module();
    let builder = Builder::new(instruction.ty().context());
    builder.before(instruction);
    builder.of_the_line_of(instruction);
    for function in functions(module, builder.context) {
        builder.call(function, &[]);
    }
}

/// The functions that are called before and after an access.
fn functions(module: ModuleRef, context: ContextRef) -> [Value; 2] {
    let ty = Type::function(Type::void(context), &[]);
    [VOLATILE, END_VOLATILE].map(|name| {
        let known = ir::function(module, name);
        known.unwrap_or_else(|| ir::add_function(module, name, ty))
    })
}

/// Whether it is a volatile access of something else than a variable of the function.
fn is_shared_volatile(instruction: Value) -> bool {
    let pointer = match instruction.opcode() {
        Opcode::LLVMLoad => instruction.operand(0),
        Opcode::LLVMStore => instruction.operand(1),
        _ => return false,
    };
    instruction.is_volatile() && !is_of_the_stack(pointer)
}

fn is_of_the_stack(mut pointer: Value) -> bool {
    while pointer.is_instruction() && pointer.is(Opcode::LLVMGetElementPtr) {
        pointer = pointer.operand(0);
    }
    pointer.is_instruction() && pointer.is(Opcode::LLVMAlloca)
}
