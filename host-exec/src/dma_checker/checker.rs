//! Collects the accesses of a launch that conflict with transfers.

use super::pending::{Conflict, Pending, PendingTransfers};
use super::watched::WatchedMemory;
use crate::first_findings::{FirstFindings, Found, Listener};
use crate::memory_checker::access_table::AccessTable;
use crate::work_group::WorkGroupContext;
use device_sim::dma::Transfer;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;

/// A finding. Sites and objects are given by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DmaFinding {
    /// An access conflicts with a transfer that has not been waited for.
    TooEarly {
        /// The access.
        access: EarlyAccess,
        /// Where the transfer was started.
        transfer: u64,
        /// What they do.
        conflict: Conflict,
    },
    /// A group ended without waiting for a transfer.
    NeverWaitedFor {
        /// Where it was started.
        transfer: u64,
        /// What it writes.
        object: u64,
    },
}

/// An access as code reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyAccess {
    /// Its number.
    pub site: u64,
    /// The part of memory that it accesses; none for a transfer, which has two.
    pub part: Option<AccessedPart>,
}

/// A part of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessedPart {
    /// Number of its object, or `UNKNOWN_OBJECT`.
    pub object: u64,
    /// Bytes from the object's start, or the address.
    pub place: u64,
    /// Its size.
    pub bytes: u64,
    /// The bits of the value that is written, if the site has a type for it.
    pub value: u64,
}

/// What findings that are alike have in common: the sites of the transfer and of the access, and the
/// conflict.
type Key = (u64, Option<(u64, Conflict)>);

/// The places of a kernel's transfers.
pub(super) type PendingPlaces = AccessTable;

/// Collects the findings of a launch.
#[derive(Debug, Default)]
pub struct DmaChecker {
    found: FirstFindings<Key, DmaFinding>,
    /// Where transfers are started; known if debuggers show them.
    places: Option<Arc<PendingPlaces>>,
}

/// The state of the group that a host thread runs.
#[derive(Default)]
pub(super) struct CheckedGroup {
    transfers: PendingTransfers,
    /// Place and destination of the next transfer.
    next: (u64, u64),
    /// Conflicts of transfers, which do not know their group: site, and the finding's rest.
    between_transfers: Vec<(u64, u64, Conflict)>,
    places: Option<Arc<PendingPlaces>>,
}

thread_local! {
    pub(super) static GROUP: RefCell<CheckedGroup> = RefCell::default();
    /// Boxed, since code holds its address.
    static WATCHED: RefCell<Box<WatchedMemory>> = RefCell::default();
}

/// What code of groups on this thread watches.
pub(crate) fn watched() -> *const WatchedMemory {
    WATCHED.with_borrow(|watched| &raw const **watched)
}

impl CheckedGroup {
    /// The transfers that it has not waited for.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Pending> {
        self.transfers.iter()
    }

    /// Where transfers are started.
    pub(super) fn places(&self) -> Option<&PendingPlaces> {
        self.places.as_deref()
    }

    fn watch(&self) {
        WATCHED.with_borrow_mut(|watched| self.transfers.watch(watched));
    }
}

impl DmaChecker {
    /// Has debuggers know where transfers are started.
    pub fn know_places(&mut self, table: &AccessTable) {
        self.places = Some(Arc::new(table.clone()));
    }

    /// Has it call a listener with first findings.
    pub fn listen(&mut self, listener: Listener<DmaFinding>) {
        self.found.listen(listener);
    }

    /// Begins a group on this thread.
    pub(crate) fn begin_group(&self, context: &WorkGroupContext) {
        let start = context.local_memory.addr();
        let end = start + context.local_memory_bytes as usize;
        GROUP.set(CheckedGroup {
            transfers: PendingTransfers::new(start..end),
            places: self.places.clone(),
            ..CheckedGroup::default()
        });
        GROUP.with_borrow(CheckedGroup::watch);
    }

    /// Ends the group that ran on this thread.
    pub(crate) fn end_group(&self, context: &WorkGroupContext) {
        let group = GROUP.take();
        group.watch();
        for &(site, transfer, conflict) in &group.between_transfers {
            let access = EarlyAccess { site, part: None };
            self.too_early(context, [0; 3], access, transfer, conflict);
        }
        for pending in group.transfers.iter() {
            let finding = DmaFinding::NeverWaitedFor {
                transfer: pending.site,
                object: pending.object,
            };
            self.found
                .add(context, [0; 3], (pending.site, None), finding);
        }
    }

    fn too_early(
        &self,
        context: &WorkGroupContext,
        local_id: [u64; 3],
        access: EarlyAccess,
        transfer: u64,
        conflict: Conflict,
    ) {
        let key = (transfer, Some((access.site, conflict)));
        let finding = DmaFinding::TooEarly {
            access,
            transfer,
            conflict,
        };
        self.found.add(context, local_id, key, finding);
    }

    /// The findings, in the order of the transfers.
    pub fn finish(self) -> Vec<Found<DmaFinding>> {
        self.found.finish()
    }
}

/// Checks an access within watched memory.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn access(
    context: *const WorkGroupContext,
    site: u64,
    object: u64,
    place: u64,
    address: u64,
    bytes: u64,
    writes: u64,
    value: u64,
    x: u64,
    y: u64,
    z: u64,
) {
    // SAFETY: the executor passes the launch's checker, which lives until the launch has ended, or
    // null.
    let checker = unsafe { (*context).dma_checker.cast::<DmaChecker>().as_ref() };
    let Some(checker) = checker else {
        return;
    };
    // SAFETY: as the caller promises.
    let context = unsafe { &*context };
    let start = address as usize;
    let accessed = start..start.saturating_add(bytes as usize);
    let part = Some(AccessedPart {
        object,
        place,
        bytes,
        value,
    });
    GROUP.with_borrow(|group| {
        for pending in group.transfers.iter() {
            if let Some(conflict) = pending.conflict(&accessed, writes != 0) {
                let access = EarlyAccess { site, part };
                checker.too_early(context, [x, y, z], access, pending.site, conflict);
            }
        }
    });
}

/// Sets the place of the next transfer and the object that it writes.
pub extern "C" fn next_transfer(site: u64, object: u64) {
    GROUP.with_borrow_mut(|group| group.next = (site, object));
}

/// Remembers a transfer until its event is waited for; its event.
pub(crate) fn transfer(transfer: &Transfer) -> *const c_void {
    GROUP.with_borrow_mut(|group| {
        let (site, object) = group.next;
        let conflicts = group.transfers.conflicts(transfer).into_iter();
        let conflicts = conflicts.map(|(earlier, conflict)| (site, earlier.site, conflict));
        group.between_transfers.extend(conflicts);
        let event = group.transfers.start(transfer, site, object);
        group.watch();
        std::ptr::without_provenance(event)
    })
}

/// Ends the transfers of an event, which code has waited for.
pub extern "C" fn checked_wait(event: *const c_void) {
    GROUP.with_borrow_mut(|group| {
        group.transfers.wait(event.addr());
        group.watch();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::checked_transfer;
    use crate::work_group::NdRange;
    use std::ptr::{null, null_mut};

    fn context(checker: &DmaChecker) -> WorkGroupContext {
        WorkGroupContext {
            nd_range: NdRange {
                work_dimensions: 1,
                global_offset: [0; 3],
                global_size: [1; 3],
                local_size: [1; 3],
                group_count: [1; 3],
            },
            group_id: [0; 3],
            local_memory: null_mut(),
            private_memory: null_mut(),
            counters: null_mut(),
            recorder: null_mut(),
            argument_bounds: null(),
            checker: null(),
            barrier_checker: null(),
            race_checker: null(),
            dma_checker: std::ptr::from_ref(checker).cast(),
            watched_memory: watched().cast(),
            local_memory_bytes: 0,
            footprints: null_mut(),
            ordinary_stores: 0,
        }
    }

    #[test]
    fn accesses_before_the_wait_are_found() {
        let (from, mut to) = ([1u8; 64], [0u8; 64]);
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        let checker = DmaChecker::default();
        let context = context(&checker);
        let transfer = |site| {
            next_transfer(site, 0);
            // SAFETY: both are as long.
            unsafe { checked_transfer(to, 32, from, 32, 32, 1, null()) }
        };
        let access = |at: *const u8, writes: bool, site| {
            let address = at.addr() as u64;
            // SAFETY: the context has the checker.
            unsafe { access(&context, site, 0, 0, address, 4, writes.into(), 0, 0, 0, 0) };
        };
        checker.begin_group(&context);
        let one = transfer(7);
        access(to, false, 1);
        // Behind the destination; reads of the source are allowed.
        access(to.wrapping_add(32), false, 2);
        access(from, false, 3);
        access(from, true, 4);
        checked_wait(one);
        access(to, false, 5);
        transfer(8);
        checker.end_group(&context);
        // The next group begins without pending transfers.
        checker.begin_group(&context);
        access(to, false, 6);
        checker.end_group(&context);
        let found = checker.finish().into_iter().map(|found| match found.what {
            DmaFinding::TooEarly {
                access,
                transfer,
                conflict,
            } => (transfer, Some((access.site, conflict))),
            DmaFinding::NeverWaitedFor { transfer, .. } => (transfer, None),
        });
        assert_eq!(
            found.collect::<Vec<Key>>(),
            [
                (7, Some((1, Conflict::OfDestination))),
                (7, Some((4, Conflict::OfSource))),
                (8, None),
            ]
        );
    }
}
