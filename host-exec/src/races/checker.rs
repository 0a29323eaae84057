//! Collects the races of a launch.

use super::shadow_word::{GROUP, GROUP_ITEM, GROUPS, ITEM, SEVERAL_GROUPS, SEVERAL_ITEMS, SITE};
use super::shadows::{NoShadows, Shadows, TrackedMemory};
use crate::definedness::local_shadow_distance;
use crate::memory_checker::{AccessTable, ArgumentMemory, CheckedObject, MemoryChecker, Space};
use crate::work_group::WorkGroupContext;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The accesses of a kernel, which code reports by their numbers, and the memory they are of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceTable {
    /// The accesses, and the objects that they lead into.
    pub accesses: AccessTable,
    /// What has shadows.
    pub memory: TrackedMemory,
}

/// Place of an access in an object that is not known.
pub const UNKNOWN_PLACE: u64 = u64::MAX;

/// The access that another one conflicts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherAccess {
    /// Its number, if it is among those that words distinguish.
    pub site: Option<u64>,
    /// Who made it.
    pub by: Other,
}

/// Who made the access that another one conflicts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// The work-item of the same group with this local id; none if it is one of several.
    Item(Option<[u64; 3]>),
    /// An asynchronous copy of the same group.
    Copy,
    /// Another group, whose linear id is known unless it is one of several.
    Group(Option<u64>),
}

/// Two accesses of which one writes, that no barrier orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceFinding {
    /// Number of the later access.
    pub site: u64,
    /// Number of its object, or `UNKNOWN_OBJECT`.
    pub object: u64,
    /// Bytes from the object's start, or [`UNKNOWN_PLACE`].
    pub place: u64,
    /// Size of the access.
    pub bytes: u64,
    /// A work-item, or the copy of a group.
    pub is_copy: bool,
    /// Local id of the work-item.
    pub local_id: [u64; 3],
    /// Group id of the work-item.
    pub group_id: [u64; 3],
    /// Global id of the work-item.
    pub global_id: [u64; 3],
    /// The earlier access.
    pub other: OtherAccess,
    /// How often it was found.
    pub count: u64,
}

/// A later access, as code reports it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    pub site: u64,
    pub object: u64,
    pub place: u64,
    pub bytes: u64,
    pub is_copy: bool,
    pub local_id: [u64; 3],
}

/// Accesses that conflict: their numbers, the object, and whether they are of two groups.
type Key = (u64, Option<u64>, u64, bool);

/// Collects the races of a launch.
#[derive(Debug)]
pub struct RaceChecker<'a> {
    table: &'a RaceTable,
    arguments: Vec<ArgumentMemory>,
    pub(super) shadows: Shadows,
    /// From local memory to its shadow, bytes.
    pub(super) local_distance: u64,
    found: Mutex<BTreeMap<Key, RaceFinding>>,
}

impl<'a> RaceChecker<'a> {
    /// For a launch of the code that has this table, with `local_memory` bytes of local memory. Sets
    /// where compiled code finds shadows.
    ///
    /// # Errors
    /// The host has no memory for shadows.
    pub fn new(
        table: &'a RaceTable,
        memory: &mut MemoryChecker<'_>,
        local_memory: u64,
    ) -> Result<Self, NoShadows> {
        let arguments = memory.arguments().to_vec();
        let shadows = Shadows::new(&table.memory, &arguments)?;
        let others = memory.local_memory_with_shadow(local_memory);
        let local_distance = local_shadow_distance(others);
        shadows.place(
            &arguments,
            memory.bounds_mut(),
            local_memory,
            local_distance,
        );
        Ok(Self {
            table,
            arguments,
            shadows,
            local_distance,
            found: Mutex::default(),
        })
    }

    /// Bytes of local memory of this size with all its shadows.
    pub(crate) fn local_memory_with_shadows(&self, local_memory: u64) -> u64 {
        self.local_distance + self.shadows.local_bytes(local_memory)
    }

    /// Has no access to local memory be known. A launch does that before its groups: words have the
    /// group.
    ///
    /// # Safety
    /// Local memory of this size has a shadow.
    pub(crate) unsafe fn begin(&self, local_memory: *mut u8, bytes: u64) {
        let shadow = local_memory.wrapping_add(self.local_distance as usize);
        // SAFETY: as the caller promises.
        unsafe { shadow.write_bytes(0, self.shadows.local_bytes(bytes) as usize) };
    }

    /// The races, in the order of the accesses.
    pub fn finish(self) -> Vec<RaceFinding> {
        self.found.into_inner().into_values().collect()
    }

    /// The bytes from the start of an object to an address, if the object's address is known.
    pub(super) fn place(&self, object: u64, address: u64) -> u64 {
        match self.table.accesses.objects.get(object as usize) {
            Some(CheckedObject::Argument { index, space, .. }) if *space != Space::Local => self
                .arguments
                .get(*index)
                .map_or(UNKNOWN_PLACE, |argument| address - argument.address),
            _ => UNKNOWN_PLACE,
        }
    }

    pub(super) fn add(&self, context: &WorkGroupContext, later: Later, before: u64) {
        let other = other(context, before, &later);
        let found = RaceFinding {
            site: later.site,
            object: later.object,
            place: later.place,
            bytes: later.bytes,
            is_copy: later.is_copy,
            local_id: later.local_id,
            group_id: context.group_id,
            global_id: context.global_id(later.local_id),
            other,
            count: 1,
        };
        let is_of_groups = matches!(other.by, Other::Group(_));
        let key = (later.site, other.site, later.object, is_of_groups);
        // Groups run in the order of their ids, but a vector's work-items in that of its code.
        let order = |finding: &RaceFinding| {
            let [x, y, z] = finding.global_id;
            [z, y, x]
        };
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

/// What a word says of the access before.
fn other(context: &WorkGroupContext, before: u64, later: &Later) -> OtherAccess {
    let site = Some(SITE.of(before)).filter(|site| *site < SITE.most());
    let group = GROUP.of(before).saturating_sub(1);
    let is_same_group = group == linear_group(context) % GROUPS;
    let by = if is_same_group && before & SEVERAL_GROUPS == 0 {
        let [x, y, _] = context.nd_range.local_size;
        match ITEM.of(before) {
            GROUP_ITEM => Other::Copy,
            item if item == linear_item(context, later.local_id) && before & SEVERAL_ITEMS != 0 => {
                Other::Item(None)
            }
            item => Other::Item(Some([item % x, item / x % y, item / (x * y)])),
        }
    } else {
        let is_known = !is_same_group && context.nd_range.groups() <= GROUPS;
        Other::Group(is_known.then_some(group))
    };
    OtherAccess { site, by }
}

/// The linear id of a group.
pub(super) fn linear_group(context: &WorkGroupContext) -> u64 {
    let [x, y, z] = context.group_id;
    let [width, height, _] = context.nd_range.group_count;
    x + width * (y + height * z)
}

/// The linear local id of a work-item, as words have it.
pub(super) fn linear_item(context: &WorkGroupContext, local_id: [u64; 3]) -> u64 {
    let [x, y, z] = local_id;
    let [width, height, _] = context.nd_range.local_size;
    (x + width * (y + height * z)) & ITEM.most()
}

/// The checker of a group.
///
/// # Safety
/// The context is one that the executor made.
pub(super) unsafe fn checker<'a>(context: *const WorkGroupContext) -> Option<&'a RaceChecker<'a>> {
    // SAFETY: the executor passes the launch's checker, which lives until the launch has ended, or
    // null.
    unsafe { (*context).race_checker.cast::<RaceChecker<'a>>().as_ref() }
}

/// Reports a conflict with the access that the word `before` says.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn report(
    context: *const WorkGroupContext,
    site: u64,
    object: u64,
    place: u64,
    bytes: u64,
    before: u64,
    x: u64,
    y: u64,
    z: u64,
) {
    // SAFETY: as the caller promises.
    if let Some(races) = unsafe { checker(context) } {
        let later = Later {
            site,
            object,
            place,
            bytes,
            is_copy: false,
            local_id: [x, y, z],
        };
        // SAFETY: as the caller promises.
        races.add(unsafe { &*context }, later, before);
    }
}
