//! Regions of memory objects that are mapped for the host program.

use crate::error::{Code, Error, Result};
use crate::memory::host_pointer::HostPointer;
use crate::memory::residency::AccessedRange;
use crate::memory::strided_range::StridedRange;
use parking_lot::Mutex;
use std::ops::Range;

/// Identifies a memory object while it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId(usize);

impl ObjectId {
    pub fn new<T>(object: &T) -> Self {
        Self(std::ptr::from_ref(object).addr())
    }
}

/// A mapped region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    /// The object that the host program mapped.
    owner: ObjectId,
    /// The address that the host program was given.
    pointer: HostPointer,
    /// The region's bytes in the data store.
    rows: StridedRange,
    writes: bool,
}

impl Mapping {
    /// A region of the object `owner`; `rows` are offsets in the data store.
    pub fn new(owner: ObjectId, pointer: HostPointer, rows: StridedRange, writes: bool) -> Self {
        Self {
            owner,
            pointer,
            rows,
            writes,
        }
    }

    /// The region's bytes in the data store.
    pub fn rows(&self) -> StridedRange {
        self.rows
    }

    /// Whether the host program may write to the region.
    pub fn writes(&self) -> bool {
        self.writes
    }
}

/// Identifies a mapping while it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MappingId(u64);

/// The mappings of a data store, through any of the memory objects that share it.
#[derive(Default)]
pub(crate) struct Mappings(Mutex<State>);

#[derive(Default)]
struct State {
    mappings: Vec<(MappingId, Mapping)>,
    numbers: u64,
    /// Those whose commands have been executed, if accesses are checked: a mapping is among `mappings`
    /// from the time its command is enqueued until the command that ends it is.
    executed: Vec<Mapping>,
    /// Those that ended before their commands were executed, since nothing ordered the two.
    ended_early: Vec<Mapping>,
}

impl Mappings {
    /// The number of mappings of one object.
    pub fn count(&self, owner: ObjectId) -> u32 {
        let state = self.0.lock();
        let own = state.mappings.iter();
        own.filter(|(_, mapping)| mapping.owner == owner).count() as u32
    }

    /// # Errors
    /// `InvalidOperation`: it overlaps a mapping and both are for writing.
    pub fn add(&self, mapping: Mapping) -> Result<MappingId> {
        let mut state = self.0.lock();
        let conflicts = |other: &Mapping| other.writes && other.rows.overlaps(&mapping.rows);
        if mapping.writes && state.mappings.iter().any(|(_, other)| conflicts(other)) {
            return Err(Error::new(
                Code::InvalidOperation,
                "the region overlaps one that is mapped for writing",
            ));
        }
        Ok(state.push(mapping))
    }

    /// Removes the last mapping of the object at that address.
    ///
    /// # Errors
    /// `InvalidValue`: nothing of the object is mapped at that address.
    pub fn take(&self, owner: ObjectId, pointer: HostPointer) -> Result<Mapping> {
        let mut state = self.0.lock();
        let matches = |mapping: &Mapping| mapping.owner == owner && mapping.pointer == pointer;
        let index = state
            .mappings
            .iter()
            .rposition(|(_, mapping)| matches(mapping))
            .ok_or_else(|| Error::new(Code::InvalidValue, "nothing is mapped at that address"))?;
        Ok(state.mappings.remove(index).1)
    }

    /// Restores a mapping that `take` removed, for an unmap command that failed.
    pub fn restore(&self, mapping: Mapping) {
        self.0.lock().push(mapping);
    }

    /// Removes a mapping if it still exists.
    pub fn remove(&self, number: MappingId) {
        self.0.lock().mappings.retain(|(own, _)| *own != number);
    }

    /// Removes all mappings of an object that is destroyed.
    pub fn remove_all_of(&self, owner: ObjectId) {
        let mut state = self.0.lock();
        state.mappings.retain(|(_, mapping)| mapping.owner != owner);
        state.executed.retain(|mapping| mapping.owner != owner);
        state.ended_early.retain(|mapping| mapping.owner != owner);
    }

    /// The command of a mapping has been executed.
    pub fn begin(&self, mapping: Mapping) {
        let mut state = self.0.lock();
        if !take(&mut state.ended_early, mapping) {
            state.executed.push(mapping);
        }
    }

    /// The command that ends a mapping has been executed.
    pub fn end(&self, mapping: Mapping) {
        let mut state = self.0.lock();
        if !take(&mut state.executed, mapping) {
            state.ended_early.push(mapping);
        }
    }

    /// What of these bytes is mapped now, so that a command may not read or write them (OpenCL 1.2,
    /// 5.4.2.1): a read conflicts with a mapping for writing, a write with any.
    pub fn conflict(&self, bytes: Range<usize>, writes: bool) -> Option<MappedPart> {
        let state = self.0.lock();
        let mut conflicting = state.executed.iter().filter_map(|mapping| {
            let mapped = AccessedRange::from(mapping.rows).range;
            let part = mapped.start.max(bytes.start)..mapped.end.min(bytes.end);
            let is_conflict = !part.is_empty() && (writes || mapping.writes);
            is_conflict.then_some(MappedPart {
                bytes: part,
                for_writing: mapping.writes,
            })
        });
        conflicting.next()
    }
}

/// Removes one mapping like this; whether there is one.
fn take(mappings: &mut Vec<Mapping>, mapping: Mapping) -> bool {
    let found = mappings.iter().position(|known| *known == mapping);
    found.map(|index| mappings.swap_remove(index)).is_some()
}

/// A mapped part of a memory object that a command accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MappedPart {
    /// Its bytes in the data store.
    pub bytes: Range<usize>,
    /// It is mapped for writing.
    pub for_writing: bool,
}

impl State {
    fn push(&mut self, mapping: Mapping) -> MappingId {
        let number = MappingId(self.numbers);
        self.numbers += 1;
        self.mappings.push((number, mapping));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rectangle::RectLayout;

    #[test]
    fn commands_conflict_with_executed_mappings() {
        let mappings = Mappings::default();
        let mapping = |writes| Mapping {
            owner: ObjectId(1),
            pointer: HostPointer(std::ptr::null_mut()),
            rows: StridedRange::new(RectLayout::contiguous(16, 16), [16, 1, 1]),
            writes,
        };
        let conflict = |bytes, writes| {
            let part = mappings.conflict(bytes, writes)?;
            Some((part.bytes, part.for_writing))
        };
        mappings.add(mapping(false)).unwrap();
        assert_eq!(conflict(0..64, true), None);
        mappings.begin(mapping(false));
        assert_eq!(conflict(0..64, true), Some((16..32, false)));
        assert_eq!(conflict(24..64, true), Some((24..32, false)));
        assert_eq!(conflict(0..16, true), None);
        assert_eq!(conflict(0..64, false), None);
        mappings.begin(mapping(true));
        assert_eq!(conflict(0..64, false), Some((16..32, true)));
        mappings.end(mapping(true));
        mappings.end(mapping(false));
        // Unmapped too early.
        mappings.end(mapping(false));
        mappings.begin(mapping(false));
        assert_eq!(conflict(0..64, true), None);
    }

    #[test]
    fn regions_mapped_for_writing_do_not_overlap() {
        let mappings = Mappings::default();
        let mapping = |owner, offset, writes| Mapping {
            owner: ObjectId(owner),
            pointer: HostPointer(std::ptr::without_provenance_mut(1000 + offset)),
            rows: StridedRange::new(RectLayout::contiguous(offset, 16), [16, 1, 1]),
            writes,
        };
        let code = |result: Result<MappingId>| result.err().map(|error| error.code);
        mappings.add(mapping(1, 0, true)).unwrap();
        mappings.add(mapping(1, 16, true)).unwrap();
        for owner in [1, 2] {
            let overlapping = mappings.add(mapping(owner, 8, true));
            assert_eq!(code(overlapping), Some(Code::InvalidOperation));
        }
        let reading = mappings.add(mapping(2, 8, false)).unwrap();
        mappings.add(mapping(2, 8, false)).unwrap();
        assert_eq!(mappings.count(ObjectId(1)), 2);
        assert_eq!(mappings.count(ObjectId(2)), 2);
        mappings.remove(reading);
        let pointer = mapping(2, 8, false).pointer;
        let taken = mappings.take(ObjectId(2), pointer).unwrap();
        let again = mappings.take(ObjectId(2), pointer).map(|_| MappingId(0));
        assert_eq!(code(again), Some(Code::InvalidValue));
        mappings.restore(taken);
        assert!(mappings.take(ObjectId(2), pointer).is_ok());
        mappings.remove_all_of(ObjectId(1));
        assert_eq!(code(mappings.add(mapping(2, 8, true))), None);
    }
}
