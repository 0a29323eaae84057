//! The memory tracker: the regions of the tasks in flight, and what a new task has to wait for.

use crate::region::Regions;

/// The tasks in flight, by their slots.
pub(crate) struct MemoryTracker {
    entries: Vec<Entry>,
    capacity: usize,
    /// Maximum number of entries until now.
    pub most: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    slot: usize,
    number: u64,
    input: Regions,
    output: Regions,
}

/// The regions of a new task.
#[derive(Clone, Copy)]
pub(crate) struct Accesses {
    pub input: Regions,
    pub output: Regions,
    /// Whether its output has a place of its own in transactional memory, so that it conflicts with no
    /// task before it.
    pub is_renamed: bool,
}

impl MemoryTracker {
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: Vec::new(),
            capacity,
            most: 0,
        }
    }

    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.capacity
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds the slots of the tasks that a new task waits for: those that write what it reads (RAW), read
    /// what it writes (WAR), or write what it writes (WAW).
    pub fn conflicts(&self, task: Accesses, slots: &mut Vec<usize>) {
        let overwritten = match task.is_renamed {
            true => Regions::default(),
            false => task.output,
        };
        for entry in &self.entries {
            // Bitwise, without branches: most entries do not conflict.
            if task.input.overlap(entry.output)
                | overwritten.overlap(entry.input)
                | overwritten.overlap(entry.output)
            {
                slots.push(entry.slot);
            }
        }
    }

    /// The slot of the youngest task that writes a region.
    pub fn writer(&self, region: Regions) -> Option<usize> {
        let writers = self.entries.iter();
        let writers = writers.filter(|entry| entry.output.overlap(region));
        let youngest = writers.max_by_key(|entry| entry.number)?;
        Some(youngest.slot)
    }

    /// Whether a task in flight accesses the regions.
    pub fn uses(&self, regions: Regions) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| entry.input.overlap(regions) || entry.output.overlap(regions))
    }

    pub fn add(&mut self, slot: usize, number: u64, input: Regions, output: Regions) {
        self.entries.push(Entry {
            slot,
            number,
            input,
            output,
        });
        self.most = self.most.max(self.entries.len());
    }

    pub fn remove(&mut self, slot: usize) {
        if let Some(place) = self.entries.iter().position(|entry| entry.slot == slot) {
            self.entries.swap_remove(place);
        }
    }
}
