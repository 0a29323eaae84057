//! The faults that can be injected into execution, so that the conformance suite can be checked.
//! Without the feature `present` of `fault-injection` each function is a constant.

use fault_injection::{Defect, is_active};

/// Work-groups to run of `groups`: `GroupsLeftOut` drops those beyond the last multiple of
/// `arrays`.
pub fn groups_to_run(groups: u64, arrays: u64) -> u64 {
    if is_active(Defect::GroupsLeftOut) && groups > arrays {
        return groups - groups % arrays;
    }
    groups
}

/// Rows of a DMA transfer to copy: `ShortGroupCopies` drops the last one.
pub fn rows_to_copy(rows: u64) -> u64 {
    rows.saturating_sub(is_active(Defect::ShortGroupCopies).into())
}

/// Whether private memory follows local memory at once, so that arguments in local memory for which
/// no room was reserved (`OverlappingLocalArguments`) overlap it.
pub fn private_follows_local_memory() -> bool {
    is_active(Defect::OverlappingLocalArguments)
}

/// Whether all work-groups that run at a time share one local memory (`SharedLocalMemory`).
pub fn local_memory_is_shared() -> bool {
    is_active(Defect::SharedLocalMemory)
}
