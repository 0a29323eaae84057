//! Findings of code that checks its barriers (`MOCL3_CHECK=barriers`): barriers that not all
//! work-items of a group reach, and asynchronous copies whose arguments differ between them.

use super::arrivals::{Arrivals, Elsewhere};
use crate::work_group::WorkGroupContext;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Values of a work-item that are compared with those of the others.
pub const COMPARED_VALUES: usize = 7;

/// A call in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierSite {
    /// The function in the source that calls; empty if unknown.
    pub function: String,
    /// File name; empty if unknown.
    pub file: String,
    /// Line number from 1; 0 if unknown.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// Lines and columns of the calls of the function, the innermost first.
    pub inlined_at: Vec<(u32, u32)>,
    /// The text of the line; empty if unknown.
    pub text: String,
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
        let is_known = |site: &&BarrierSite| site.line > 0;
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

/// An error, and how often it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierFinding {
    /// What is wrong.
    pub error: BarrierError,
    /// Local id of a work-item that is at the barrier, or whose value differs.
    pub local_id: [u64; 3],
    /// Group id.
    pub group_id: [u64; 3],
    /// Global id of the work-item.
    pub global_id: [u64; 3],
    /// How often it was found.
    pub count: u64,
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
    found: Mutex<BTreeMap<(bool, u64, usize), BarrierFinding>>,
    calls: Mutex<HashMap<CallOfGroup, ComparedCall>>,
}

impl<'a> BarrierChecker<'a> {
    /// For a launch of the code that has this table.
    pub fn new(table: &'a BarrierTable) -> Self {
        Self {
            table,
            found: Mutex::default(),
            calls: Mutex::default(),
        }
    }

    /// The findings, in the order of regions and calls.
    pub fn finish(self) -> Vec<BarrierFinding> {
        self.found.into_inner().into_values().collect()
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
        self.add(context, (false, region.into(), 0), error, local_id(first));
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
            self.add(context, (true, site, value), error, local_id);
        }
    }

    fn add(
        &self,
        context: &WorkGroupContext,
        key: (bool, u64, usize),
        error: BarrierError,
        local_id: [u64; 3],
    ) {
        let nd_range = &context.nd_range;
        let global_id = [0, 1, 2].map(|d| {
            nd_range.global_offset[d] + context.group_id[d] * nd_range.local_size[d] + local_id[d]
        });
        let found = BarrierFinding {
            error,
            local_id,
            group_id: context.group_id,
            global_id,
            count: 1,
        };
        let order = |finding: &BarrierFinding| {
            let [x, y, z] = finding.global_id;
            [z, y, x]
        };
        // Of the first work-item, whichever thread ran its group.
        match self.found.lock().entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(found);
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                let count = known.count + 1;
                if order(&found) < order(known) {
                    *known = found;
                }
                known.count = count;
            }
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
