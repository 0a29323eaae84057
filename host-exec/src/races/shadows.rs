//! The shadows of global memory: two planes of words for each range of memory that several
//! arguments may share.

use super::exclusive::{LaunchValues, OwnBytes};
use crate::memory_checker::{ArgumentBounds, ArgumentMemory};
use crate::scratchpad::{ALIGNMENT, MARGIN};
use crate::storage::Storage;
use std::ops::Range;

const WORD: u64 = size_of::<u64>() as u64;

/// What a kernel's accesses are, as far as shadows depend on it; known when it is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TrackedMemory {
    /// Bytes of a granule of global memory, a power of two up to 8: all accesses are of whole ones.
    pub global_granule: u64,
    /// The same of local memory.
    pub local_granule: u64,
    /// Numbers of the arguments through which the kernel may write; all of global memory if
    /// `writes_anywhere`.
    pub written: Vec<usize>,
    /// It writes through pointers of unknown origin.
    pub writes_anywhere: bool,
    /// Accesses of local memory are compared.
    pub compares_local: bool,
    /// Numbers of the arguments through which it may access memory.
    pub accessed: Vec<usize>,
    /// Written arguments that need no words if no other one leads to the same memory.
    pub race_free: Vec<(usize, RaceFree)>,
}

/// Why accesses through an argument are no races.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum RaceFree {
    /// All are atomic.
    Atomic,
    /// Each work-item accesses bytes of its own, unless the launch makes them overlap.
    Own(OwnBytes),
}

impl TrackedMemory {
    /// Whether the accesses through an argument are no races among themselves.
    fn is_race_free(&self, argument: usize, launch: LaunchValues<'_>) -> bool {
        let race_free = self.race_free.iter().find(|(index, _)| *index == argument);
        race_free.is_some_and(|(_, why)| match why {
            RaceFree::Atomic => true,
            RaceFree::Own(own) => own.are_distinct(launch),
        })
    }

    /// Whether a launch may have races that code compares accesses for.
    pub(super) fn may_have_races(
        &self,
        arguments: &[ArgumentMemory],
        launch: LaunchValues<'_>,
    ) -> bool {
        self.compares_local || !self.tracked_ranges(arguments, launch).is_empty()
    }

    /// The ranges of global memory whose accesses a launch has to compare.
    fn tracked_ranges(
        &self,
        arguments: &[ArgumentMemory],
        launch: LaunchValues<'_>,
    ) -> Vec<Range<u64>> {
        let granule = self.global_granule;
        let mut ranges: Vec<AccessedRange> = arguments
            .iter()
            .enumerate()
            .filter(|(_, argument)| argument.address != 0 && argument.bytes != 0)
            .map(|(index, argument)| {
                let start = argument.address & !(granule - 1);
                let end = argument.address + argument.bytes;
                let anywhere = self.writes_anywhere;
                AccessedRange {
                    addresses: start..end.next_multiple_of(granule),
                    is_written: anywhere || self.written.contains(&index),
                    is_race_free: !anywhere && self.is_race_free(index, launch),
                    is_accessed: anywhere || self.accessed.contains(&index),
                }
            })
            .collect();
        ranges.sort_by_key(|range| range.addresses.start);
        let mut merged: Vec<AccessedRange> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.addresses.start < last.addresses.end => last.merge(&range),
                _ => merged.push(range),
            }
        }
        merged.retain(|range| range.is_written && !range.is_race_free);
        merged.into_iter().map(|range| range.addresses).collect()
    }
}

/// What a launch does with a range of memory.
#[derive(Clone, Debug)]
struct AccessedRange {
    addresses: Range<u64>,
    is_written: bool,
    /// One argument leads there, and needs no words.
    is_race_free: bool,
    /// An argument that is accessed leads there.
    is_accessed: bool,
}

impl AccessedRange {
    /// Takes in a range that overlaps.
    fn merge(&mut self, other: &Self) {
        self.addresses.end = self.addresses.end.max(other.addresses.end);
        self.is_written |= other.is_written;
        self.is_race_free = match (self.is_accessed, other.is_accessed) {
            (true, true) => false,
            (true, false) => self.is_race_free,
            (false, _) => other.is_race_free,
        };
        self.is_accessed |= other.is_accessed;
    }
}

/// A range of global memory with its planes.
#[derive(Debug)]
struct Tracked {
    addresses: Range<u64>,
    storage: Storage,
}

/// Where the two words of a granule are.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub(crate) write: *mut u64,
    pub(crate) read: *mut u64,
}

/// The shadows of a launch.
#[derive(Debug)]
pub struct Shadows {
    memory: TrackedMemory,
    tracked: Vec<Tracked>,
}

/// The host has no memory for the shadow of an object of this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host has no memory for the check of races of {0} bytes")]
pub struct NoShadows(pub u64);

impl Shadows {
    /// Of the memory that the launch may write and that these arguments lead to.
    ///
    /// # Errors
    /// The host has no memory.
    pub fn new(
        memory: &TrackedMemory,
        arguments: &[ArgumentMemory],
        launch: LaunchValues<'_>,
    ) -> Result<Self, NoShadows> {
        let mut tracked = Vec::new();
        for addresses in memory.tracked_ranges(arguments, launch) {
            let bytes = addresses.end - addresses.start;
            let shadow = 2 * plane_bytes(bytes, memory.global_granule) + 2 * MARGIN as u64;
            let storage = usize::try_from(shadow)
                .ok()
                .and_then(|shadow| Storage::new(shadow, WORD as usize))
                .ok_or(NoShadows(bytes))?;
            tracked.push(Tracked { addresses, storage });
        }
        Ok(Self {
            memory: memory.clone(),
            tracked,
        })
    }

    /// Whether global memory has words: those of one group are compared with those of others.
    pub fn has_global_words(&self) -> bool {
        !self.tracked.is_empty()
    }

    /// Sets where compiled code finds the words of the arguments, and of local memory of
    /// `local_memory` bytes, whose planes begin `distance` bytes after it.
    pub fn place(
        &self,
        arguments: &[ArgumentMemory],
        bounds: &mut [ArgumentBounds],
        local_memory: u64,
        distance: u64,
    ) {
        for (argument, bounds) in arguments.iter().zip(&mut *bounds) {
            if let Some(words) = self.words(argument.address) {
                bounds.last_writes = words.write.expose_provenance() as u64;
                bounds.last_reads = words.read.expose_provenance() as u64;
            }
        }
        if let Some(local) = bounds.last_mut() {
            local.last_writes = distance;
            local.last_reads = distance + plane_bytes(local_memory, self.memory.local_granule);
        }
    }

    /// Bytes of the shadow of local memory of this size.
    pub fn local_bytes(&self, local_memory: u64) -> u64 {
        2 * plane_bytes(local_memory, self.memory.local_granule)
    }

    /// Bytes of a granule.
    pub(crate) fn granule(&self, is_local: bool) -> u64 {
        match is_local {
            true => self.memory.local_granule,
            false => self.memory.global_granule,
        }
    }

    /// The words of the granule of global memory at an address, if that is tracked.
    pub(crate) fn words(&self, address: u64) -> Option<Words> {
        let tracked = self
            .tracked
            .iter()
            .find(|t| t.addresses.contains(&address))?;
        let Range { start, end } = tracked.addresses;
        let plane = plane_bytes(end - start, self.memory.global_granule) as usize;
        let number = (address - start) / self.memory.global_granule;
        let write = tracked
            .storage
            .start()
            .wrapping_add(MARGIN + (number * WORD) as usize);
        Some(Words {
            write: write.cast(),
            read: write.wrapping_add(plane).cast(),
        })
    }
}

/// Bytes of a plane for this much memory, with a margin: a vector access may extend beyond its
/// active lanes.
fn plane_bytes(bytes: u64, granule: u64) -> u64 {
    (bytes.div_ceil(granule) * WORD + MARGIN as u64).next_multiple_of(ALIGNMENT as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::races::exclusive::{Id, Product};
    use crate::work_group::NdRange;

    const ITEMS: NdRange = NdRange {
        work_dimensions: 1,
        global_offset: [0; 3],
        global_size: [16, 1, 1],
        local_size: [16, 1, 1],
        group_count: [1; 3],
    };

    const LAUNCH: LaunchValues<'_> = LaunchValues {
        nd_range: &ITEMS,
        arguments: &[],
    };

    #[test]
    fn race_free_arguments_need_no_words_if_no_other_leads_there() {
        let of = |address: u64| ArgumentMemory {
            address,
            bytes: 64,
            ..ArgumentMemory::default()
        };
        let own = |bytes| {
            let of_id = Product {
                constant: 4,
                factors: Vec::new(),
            };
            let strides = vec![(Id::Global(0), vec![of_id])];
            RaceFree::Own(OwnBytes { strides, bytes })
        };
        let has_words = |why: RaceFree, other: u64, accessed: &[usize]| {
            let memory = TrackedMemory {
                global_granule: 4,
                local_granule: 8,
                written: vec![0],
                accessed: accessed.to_vec(),
                race_free: vec![(0, why)],
                ..TrackedMemory::default()
            };
            let shadows = Shadows::new(&memory, &[of(4096), of(other)], LAUNCH).unwrap();
            shadows.has_global_words()
        };
        assert!(!has_words(own(4), 8192, &[0, 1]));
        assert!(has_words(own(5), 8192, &[0, 1]));
        assert!(!has_words(RaceFree::Atomic, 8192, &[0, 1]));
        assert!(has_words(own(4), 4128, &[0, 1]));
        assert!(!has_words(own(4), 4096, &[0]));
    }

    #[test]
    fn what_shares_memory_with_a_written_argument_is_tracked() {
        let of = |address: u64, bytes| ArgumentMemory {
            address,
            bytes,
            ..ArgumentMemory::default()
        };
        let arguments = [of(4096, 256), of(4224, 256), of(8192, 64), of(0, 0)];
        let memory = TrackedMemory {
            global_granule: 4,
            local_granule: 8,
            written: vec![1],
            ..TrackedMemory::default()
        };
        let shadows = Shadows::new(&memory, &arguments, LAUNCH).unwrap();
        let mut bounds = [ArgumentBounds::default(); 5];
        shadows.place(&arguments, &mut bounds, 64, 128);
        assert_eq!(bounds[1].last_writes - bounds[0].last_writes, 128 * 2);
        assert!(bounds[0].last_reads - bounds[0].last_writes >= (128 + 256) * 2);
        assert_eq!((bounds[2].last_writes, bounds[3].last_writes), (0, 0));
        assert_eq!(bounds[4].last_writes, 128);
        assert!(bounds[4].last_reads >= 128 + 64);
        let everywhere = TrackedMemory {
            writes_anywhere: true,
            ..memory
        };
        let shadows = Shadows::new(&everywhere, &arguments, LAUNCH).unwrap();
        assert!(shadows.words(8192 + 60).is_some() && shadows.words(8192 + 64).is_none());
    }
}
