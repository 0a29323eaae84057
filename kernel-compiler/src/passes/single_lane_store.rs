//! Masked stores of which one lane takes part, known at compile time, as scalar stores.
//!
//! LLVM 22's X86 back end makes such a store scalar too, but of the type before a truncation that it
//! has folded into the store: `trunc <4 x i32> to <4 x i8>` then overwrites three bytes.

use super::masked_calls;
use crate::ir::{Builder, ModuleRef, Value};

/// Rewrites such stores in all functions of a module.
pub fn scalarize(module: ModuleRef) {
    for call in masked_calls::of_kind(module, "store") {
        if let Some(lane) = only_lane(call.operand(2)) {
            scalarize_store(call, lane);
        }
    }
}

/// The only lane of a constant mask. Lanes that are undefined take no part.
fn only_lane(mask: Value) -> Option<u32> {
    if !mask.is_constant() {
        return None;
    }
    let (_, count) = mask.ty().vector_elements();
    let mut active = (0..count).filter(|lane| mask.is_active(*lane));
    active.next().filter(|_| active.next().is_none())
}

fn scalarize_store(call: Value, lane: u32) {
    let (values, pointer) = (call.operand(0), call.operand(1));
    let builder = Builder::new(values.ty().context());
    builder.before(call);
    let (element, _) = values.ty().vector_elements();
    let lane = builder.i64().constant(u64::from(lane));
    let value = builder.extract_element(values, lane);
    builder.store(value, builder.element(element, pointer, lane), 1);
    call.erase();
}
