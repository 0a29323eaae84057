//! Regions of memory objects that are mapped for the host program.

use crate::error::{Code, Error, Result};
use crate::memory::host_pointer::HostPointer;
use crate::memory::strided_range::StridedRange;
use parking_lot::Mutex;

/// Identifies a memory object while it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId(usize);

impl ObjectId {
    pub fn new<T>(object: &T) -> Self {
        Self(std::ptr::from_ref(object).addr())
    }
}

/// A mapped region.
#[derive(Clone, Copy, Debug)]
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
    }
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
