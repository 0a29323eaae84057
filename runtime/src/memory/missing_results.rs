//! Memory objects without the results of launches that were predicted and not executed. A kernel that
//! is executed must not read them: what it takes for an index might be any number.

use crate::memory::memory_access::MemoryAccess;
use crate::memory::residency::AccessKind;
use crate::time::prediction_mode::PredictionMode;
use std::sync::atomic::Ordering;

/// A launch with these accesses is not executed.
pub(crate) fn note(accesses: &[MemoryAccess]) {
    let written = accesses.iter().filter(|access| writes(access.kind));
    for access in written {
        set(access, true);
    }
}

/// Whether results are missing in an object of these accesses.
pub(crate) fn are_in(accesses: &[MemoryAccess]) -> bool {
    accesses.iter().any(lacks_results)
}

/// A command other than a launch has these accesses: what it computes from missing results is
/// missing, too.
pub(crate) fn pass_on(accesses: &[MemoryAccess]) {
    if PredictionMode::get() != PredictionMode::Only {
        return;
    }
    let mut read = accesses.iter().filter(|access| reads(access.kind));
    let are_read = read.any(lacks_results);
    for access in accesses.iter().filter(|access| writes(access.kind)) {
        if are_read || access.object.residency().is_whole(&access.accessed) {
            set(access, are_read);
        }
    }
}

fn lacks_results(access: &MemoryAccess) -> bool {
    let residency = access.object.residency();
    residency.lacks_results.load(Ordering::Relaxed)
}

fn set(access: &MemoryAccess, lacks_results: bool) {
    let residency = access.object.residency();
    residency
        .lacks_results
        .store(lacks_results, Ordering::Relaxed);
}

fn reads(kind: AccessKind) -> bool {
    matches!(
        kind,
        AccessKind::Read | AccessKind::Update | AccessKind::Export
    )
}

fn writes(kind: AccessKind) -> bool {
    matches!(
        kind,
        AccessKind::Update | AccessKind::Overwrite | AccessKind::Import
    )
}
