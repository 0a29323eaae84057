//! Findings of a launch: of those that are alike the one of the first work-item, and their number.

use crate::work_group::WorkGroupContext;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{self, Debug, Formatter};

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

/// Is called with the first of the findings that are alike, when it is found, on the thread that runs
/// its group.
pub type Listener<T> = Box<dyn Fn(&Found<T>) + Send + Sync>;

/// Collects findings; those with the same key are alike.
pub struct FirstFindings<K, T> {
    found: Mutex<BTreeMap<K, Found<T>>>,
    listener: Option<Listener<T>>,
}

impl<K, T> Default for FirstFindings<K, T> {
    fn default() -> Self {
        Self {
            found: Mutex::default(),
            listener: None,
        }
    }
}

impl<K, T> Debug for FirstFindings<K, T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FirstFindings")
            .finish_non_exhaustive()
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
        if self.insert(key, new)
            && let Some(listener) = &self.listener
        {
            listener(&Found { count: 1, ..new });
        }
    }

    /// Whether it is the first with its key.
    fn insert(&self, key: K, new: Found<T>) -> bool {
        let mut findings = self.found.lock();
        let (known, is_first) = match findings.entry(key) {
            Entry::Vacant(place) => (place.insert(new), true),
            Entry::Occupied(known) => (known.into_mut(), false),
        };
        let count = known.count + 1;
        if new.order() < known.order() {
            *known = new;
        }
        known.count = count;
        is_first
    }

    /// Has it call a listener.
    pub(crate) fn listen(&mut self, listener: Listener<T>) {
        self.listener = Some(listener);
    }

    /// All of them, in the order of their keys.
    pub fn finish(self) -> Vec<Found<T>> {
        self.found.into_inner().into_values().collect()
    }
}
