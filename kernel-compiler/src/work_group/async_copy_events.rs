//! Events of `async_work_group_copy`. The host executes transfers immediately, so that only the
//! simulated time of timed code depends on waiting for events; other code drops them.

use crate::intrinsics::{DMA_TRANSFER, DMA_WAIT, WAIT_GROUP_EVENTS};
use crate::ir::{self, Builder, ModuleRef, Type, TypeKind, Value};
use llvm_sys::LLVMIntPredicate::LLVMIntSLT;

/// Operand of a transfer: the event passed to it.
const EVENT_OPERAND: u32 = 6;

/// Number of events up to which waiting for them is unrolled.
const MAX_UNROLLED_EVENTS: u64 = 8;

fn calls(module: ModuleRef, name: &str) -> Vec<Value> {
    let functions = ir::functions(module).into_iter();
    let instructions = functions
        .filter(|function| !function.is_declaration())
        .flat_map(|function| function.instructions());
    instructions.filter(|i| i.calls(name)).collect()
}

/// Drops events: a transfer returns the event passed to it, and nothing waits.
pub fn forget(module: ModuleRef) {
    for transfer in calls(module, DMA_TRANSFER) {
        if transfer.ty().kind() == TypeKind::LLVMPointerTypeKind {
            let event = transfer.operand(EVENT_OPERAND);
            transfer.replace_all_uses_with(event);
            transfer.set_operand(EVENT_OPERAND, event.ty().zero());
        }
    }
    for wait in calls(module, WAIT_GROUP_EVENTS) {
        wait.erase();
    }
}

/// Replaces each wait for several events by waits for one.
pub fn wait_one_by_one(module: ModuleRef) {
    for wait in calls(module, WAIT_GROUP_EVENTS) {
        let (count, events) = (wait.operand(0), wait.operand(1));
        let b = Builder::new(wait.ty().context());
        let event = Type::pointer(b.context, 0);
        let waits_for = ir::function(module, DMA_WAIT).unwrap_or_else(|| {
            let ty = Type::function(Type::void(b.context), &[event]);
            let function = ir::add_function(module, DMA_WAIT, ty);
            function.add_attribute("convergent");
            function.add_attribute("nounwind");
            function
        });
        let wait_for = |number: Value| {
            let place = b.element(event, events, number);
            b.call(waits_for, &[b.load(event, place, 8)]);
        };
        match count.as_integer() {
            Some(count) if count <= MAX_UNROLLED_EVENTS => {
                b.before(wait);
                for number in 0..count {
                    wait_for(b.i64().constant(number));
                }
            }
            _ => {
                let after = wait.block();
                let before = super::barrier_split::split_before(&b, wait);
                before.terminator().erase();
                let [head, round] = ["wait", "wait.round"].map(|name| after.insert_before(name));
                b.at_end(before);
                b.branch(head);
                // Not before an instruction, the builder has no line.
                b.of_the_line_of(wait);
                b.at_end(head);
                let number = b.phi(b.i32(), "number");
                number.add_incoming(b.i32().constant(0), before);
                let more = b.compare(LLVMIntSLT, number, count);
                b.branch_if(more, round, after);
                b.at_end(round);
                wait_for(b.zero_extend(number, b.i64()));
                let next = b.add(number, b.i32().constant(1));
                number.add_incoming(next, round);
                b.branch(head);
            }
        }
        wait.erase();
    }
}
