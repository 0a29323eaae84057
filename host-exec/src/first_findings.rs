//! Findings of a launch: of those that are alike the one of the first work-item, and their number.

use crate::work_group::WorkGroupContext;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// What was found at a work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What it is.
    pub what: T,
    /// Local id of the work-item.
    pub local_id: [u64; 3],
    /// Group id of the work-item.
    pub group_id: [u64; 3],
    /// Global id of the work-item.
    pub global_id: [u64; 3],
    /// How often it was found, at this and other work-items.
    pub count: u64,
}

impl<T> Found<T> {
    /// What findings that are alike are ordered by, whichever thread ran their groups.
    fn order(&self) -> [u64; 3] {
        let [x, y, z] = self.global_id;
        [z, y, x]
    }
}

/// Collects findings; those with the same key are alike.
#[derive(Debug)]
pub struct FirstFindings<K, T>(Mutex<BTreeMap<K, Found<T>>>);

impl<K, T> Default for FirstFindings<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord, T: Copy> FirstFindings<K, T> {
    /// Adds a finding at a work-item of the context's group.
    pub(crate) fn add(&self, context: &WorkGroupContext, local_id: [u64; 3], key: K, what: T) {
        let new = Found {
            what,
            local_id,
            group_id: context.group_id,
            global_id: context.global_id(local_id),
            count: 0,
        };
        let mut findings = self.0.lock();
        let known = findings.entry(key).or_insert(new);
        let count = known.count + 1;
        if new.order() < known.order() {
            *known = new;
        }
        known.count = count;
    }

    /// All of them, in the order of their keys.
    pub fn finish(self) -> Vec<Found<T>> {
        self.0.into_inner().into_values().collect()
    }
}
