//! Volatile accesses of memory that other threads may access. Programs hand over data by busy-waiting
//! on a variable that another thread sets, without a call in the loop. Calls around each such access
//! let the scheduler run other threads, and make its order independent of the host's threads.

use crate::intrinsics::{END_VOLATILE, VOLATILE};
use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};

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
    let ty = Type::function(Type::void(context), &[]);
    let before = ir::add_function(module, VOLATILE, ty);
    let after = ir::add_function(module, END_VOLATILE, ty);
    let builder = Builder::new(context);
    for access in accesses {
        builder.before(access);
        builder.call(before, &[]);
        if let Some(next) = access.next_instruction() {
            builder.before(next);
            builder.call(after, &[]);
        }
    }
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
