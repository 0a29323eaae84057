//! The task look-up buffer: which outputs are in transactional memory.

use crate::memory_tracker::MemoryTracker;
use crate::region::Regions;

/// An output in transactional memory.
#[derive(Clone, Copy, Debug)]
struct Mapping {
    /// The number of the task that wrote it.
    number: u64,
    regions: Regions,
}

/// The task look-up buffer, and the regions that are free in transactional memory.
pub(super) struct LookUpBuffer {
    mappings: Vec<Mapping>,
    entries: usize,
    free: u64,
    /// Copies that were made.
    pub copied: u64,
}

/// What an output needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Its own place in memory, or one that is mapped already.
    Memory,
    /// A new mapping, for which there is room.
    Mapped,
    /// First a copy of a mapping to memory, of this number of regions.
    AfterCopy(u32),
    /// First something else has to happen: no mapping can be copied.
    Full,
}

impl LookUpBuffer {
    pub fn new(entries: usize, regions: u64) -> Self {
        Self {
            mappings: Vec::new(),
            entries,
            free: regions,
            copied: 0,
        }
    }

    /// What the output of a task needs. Mappings of tasks after `undecided`, the oldest branch that is
    /// not decided, may be dropped, and are not copied.
    pub fn place(
        &mut self,
        output: Regions,
        undecided: Option<u64>,
        tracker: &MemoryTracker,
    ) -> Place {
        if output.count() == 0 {
            return Place::Memory;
        }
        if undecided.is_some() {
            let is_free =
                self.mappings.len() < self.entries && u64::from(output.count()) <= self.free;
            return match is_free {
                true => Place::Mapped,
                false => self.copy(undecided, tracker, |_| true),
            };
        }
        let mut mapped = self.mappings.iter();
        match mapped.rfind(|mapping| mapping.regions.overlap(output)) {
            // The newest mapping has the regions' contents.
            Some(newest) if newest.regions.contain(output) => Place::Memory,
            Some(_) => self.copy(None, tracker, |regions| regions.overlap(output)),
            None => Place::Memory,
        }
    }

    /// Copies the oldest mapping that is selected, and that no task in flight uses.
    fn copy(
        &mut self,
        undecided: Option<u64>,
        tracker: &MemoryTracker,
        is_selected: impl Fn(Regions) -> bool,
    ) -> Place {
        let undecided = undecided.unwrap_or(u64::MAX);
        let oldest = self.mappings.iter().position(|mapping| {
            mapping.number < undecided
                && is_selected(mapping.regions)
                && !tracker.uses(mapping.regions)
        });
        let Some(place) = oldest else {
            return Place::Full;
        };
        let count = self.mappings.remove(place).regions.count();
        self.free += u64::from(count);
        self.copied += 1;
        Place::AfterCopy(count)
    }

    /// Maps the output of a task.
    pub fn map(&mut self, number: u64, regions: Regions) {
        self.free -= u64::from(regions.count());
        self.mappings.push(Mapping { number, regions });
    }

    /// Drops the mappings of the tasks after a branch.
    pub fn drop_after(&mut self, branch: u64) {
        let free = &mut self.free;
        self.mappings.retain(|mapping| {
            let is_kept = mapping.number < branch;
            if !is_kept {
                *free += u64::from(mapping.regions.count());
            }
            is_kept
        });
    }
}
