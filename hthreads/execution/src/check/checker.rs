//! What is known of a thread that is checked.

use super::CheckedLaunch;
use super::buffers::Buffers;
use super::pending::Pending;
use super::races::Races;
use super::segment::Segment;
use findings::{Finding, Kind};
use kernel_compiler::device_c::{RACES_CHECKED, TRANSFERS_PENDING};
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place is reported once for each kind, reads or writes, and other place.
pub type Key = (u64, Kind, bool, Option<u64>);

/// What code knows of its thread (`kernel_compiler::intrinsics::CHECK_STATE`).
#[repr(C)]
#[derive(Debug, Default)]
pub struct State {
    /// Changes when the thread frees memory.
    epoch: Cell<u64>,
    /// For which accesses code calls `__ht_check_access` in any case.
    reasons: Cell<u64>,
}

/// The checks of a thread.
pub struct Checker {
    pub(super) launch: CheckedLaunch,
    state: State,
    /// The site of the last call of a function that is not the image's own.
    pub(super) call: Cell<u64>,
    pub(super) pending: RefCell<Vec<Pending>>,
    pub(super) buffers: RefCell<Buffers>,
    /// Those of the launch, if they are looked for.
    pub(super) races: Option<Arc<Mutex<Races>>>,
    /// What the thread has accessed since it synchronised.
    pub(super) segment: RefCell<Segment>,
    /// The findings of the thread; their counts are of occurrences that are not reported.
    pub(super) found: RefCell<BTreeMap<Key, Finding>>,
}

impl Checker {
    /// For a thread of a launch whose threads share `races`, if they are looked for.
    pub fn new(launch: CheckedLaunch, races: Option<Arc<Mutex<Races>>>) -> Self {
        let checker = Self {
            launch,
            races,
            segment: RefCell::default(),
            call: Cell::new(0),
            state: State::default(),
            pending: RefCell::default(),
            buffers: RefCell::default(),
            found: RefCell::default(),
        };
        checker.update_reasons();
        checker
    }

    /// What code knows of the thread.
    pub fn state(&self) -> *const State {
        &raw const self.state
    }

    /// Notes a call of a function that is not the image's own.
    pub fn call(&self, site: u64) {
        self.call.set(site);
    }

    /// The transfer of a channel has been waited for.
    pub fn end_transfer(&self, channel: u32) {
        self.pending
            .borrow_mut()
            .retain(|transfer| transfer.channel != channel);
        self.update_reasons();
    }

    /// Lets code know which accesses are of interest.
    pub(super) fn update_reasons(&self) {
        let races = u64::from(self.races.is_some()) * RACES_CHECKED;
        let are_pending = self.launch.checks.dma && !self.pending.borrow().is_empty();
        let transfers = u64::from(are_pending) * TRANSFERS_PENDING;
        self.state.reasons.set(races | transfers);
    }

    /// No channel is in use any more.
    pub fn clear_transfers(&self) {
        self.pending.borrow_mut().clear();
        self.update_reasons();
    }

    /// A number that changes when the thread frees memory.
    pub(super) fn epoch(&self) -> u64 {
        self.state.epoch.get()
    }

    /// Lets code look for blocks again.
    pub(super) fn end_epoch(&self) {
        self.state.epoch.set(self.state.epoch.get() + 1);
    }
}
