//! Masked loads of consecutive elements on hosts that have no instruction for them: bytes and halves without
//! AVX-512, others without AVX. LLVM would test the mask of each lane and branch. A load of the whole vector also reads
//! the elements of inactive lanes, which cannot fault in a page from which an active lane reads.

use super::masked_calls;
use crate::ir::{Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate::{LLVMIntNE, LLVMIntULE};

/// Bytes of the host's smallest pages.
const PAGE: u64 = 4096;

/// Rewrites such loads in all functions of a module; `has_instruction` says whether the host has one for elements of
/// a number of bits.
pub fn widen(module: ModuleRef, has_instruction: impl Fn(u64) -> bool) {
    let layout = DataLayout::of_module(module);
    for call in masked_calls::of_kind(module, "load") {
        let (element, count) = call.ty().vector_elements();
        let element_bytes = layout.size(element);
        let bytes = element_bytes * u64::from(count);
        if has_instruction(8 * element_bytes) || bytes > PAGE {
            continue;
        }
        if call.operand(1).is_constant() {
            load_active(call);
        } else {
            widen_load(call, bytes);
        }
    }
}

/// Loads the elements of a constant mask.
fn load_active(call: Value) {
    let (pointer, mask, otherwise) = (call.operand(0), call.operand(1), call.operand(2));
    let (element, count) = call.ty().vector_elements();
    let b = Builder::new(call.ty().context());
    b.before(call);
    let active = (0..count).filter(|lane| mask.is_active(*lane));
    let result = active.fold(otherwise, |vector, lane| {
        let lane = b.i64().constant(u64::from(lane));
        let value = b.load(element, b.element(element, pointer, lane), 1);
        b.insert_element(vector, value, lane)
    });
    call.replace_all_uses_with(result);
    call.erase();
}

/// ```text
/// if no lane is active: otherwise
/// else if all bytes are in one page: select(mask, load, otherwise)
/// else: the masked load
/// ```
fn widen_load(call: Value, bytes: u64) {
    let (pointer, mask, otherwise) = (call.operand(0), call.operand(1), call.operand(2));
    let b = Builder::new(call.ty().context());
    let (_, count) = mask.ty().vector_elements();
    let names = ["some", "whole", "partly"];
    let (before, [some, whole, partly], after) = masked_calls::split_at(&b, call, names);
    b.at_start(after);
    let result = b.phi(call.ty(), "");
    call.replace_all_uses_with(result);

    b.at_end(before);
    let bits = Type::integer(b.context, count);
    let any = b.compare(LLVMIntNE, b.bit_cast(mask, bits), bits.zero());
    b.branch_if(any, some, after);

    b.at_end(some);
    let address = b.cast(Opcode::LLVMPtrToInt, pointer, b.i64());
    let offset = b.and(address, b.i64().constant(PAGE - 1));
    let last = b.i64().constant(PAGE - bytes);
    b.branch_if(b.compare(LLVMIntULE, offset, last), whole, partly);

    b.at_end(whole);
    let loaded = b.load(call.ty(), pointer, 1);
    let selected = b.select(mask, loaded, otherwise);
    b.branch(after);

    b.at_end(partly);
    b.insert(call);
    b.branch(after);

    for (value, block) in [(otherwise, before), (selected, whole), (call, partly)] {
        result.add_incoming(value, block);
    }
}
