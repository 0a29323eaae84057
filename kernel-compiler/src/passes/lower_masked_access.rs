//! Masked accesses of timed code on hosts that are slow at them. The machine does each as one
//! operation, and has been charged for it: here they become what a CPU without mask registers is
//! fast at, with the same result.

use crate::intrinsics::address_space;
use crate::ir::{Builder, Type, Value};
use crate::work_group::barrier_split;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;

/// Rewrites gathers, scatters and masked stores of a function.
pub fn rewrite(function: Value) {
    let b = Builder::new(function.ty().context());
    for call in function.instructions() {
        let Some(name) = call.called_function().map(Value::name) else {
            continue;
        };
        let Some(access) = name.strip_prefix("llvm.masked.") else {
            continue;
        };
        match access.split('.').next() {
            Some("gather") => gather(&b, call),
            Some("scatter") if is_full(call.operand(2)) => scatter(&b, call),
            Some("store") => store(&b, call),
            _ => {}
        }
    }
}

/// Whether a mask is a constant that has all lanes.
fn is_full(mask: Value) -> bool {
    mask.is_all_ones()
}

/// Element by element; lanes that take no part read a place of the function's own.
fn gather(b: &Builder, call: Value) {
    let (mut pointers, mask, otherwise) = (call.operand(0), call.operand(1), call.operand(2));
    let (element, count) = call.ty().vector_elements();
    b.before(call);
    if !is_full(mask) {
        let place = place(b, call, element, pointers.ty().vector_elements().0);
        pointers = b.select(mask, pointers, b.splat(place, count));
    }
    let mut made = call.ty().poison();
    for lane in 0..u64::from(count) {
        let lane = b.i64().constant(lane);
        let value = b.load(element, b.extract_element(pointers, lane), 1);
        made = b.insert_element(made, value, lane);
    }
    if !is_full(mask) && !otherwise.is_poison() {
        made = b.select(mask, made, otherwise);
    }
    call.replace_all_uses_with(made);
    call.erase();
}

/// A variable of the function's, as a pointer of that type.
fn place(b: &Builder, before: Value, element: Type, pointer: Type) -> Value {
    b.before(before.block().function().entry_block().first_after_phis());
    let variable = b.alloca(element, "somewhere");
    b.before(before);
    if pointer.address_space() == address_space::PRIVATE {
        variable
    } else {
        b.address_space_cast(variable, pointer)
    }
}

fn scatter(b: &Builder, call: Value) {
    let (values, pointers) = (call.operand(0), call.operand(1));
    let (_, count) = values.ty().vector_elements();
    b.before(call);
    for lane in 0..u64::from(count) {
        let lane = b.i64().constant(lane);
        let (value, pointer) = (
            b.extract_element(values, lane),
            b.extract_element(pointers, lane),
        );
        b.store(value, pointer, 1);
    }
    call.erase();
}

/// Asks first whether all lanes or none take part: mostly they do, and masked stores are slow.
fn store(b: &Builder, call: Value) {
    let (values, pointer, mask) = (call.operand(0), call.operand(1), call.operand(2));
    if mask.is_constant() {
        return;
    }
    let (_, count) = mask.ty().vector_elements();
    let next = call.next_instruction().expect("a call is no terminator");
    let whole_or_not = barrier_split::split_before(b, next);
    let after = next.block();
    let [whole, not_whole, partly] =
        ["whole", "not_whole", "partly"].map(|name| after.insert_before(name));
    whole_or_not.terminator().erase();
    call.remove_from_block();
    b.at_end(whole_or_not);
    let bits = Type::integer(b.context, count);
    let all = b.compare(LLVMIntEQ, b.bit_cast(mask, bits), bits.all_ones());
    b.branch_if(all, whole, not_whole);
    b.at_end(whole);
    b.store(values, pointer, 1);
    b.branch(after);
    b.at_end(not_whole);
    let none = b.compare(LLVMIntEQ, b.bit_cast(mask, bits), bits.zero());
    b.branch_if(none, after, partly);
    b.at_end(partly);
    b.insert(call);
    b.branch(after);
}
