//! Accesses of memory that an asynchronous copy has not ended with (`Checks::DMA`). An access is
//! compared with the memory that the group's pending transfers may access
//! (`host_exec::dma_checker::watched`); one within it is left to the platform, which knows the rows.
//! A kernel without transfers stays as it is.

use super::access::{Access, shared, written_bits};
use super::calls;
use super::provenance::address;
use super::target::Targets;
use crate::intrinsics::{DMA_ACCESS, NEXT_TRANSFER};
use crate::ir::{Builder, ModuleRef, Opcode, Type, Value};
use crate::kernel::interface::KernelInterface;
use crate::work_group::branches::when;
use host_exec::dma_checker::watched::{RANGES, WatchedList, WatchedRange};
use host_exec::memory_checker::access_table::{AccessTable, UNKNOWN_OBJECT};
use host_exec::work_group::WorkGroupContext;
use llvm_sys::LLVMIntPredicate::LLVMIntULT;
use std::mem::{offset_of, size_of};

/// Instruments the transfers of a kernel and, if they are checked, the marked accesses; returns what the
/// numbers in reports mean.
pub fn insert(
    module: ModuleRef,
    interface: &KernelInterface,
    checks_accesses: bool,
) -> AccessTable {
    let mut targets = Targets::new(module, interface);
    let transfers = targets.transfers();
    if transfers.is_empty() {
        return AccessTable::default();
    }
    if checks_accesses {
        let provenance = &targets.provenance;
        for access in shared(&targets.b, provenance.layout, provenance.kernel) {
            check_access(&mut targets, &access);
        }
    }
    for transfer in transfers {
        announce(&mut targets, transfer);
    }
    targets.sites.table
}

fn check_access(targets: &mut Targets<'_>, access: &Access) {
    let Some(target) = targets.of_access(access) else {
        return;
    };
    let instruction = access.instruction;
    let site = targets.sites.add(access);
    let (b, module) = (&targets.b, targets.module());
    let start = address(b, access.pointer);
    let context = calls::context(b, module);
    let list = WatchedList::select(target.is_local(), access.writes);
    let is_watched = is_watched(b, context, list, start, access.bytes);
    when(b, is_watched, instruction, "watched", |_| {
        let number = |number| b.i64().constant(number);
        let [x, y, z] = calls::local_id(b, module);
        let arguments = [
            context,
            number(site),
            number(target.object),
            target.place,
            start,
            access.bytes,
            number(access.writes.into()),
            written_bits(b, instruction),
            x,
            y,
            z,
        ];
        calls::outside(b, module, DMA_ACCESS, Type::void(b.context), &arguments);
    });
}

/// Has a transfer be known by its site and the object that it writes.
fn announce(targets: &mut Targets<'_>, transfer: Value) {
    targets.b.of_the_line_of(transfer);
    targets.b.before(transfer);
    let site = targets.sites.add_transfer(transfer, true);
    let target = targets.target(transfer.operand(0));
    let object = target.map_or(UNKNOWN_OBJECT, |target| target.object);
    let b = &targets.b;
    let arguments = [site, object].map(|number| b.i64().constant(number));
    calls::writer(b, targets.module(), NEXT_TRANSFER, &arguments);
}

/// Whether an access overlaps a range of the list: bytes `start` to `start + bytes - 1` and those of
/// the range do if the last one is less than both sizes behind the range's start.
fn is_watched(b: &Builder, context: Value, list: WatchedList, start: Value, bytes: Value) -> Value {
    let number = |number: usize| b.i64().constant(number as u64);
    let pointer = |from, offset| b.offset(from, number(offset));
    let list_offset = list as usize * RANGES * size_of::<WatchedRange>();
    let watched = pointer(context, offset_of!(WorkGroupContext, watched_memory));
    let watched = b.load(Type::pointer(b.context, 0), watched, 8);
    let before_last = b.add(bytes, b.i64().constant(u64::MAX));
    let last = b.add(start, before_last);
    let overlaps = |range: usize| {
        let range = list_offset + range * size_of::<WatchedRange>();
        let field = |offset| b.load(b.i64(), pointer(watched, range + offset), 8);
        let distance = b.binary(
            Opcode::LLVMSub,
            last,
            field(offset_of!(WatchedRange, start)),
        );
        let limit = b.add(field(offset_of!(WatchedRange, bytes)), before_last);
        b.compare(LLVMIntULT, distance, limit)
    };
    let either = |one, other| b.binary(Opcode::LLVMOr, one, other);
    (1..RANGES).fold(overlaps(0), |known, range| either(known, overlaps(range)))
}
