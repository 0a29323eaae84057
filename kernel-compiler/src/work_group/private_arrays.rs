//! Private arrays of a kernel, and where each is stored: those that are needed after a barrier, once
//! for each work-item.

use super::cross_barrier_values::{Slot, Use, uses};
use super::region::Regions;
use crate::ir::{Block, Builder, DataLayout, ModuleRef, Opcode, Value};
use crate::printf;
use std::collections::HashSet;

/// Bytes of private arrays on the host thread's stack, which is small if the thread is the host
/// program's own.
const MAX_STACK_BYTES: u64 = 32 * 1024;

/// Where a private array of the kernel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// On the stack of the host thread: only one region uses it.
    Stack,
    /// On the stack as well: a variable of the group that its work-items only read.
    Shared,
    /// Once in the group's private memory: as `Stack`, but too large for it.
    Group,
    /// In the group's private memory, for each work-item.
    WorkItem,
}

/// A private array.
#[derive(Clone, Copy)]
pub struct PrivateArray {
    /// The alloca in the kernel.
    pub alloca: Value,
    /// Where it is stored.
    pub storage: Storage,
    /// Whether each work-item keeps it across barriers.
    pub is_kept: bool,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u32,
}

impl PrivateArray {
    /// A new variable of each work-item for where it has arrived.
    pub fn of_arrival(kernel: Value) -> Self {
        let builder = Builder::new(kernel.ty().context());
        let first = kernel.entry_block().first_instruction();
        builder.before(first.expect("a block ends in a terminator"));
        let alloca = builder.alloca(builder.i32(), "arrival");
        Self {
            alloca,
            storage: Storage::WorkItem,
            is_kept: true,
            size: 4,
            alignment: alloca.alignment(),
        }
    }
}

/// The private arrays of the kernel, slots apart, and where each is stored. Those in `shared` belong
/// to the group.
pub fn find(
    module: ModuleRef,
    kernel: Value,
    regions: &Regions,
    slots: &[Slot],
    shared: &[Value],
    lanes: Option<u32>,
) -> Vec<PrivateArray> {
    let layout = DataLayout::of_module(module);
    let slots: HashSet<Value> = slots.iter().map(|slot| slot.alloca).collect();
    let mut arrays = Vec::new();
    let mut on_stack = 0;
    for alloca in kernel.instructions() {
        if alloca.opcode() != Opcode::LLVMAlloca || slots.contains(&alloca) {
            continue;
        }
        let ty = alloca.allocated_type();
        let count = alloca.operand(0).as_integer().unwrap_or(1);
        let size = layout.size(ty) * count;
        let is_shared = shared.contains(&alloca);
        let is_kept =
            !is_shared && regions.regions.len() > 1 && lives_across_barriers(alloca, size, regions);
        let storage = if is_shared {
            Storage::Shared
        } else if is_kept {
            Storage::WorkItem
        } else if on_stack + size * u64::from(lanes.unwrap_or(1)) > MAX_STACK_BYTES {
            // Lanes use their copies at the same time.
            lanes.map_or(Storage::Group, |_| Storage::WorkItem)
        } else {
            on_stack += size * u64::from(lanes.unwrap_or(1));
            Storage::Stack
        };
        arrays.push(PrivateArray {
            alloca,
            storage,
            is_kept,
            size,
            alignment: alloca.alignment(),
        });
    }
    arrays
}

/// Whether a function does not capture its pointer arguments.
fn captures_no_pointer(function: &str) -> bool {
    function.starts_with("llvm.mem") || function == printf::FUNCTION
}

/// Whether what is stored in a private array may be needed after a barrier.
fn lives_across_barriers(alloca: Value, size: u64, regions: &Regions) -> bool {
    let Some(uses) = all_uses(alloca) else {
        return true;
    };
    let containing = |block: &Block| regions.containing(*block).iter().copied();
    let blocks = uses.iter().flat_map(|used| [used.user.block(), used.block]);
    let used_by: HashSet<usize> = blocks
        .flat_map(|block| containing(&block).collect::<Vec<_>>())
        .collect();
    match used_by.iter().collect::<Vec<_>>()[..] {
        [] => false,
        [&only] => regions.may_follow_itself(only) && !is_initialised(alloca, size, &uses, regions),
        _ => true,
    }
}

/// Whether a region sets a whole array before it uses it.
fn is_initialised(alloca: Value, size: u64, uses: &[Use], regions: &Regions) -> bool {
    let sets_all = |used: &&Use| {
        let called = used.user.called_function().map(Value::name);
        let sets = called.is_some_and(|name| {
            name.starts_with("llvm.memset.") || name.starts_with("llvm.memcpy.")
        });
        sets && used.user.operand(0) == alloca && used.user.operand(2).as_integer() == Some(size)
    };
    let comes_first = |set: &Use| {
        let within = set.user.block().instructions();
        let before: HashSet<Value> = within.into_iter().take_while(|i| *i != set.user).collect();
        uses.iter().all(|used| {
            !before.contains(&used.user)
                && (used.block == set.block || !regions.crosses(set.block, used.block))
        })
    };
    uses.iter().filter(sets_all).any(comes_first)
}

/// The uses of an alloca by all pointers derived from it. None if a pointer escapes, which may be
/// used anywhere.
fn all_uses(alloca: Value) -> Option<Vec<Use>> {
    let mut found = Vec::new();
    let mut pending = vec![alloca];
    let mut seen = HashSet::from([alloca]);
    while let Some(pointer) = pending.pop() {
        for used in uses(pointer) {
            match used.user.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                Opcode::LLVMStore if used.operand == 1 => {}
                Opcode::LLVMCall
                    if used
                        .user
                        .called_function()
                        .is_some_and(|f| captures_no_pointer(&f.name())) => {}
                Opcode::LLVMGetElementPtr
                | Opcode::LLVMBitCast
                | Opcode::LLVMAddrSpaceCast
                | Opcode::LLVMPHI
                | Opcode::LLVMSelect => {
                    if seen.insert(used.user) {
                        pending.push(used.user);
                    }
                }
                _ => return None,
            }
            found.push(used);
        }
    }
    Some(found)
}
