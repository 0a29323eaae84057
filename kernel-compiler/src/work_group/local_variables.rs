//! Lays out `__local` variables in local memory.

use crate::intrinsics::{LOCAL_MEMORY, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, Value};

/// Least alignment of a variable, in bytes: that of a vector of 16 floats.
const MIN_ALIGNMENT: u64 = 64;

/// Replaces the `__local` variables that `kernel` uses by offsets from the base of
/// local memory. Returns the bytes they take.
pub fn lower(module: ModuleRef, kernel: Value) -> u64 {
    let layout = DataLayout::of_module(module);
    let builder = Builder::new(kernel.ty().context());
    let mut size = 0u64;
    let mut base = None;
    for global in ir::globals(module) {
        if global.ty().address_space() != address_space::LOCAL {
            continue;
        }
        global.expand_constant_users(kernel);
        let users: Vec<Value> = global
            .users()
            .into_iter()
            .filter(|user| user.is_instruction() && user.block().function() == kernel)
            .collect();
        if users.is_empty() {
            continue;
        }
        let alignment = u64::from(global.alignment()).max(MIN_ALIGNMENT);
        let place = size.next_multiple_of(alignment);
        size = place + layout.size(global.function_type());
        let base = *base.get_or_insert_with(|| {
            builder.before(kernel.entry_block().instructions()[0]);
            builder.call(local_memory_function(module, &builder), &[])
        });
        builder.before(base.next_instruction().expect("a call is no terminator"));
        let address = builder.offset(base, builder.i64().constant(place));
        if kernel.is_debugged() {
            declare(&builder, global, address);
        }
        for user in users {
            for (index, operand) in user.operands().into_iter().enumerate() {
                if operand == global {
                    user.set_operand(index as u32, address);
                }
            }
        }
    }
    size
}

/// Declares a variable to debuggers, by a slot with its address.
fn declare(builder: &Builder, global: Value, address: Value) {
    let slot = builder.alloca(address.ty(), "address");
    slot.set_alignment(8);
    let store = builder.store(address, slot, 8);
    store.declare_local_memory(global, slot);
}

fn local_memory_function(module: ModuleRef, builder: &Builder) -> Value {
    ir::function(module, LOCAL_MEMORY).unwrap_or_else(|| {
        let pointer = Type::pointer(builder.context, address_space::LOCAL);
        ir::add_function(module, LOCAL_MEMORY, Type::function(pointer, &[]))
    })
}
