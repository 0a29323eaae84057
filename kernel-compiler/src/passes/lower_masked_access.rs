//! Masked accesses on hosts that are slow at them: they become what a CPU without mask registers is fast at, with the
//! same result. All those of timed code, which the machine does as one operation and has been charged for; of
//! other code scatters, and stores that the host has no instruction for, for which LLVM would test the mask of each lane and branch.

use super::masked_calls;
use crate::intrinsics::address_space;
use crate::ir::{Builder, DataLayout, ModuleRef, Type, Value};
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
            Some("scatter") => scatter(&b, call),
            Some("store") if !call.operand(2).is_constant() => store(&b, call, Builder::insert),
            _ => {}
        }
    }
}

/// Rewrites the scatters of a module, and stores of elements for which the host has no instruction, by their bits.
pub fn rewrite_branching_stores(module: ModuleRef, has_instruction: impl Fn(u64) -> bool) {
    let layout = DataLayout::of_module(module);
    for call in masked_calls::of_kind(module, "scatter") {
        if !call.operand(2).is_constant() {
            scatter(&Builder::new(call.ty().context()), call);
        }
    }
    for call in masked_calls::of_kind(module, "store") {
        let (element, _) = call.operand(0).ty().vector_elements();
        let b = Builder::new(call.ty().context());
        if has_instruction(8 * layout.size(element)) {
            continue;
        }
        if call.operand(2).is_constant() {
            store_active(&b, call);
        } else {
            store(&b, call, store_each);
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

/// Element by element; lanes that take no part write a place of the function's own.
fn scatter(b: &Builder, call: Value) {
    let (values, mut pointers, mask) = (call.operand(0), call.operand(1), call.operand(2));
    let (element, count) = values.ty().vector_elements();
    b.before(call);
    if !is_full(mask) {
        let place = place(b, call, element, pointers.ty().vector_elements().0);
        pointers = b.select(mask, pointers, b.splat(place, count));
    }
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

/// Asks first whether all lanes or none take part: mostly they do, and masked stores are slow. If only some do, `store_some` does it.
fn store(b: &Builder, call: Value, store_some: fn(&Builder, Value)) {
    let (values, pointer, mask) = (call.operand(0), call.operand(1), call.operand(2));
    let (_, count) = mask.ty().vector_elements();
    let names = ["whole", "not_whole", "partly"];
    let (before, [whole, not_whole, partly], after) = masked_calls::split_at(b, call, names);
    b.at_end(before);
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
    store_some(b, call);
    b.at_end(partly);
    b.branch(after);
}

/// Element by element; lanes that take no part write a place of the function's own.
fn store_each(b: &Builder, call: Value) {
    let (values, pointer, mask) = (call.operand(0), call.operand(1), call.operand(2));
    let (element, count) = values.ty().vector_elements();
    b.insert(call);
    let place = place(b, call, element, pointer.ty());
    for lane in 0..u64::from(count) {
        let lane = b.i64().constant(lane);
        let to = b.element(element, pointer, lane);
        let to = b.select(b.extract_element(mask, lane), to, place);
        b.store(b.extract_element(values, lane), to, 1);
    }
    call.erase();
}

/// Stores the elements of a constant mask.
fn store_active(b: &Builder, call: Value) {
    let (values, pointer, mask) = (call.operand(0), call.operand(1), call.operand(2));
    let (element, count) = values.ty().vector_elements();
    b.before(call);
    for lane in (0..count).filter(|lane| mask.is_active(*lane)) {
        let lane = b.i64().constant(u64::from(lane));
        let value = b.extract_element(values, lane);
        b.store(value, b.element(element, pointer, lane), 1);
    }
    call.erase();
}
