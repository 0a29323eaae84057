//! Collects the races of a launch.

use super::exclusive::LaunchValues;
use super::shadow_word::{GROUP, GROUP_ITEM, GROUPS, ITEM, SEVERAL_GROUPS, SEVERAL_ITEMS, SITE};
use super::shadows::{NoShadows, Shadows, TrackedMemory};
use crate::definedness::local_shadow_distance;
use crate::first_findings::{FirstFindings, Found, Listener};
use crate::memory_checker::access_table::AccessTable;
use crate::memory_checker::{ArgumentMemory, MemoryChecker};
use crate::work_group::WorkGroupContext;
use serde::{Deserialize, Serialize};

/// The accesses of a kernel, which code reports by their numbers, and the memory they are of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceTable {
    /// The accesses, and the objects that they lead into.
    pub accesses: AccessTable,
    /// What has shadows.
    pub memory: TrackedMemory,
}

impl RaceTable {
    /// Whether a launch with these arguments may have races; otherwise code without this check finds
    /// as much.
    pub fn may_have_races(&self, arguments: &[ArgumentMemory], launch: LaunchValues<'_>) -> bool {
        self.memory.may_have_races(arguments, launch)
    }
}

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

/// An access that conflicts with an earlier one: one of them writes, and nothing orders them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceFinding {
    /// The access.
    pub later: Later,
    /// The earlier one.
    pub other: OtherAccess,
}

/// An access as code reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Later {
    /// Its number.
    pub site: u64,
    /// Number of its object, or `UNKNOWN_OBJECT`.
    pub object: u64,
    /// Bytes from the object's start, or the address.
    pub place: u64,
    /// Its size.
    pub bytes: u64,
    /// It is an asynchronous copy of the group.
    pub is_copy: bool,
    /// The bits of the value that it writes, if its site has a type for it.
    pub value: u64,
}

/// Accesses that conflict: their numbers, the object, and whether they are of two groups.
type Key = (u64, Option<u64>, u64, bool);

/// Collects the races of a launch.
#[derive(Debug)]
pub struct RaceChecker {
    pub(super) shadows: Shadows,
    /// From local memory to its shadow, bytes.
    pub(super) local_distance: u64,
    found: FirstFindings<Key, RaceFinding>,
}

impl RaceChecker {
    /// For a launch of the code that has this table, with `local_memory` bytes of local memory. Sets
    /// where compiled code finds shadows.
    ///
    /// # Errors
    /// The host has no memory for shadows.
    pub fn new(
        table: &RaceTable,
        arguments: &[ArgumentMemory],
        memory: &mut MemoryChecker<'_>,
        local_memory: u64,
        launch: LaunchValues<'_>,
    ) -> Result<Self, NoShadows> {
        let shadows = Shadows::new(&table.memory, arguments, launch)?;
        let others = memory.local_memory_with_shadow(local_memory);
        let local_distance = local_shadow_distance(others);
        shadows.place(arguments, memory.bounds_mut(), local_memory, local_distance);
        Ok(Self {
            shadows,
            local_distance,
            found: FirstFindings::default(),
        })
    }

    /// Has it call a listener with first findings.
    pub fn listen(&mut self, listener: Listener<RaceFinding>) {
        self.found.listen(listener);
    }

    /// Whether groups have to run one after another: accesses of one are compared with those of all
    /// before it.
    pub(crate) fn needs_order(&self) -> bool {
        self.shadows.has_global_words()
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
    pub fn finish(self) -> Vec<Found<RaceFinding>> {
        self.found.finish()
    }

    pub(super) fn add(
        &self,
        context: &WorkGroupContext,
        local_id: [u64; 3],
        later: Later,
        before: u64,
    ) {
        let other = other(context, before, local_id);
        let is_of_groups = matches!(other.by, Other::Group(_));
        let key = (later.site, other.site, later.object, is_of_groups);
        self.found
            .add(context, local_id, key, RaceFinding { later, other });
    }
}

/// What a word says of the access before.
fn other(context: &WorkGroupContext, before: u64, local_id: [u64; 3]) -> OtherAccess {
    let site = Some(SITE.extract(before)).filter(|site| *site < SITE.most());
    let group = GROUP.extract(before).saturating_sub(1);
    let is_same_group = group == linear_group(context) % GROUPS;
    let by = if is_same_group && before & SEVERAL_GROUPS == 0 {
        let [x, y, _] = context.nd_range.local_size;
        match ITEM.extract(before) {
            GROUP_ITEM => Other::Copy,
            item if item == linear_item(context, local_id) && before & SEVERAL_ITEMS != 0 => {
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
pub(super) unsafe fn checker<'a>(context: *const WorkGroupContext) -> Option<&'a RaceChecker> {
    // SAFETY: the executor passes the launch's checker, which lives until the launch has ended, or
    // null.
    unsafe { (*context).race_checker.cast::<RaceChecker>().as_ref() }
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
    value: u64,
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
            value,
        };
        // SAFETY: as the caller promises.
        races.add(unsafe { &*context }, [x, y, z], later, before);
    }
}
