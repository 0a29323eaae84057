//! Memory objects without the results of launches that were not executed, because they were predicted or
//! share the time of another launch. A kernel that is executed must not read them where it takes them for
//! indices or branches: what it finds might be any number.

use crate::memory::memory_access::MemoryAccess;
use crate::memory::residency::{AccessKind, HOST_LACKS_RESULTS};
use crate::time::prediction_mode::PredictionMode;
use environment::SHARE_LAUNCHES;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;

/// Whether launches share their times, so that all but one of equal ones have no results.
pub(crate) fn are_shared() -> bool {
    static ARE: LazyLock<bool> = LazyLock::new(|| SHARE_LAUNCHES.is_one());
    *ARE
}

/// A launch with these accesses is not executed.
pub(crate) fn note(accesses: &[MemoryAccess]) {
    let written = accesses.iter().filter(|access| writes(access.kind));
    for access in written {
        set(access, true);
    }
}

/// Whether results are missing in an object of these accesses.
pub(crate) fn are_in<'a>(accesses: impl IntoIterator<Item = &'a MemoryAccess>) -> bool {
    accesses.into_iter().any(lacks_results)
}

/// A command that is executed has these accesses: what it computes from missing results is missing, too.
pub(crate) fn pass_on(accesses: &[MemoryAccess]) {
    if PredictionMode::get() != PredictionMode::Only && !are_shared() {
        return;
    }
    let mut read = accesses.iter().filter(|access| reads(access.kind));
    let are_read = read.any(lacks_results);
    for access in accesses {
        match access.kind {
            AccessKind::Export if are_read => note_at_host(),
            _ if !writes(access.kind) => {}
            AccessKind::Import if HOST_LACKS_RESULTS.load(Ordering::Relaxed) => set(access, true),
            _ if are_read || access.object.residency().is_whole(&access.accessed) => {
                set(access, are_read);
            }
            _ => {}
        }
    }
}

/// The host program copies missing results. Predictions do not follow them further.
fn note_at_host() {
    if are_shared() {
        HOST_LACKS_RESULTS.store(true, Ordering::Relaxed);
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
