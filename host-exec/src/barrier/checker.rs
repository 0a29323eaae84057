//! Findings of code that checks its barriers (`MOCL3_CHECK=barriers`): barriers that not all
//! work-items of a group reach, and asynchronous copies whose arguments differ between them.

use super::arrivals::{Arrivals, Elsewhere};
use crate::first_findings::{FirstFindings, Found, Listener};
use crate::work_group::WorkGroupContext;
use findings::Place;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Values of a work-item that are compared with those of the others.
pub const COMPARED_VALUES: usize = 7;

/// A call in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierSite {
    /// The function in the source that calls; empty if unknown.
    pub function: String,
    /// Where; none if it is not known.
    pub place: Option<Place>,
    /// Lines and columns of the calls of the function, the innermost first.
    pub inlined_at: Vec<(u32, u32)>,
    /// What is compared; empty if nothing is.
    pub values: Vec<String>,
}

/// The barriers of a kernel, and the calls whose arguments are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierTable {
    /// The calls whose arguments are compared.
    pub compared: Vec<BarrierSite>,
    /// By region of the work-group function: the barrier that it follows.
    pub before_region: Vec<Option<BarrierSite>>,
}

impl BarrierTable {
    /// Whether regions follow the same barrier of the source: a loop may have been unrolled.
    fn are_same(&self, region: u32, other: u32) -> bool {
        let site = |region: u32| self.before_region.get(region as usize)?.as_ref();
        let is_known = |site: &&BarrierSite| site.place.is_some();
        region == other
            || site(region)
                .filter(is_known)
                .is_some_and(|known| site(other) == Some(known))
    }
}

/// What is wrong with a barrier or copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierError {
    /// Only some work-items are at the barrier that a region follows.
    NotReachedByAll {
        /// Number of the region.
        region: u32,
        /// Work-items that are there.
        reached: u64,
        /// Work-items of the group.
        items: u64,
        /// Local id of one that is not.
        other: [u64; 3],
        /// Where that is.
        elsewhere: Elsewhere,
    },
    /// A compared value differs.
    DifferentValues {
        /// Number of the call.
        site: u64,
        /// Number of the value.
        value: usize,
        /// Local id of the work-item that it differs from.
        other: [u64; 3],
    },
}

/// A call that work-items of a group are making.
#[derive(Debug)]
struct ComparedCall {
    first: [u64; 3],
    values: [u64; COMPARED_VALUES],
    called_by: HashSet<[u64; 3]>,
}

/// A group and the number of a call.
type CallOfGroup = ([u64; 3], u64);

/// Collects the findings of a launch.
#[derive(Debug)]
pub struct BarrierChecker<'a> {
    table: &'a BarrierTable,
    /// By barrier or call, and value: the first.
    found: FirstFindings<(bool, u64, usize), BarrierError>,
    calls: Mutex<HashMap<CallOfGroup, ComparedCall>>,
}

impl<'a> BarrierChecker<'a> {
    /// For a launch of the code that has this table.
    pub fn new(table: &'a BarrierTable) -> Self {
        Self {
            table,
            found: FirstFindings::default(),
            calls: Mutex::default(),
        }
    }

    /// Has it call a listener with first findings.
    pub fn listen(&mut self, listener: Listener<BarrierError>) {
        self.found.listen(listener);
    }

    /// The findings, in the order of regions and calls.
    pub fn finish(self) -> Vec<Found<BarrierError>> {
        self.found.finish()
    }

    /// Work-items have arrived; none runs. Reports if they are at different places.
    pub(crate) fn arrived(&self, context: &WorkGroupContext, arrivals: &Arrivals<'_>) {
        let Some((first, region)) = arrivals.first_waiting() else {
            return;
        };
        let is_here = |other: u32| self.table.are_same(region, other);
        let Some((other, elsewhere)) = arrivals.elsewhere(&is_here) else {
            return;
        };
        let local_id = |item: u64| {
            let [x, y, _] = context.nd_range.local_size;
            [item % x, item / x % y, item / (x * y)]
        };
        let error = BarrierError::NotReachedByAll {
            region,
            reached: arrivals.waiting_for(&is_here),
            items: arrivals.len(),
            other: local_id(other),
            elsewhere,
        };
        let key = (false, region.into(), 0);
        self.found.add(context, local_id(first), key, error);
    }

    /// A work-item makes a call with these values.
    fn compare(
        &self,
        context: &WorkGroupContext,
        site: u64,
        local_id: [u64; 3],
        values: [u64; COMPARED_VALUES],
    ) {
        let mut calls = self.calls.lock();
        let key = (context.group_id, site);
        let new = || ComparedCall {
            first: local_id,
            values,
            called_by: HashSet::new(),
        };
        let call = calls.entry(key).or_insert_with(new);
        if !call.called_by.insert(local_id) {
            // The work-item makes the call again; some had not made the last one.
            *call = new();
            call.called_by.insert(local_id);
        }
        let pairs = values.iter().zip(&call.values);
        let different = pairs.enumerate().find(|(_, (one, other))| one != other);
        let (first, different) = (call.first, different.map(|(value, _)| value));
        if call.called_by.len() as u64 == context.nd_range.work_items_per_group() {
            calls.remove(&key);
        }
        drop(calls);
        if let Some(value) = different {
            let error = BarrierError::DifferentValues {
                site,
                value,
                other: first,
            };
            let key = (true, site, value);
            self.found.add(context, local_id, key, error);
        }
    }
}

/// The checker of a group.
///
/// # Safety
/// The context is one that the executor made.
pub(crate) unsafe fn checker<'a>(
    context: *const WorkGroupContext,
) -> Option<&'a BarrierChecker<'a>> {
    // SAFETY: the executor passes the launch's checker, which lives until the launch has ended, or
    // null.
    unsafe {
        (*context)
            .barrier_checker
            .cast::<BarrierChecker<'a>>()
            .as_ref()
    }
}

/// Compares values of a work-item with those of the others of its group.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn compare(
    context: *const WorkGroupContext,
    site: u64,
    x: u64,
    y: u64,
    z: u64,
    v0: u64,
    v1: u64,
    v2: u64,
    v3: u64,
    v4: u64,
    v5: u64,
    v6: u64,
) {
    // SAFETY: as the caller promises.
    if let Some(checker) = unsafe { checker(context) } {
        let values = [v0, v1, v2, v3, v4, v5, v6];
        // SAFETY: as the caller promises.
        checker.compare(unsafe { &*context }, site, [x, y, z], values);
    }
}
