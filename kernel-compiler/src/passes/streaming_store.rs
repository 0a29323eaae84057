//! Stores past the caches (non-temporal) where a launch writes more than the caches hold: an ordinary store of a line
//! loads the line first, which takes a third of the bandwidth, or a half.
//!
//! Stores of whole lines are concerned, to buffers that the kernel does not read. They are written past the caches if the
//! address is that of a line and the launch is to do so (`WorkGroupContext::ordinary_stores`), which code tests. The launch
//! ends with a fence on each host thread, so that what follows sees what was stored; a kernel that lets others see it
//! before, by atomic operations or fences, is left alone.

use super::masked_calls;
use crate::analysis::cfg::Cfg;
use crate::ir::{
    Block, Builder, DataLayout, Value, metadata_constant, metadata_kind, metadata_node,
};
use host_exec::work_group::WorkGroupContext;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::LLVMOpcode as Opcode;
use std::collections::HashSet;
use std::mem::offset_of;

/// Bytes of a cache line.
const LINE: u64 = 64;

/// Larger shuffles interleave several vectors.
const MAX_SHUFFLED_BYTES: u64 = 2 * LINE;

/// Stores in a function at most: each is there twice afterwards.
const MOST_STORES: usize = 32;

/// Makes stores of a work-group function streaming where that is possible. The function is for launches that write more
/// than the caches hold.
pub fn select(function: Value) {
    let stores = find(function, DataLayout::of_function(function)).unwrap_or_default();
    if stores.len() > MOST_STORES {
        return;
    }
    if stores.is_empty() {
        return;
    }
    let b = Builder::new(function.ty().context());
    b.before(function.entry_block().first_after_phis());
    let context = function.parameters()[1];
    let offset = offset_of!(WorkGroupContext, ordinary_stores) as u64;
    let ordinary = b.load(b.i64(), b.offset(context, b.i64().constant(offset)), 8);
    for store in stores {
        stream(&b, store, ordinary);
    }
}

/// The object that a pointer leads into.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Base {
    /// The buffer whose address is at this offset in the argument block.
    Argument(u64),
    /// Private, local or constant memory, the argument block or the context.
    Other,
}

/// Stores that may be streaming. None if the function does what makes all unfit.
fn find(function: Value, layout: DataLayout) -> Option<Vec<Value>> {
    let parameters = function.parameters();
    let base = |pointer| base(pointer, &parameters, layout);
    let cfg = Cfg::compute(function);
    let mut stores = Vec::new();
    let mut used = HashSet::new();
    for instruction in function.instructions() {
        match instruction.opcode() {
            Opcode::LLVMLoad if instruction.is_volatile() || instruction.is_atomic() => {
                return None;
            }
            Opcode::LLVMLoad => {
                used.insert(base(instruction.operand(0))?);
            }
            Opcode::LLVMStore if instruction.is_volatile() || instruction.is_atomic() => {
                return None;
            }
            Opcode::LLVMStore => {
                let to = base(instruction.operand(1))?;
                if to != Base::Other && is_of_lines(instruction, layout, &cfg) {
                    stores.push((instruction, to));
                }
            }
            Opcode::LLVMCall => {
                let name = instruction.called_function()?.name();
                if !name.starts_with("llvm.") {
                    return None;
                }
                let writes_only = name.starts_with("llvm.masked.store.");
                let operands = instruction.operands();
                let arguments = &operands[..operands.len() - 1];
                for pointer in arguments.iter().filter(|one| one.ty().is_pointer()) {
                    let of = base(*pointer)?;
                    if !writes_only {
                        used.insert(of);
                    }
                }
                // Their operands are vectors of pointers.
                if name.starts_with("llvm.masked.gather.") {
                    used.insert(base(first_pointer(arguments[0])?)?);
                } else if name.starts_with("llvm.masked.scatter.") {
                    used.insert(base(first_pointer(arguments[1])?)?);
                }
            }
            Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMFence
            | Opcode::LLVMInvoke => return None,
            _ => {}
        }
    }
    let stores = stores.into_iter().filter(|(_, to)| !used.contains(to));
    Some(stores.map(|(store, _)| store).collect())
}

/// The pointer that the elements of a vector of addresses are computed from.
fn first_pointer(addresses: Value) -> Option<Value> {
    let is_element = addresses.is_instruction() && addresses.opcode() == Opcode::LLVMGetElementPtr;
    let pointer = is_element.then(|| addresses.operand(0))?;
    pointer.ty().is_pointer().then_some(pointer)
}

/// Whether a store writes whole lines, at another address each time.
/// Code generation interleaves vectors in the block of the store only.
fn is_of_lines(store: Value, layout: DataLayout, cfg: &Cfg) -> bool {
    let (value, pointer) = (store.operand(0), store.operand(1));
    let is_shuffled = value.is_instruction() && value.opcode() == Opcode::LLVMShuffleVector;
    let is_interleaved = is_shuffled && layout.size(value.ty()) > MAX_SHUFFLED_BYTES;
    value.ty().is_vector()
        && !is_interleaved
        && layout.size(value.ty()).is_multiple_of(LINE)
        && pointer.is_instruction()
        && runs_at_most_once_after(store.block(), pointer.block(), cfg)
}

/// Whether each execution of `block` follows another one of `before`, and no other than that block's leads there: it is
/// the same, or is reached through blocks with one predecessor each.
fn runs_at_most_once_after(block: Block, before: Block, cfg: &Cfg) -> bool {
    let before = cfg.number(before);
    let mut at = cfg.number(block);
    while at != before {
        match cfg.predecessors(at) {
            [only] => at = *only,
            _ => return false,
        }
    }
    true
}

/// The object that a pointer leads into. None if that is not known.
fn base(pointer: Value, parameters: &[Value], layout: DataLayout) -> Option<Base> {
    let mut at = pointer;
    while at.is_instruction()
        && matches!(
            at.opcode(),
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast
        )
    {
        at = at.operand(0);
    }
    if !at.is_instruction() {
        // Parameters, global variables and constant addresses.
        return Some(Base::Other);
    }
    match at.opcode() {
        Opcode::LLVMAlloca => Some(Base::Other),
        Opcode::LLVMLoad => {
            let from = at.operand(0);
            if from == parameters[0] {
                return Some(Base::Argument(0));
            }
            let owner = (from.is_instruction() && from.opcode() == Opcode::LLVMGetElementPtr)
                .then(|| from.operand(0))?;
            if owner == parameters[1] {
                return Some(Base::Other);
            }
            (owner == parameters[0])
                .then(|| from.constant_offset(layout))?
                .map(Base::Argument)
        }
        _ => None,
    }
}

/// Stores past the caches if the address is that of a line and `ordinary` is 0.
fn stream(b: &Builder, store: Value, ordinary: Value) {
    let (value, pointer) = (store.operand(0), store.operand(1));
    let (before, [past_caches, to_caches], after) =
        masked_calls::split_at(b, store, ["streaming", "ordinary"]);
    b.at_end(before);
    let i64 = b.i64();
    let address = b.cast(Opcode::LLVMPtrToInt, pointer, i64);
    let place = b.and(address, i64.constant(LINE - 1));
    let obstacles = b.binary(Opcode::LLVMOr, place, ordinary);
    let streams = b.compare(LLVMIntEQ, obstacles, i64.constant(0));
    b.branch_if(streams, past_caches, to_caches);
    b.at_end(past_caches);
    let streaming = b.store(value, pointer, LINE as u32);
    let one = metadata_constant(b.i32().constant(1));
    streaming.set_metadata(
        metadata_kind(b.context, "nontemporal"),
        metadata_node(b.context, &[Some(one)]),
    );
    b.branch(after);
    b.at_end(to_caches);
    b.insert(store);
    b.branch(after);
}
