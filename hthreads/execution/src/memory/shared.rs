//! Blocks in a memory that the arrays of a cluster share: DDR, and HBSM.

use crate::check::shadow;
use host_exec::storage::Storage;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Alignment of blocks, bytes.
const ALIGNMENT: usize = 4096;

/// A block of memory; freed when dropped.
pub type Block = Storage;

/// A shared memory of a cluster, with the blocks taken from it.
#[derive(Debug)]
pub struct ClusterMemory {
    bytes: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    taken: u64,
    /// By address: the block and its size.
    blocks: BTreeMap<usize, Taken>,
}

#[derive(Debug)]
struct Taken {
    block: Block,
    bytes: u64,
}

impl Drop for Taken {
    // Other memory may be there afterwards.
    fn drop(&mut self) {
        shadow::define(self.block.start().addr(), self.bytes as usize);
    }
}

impl ClusterMemory {
    /// A memory of that size, all of it free.
    pub fn new(bytes: u64) -> Self {
        Self {
            bytes,
            state: Mutex::default(),
        }
    }

    /// Takes a block of at least one byte; null if the memory, or the host's, is exhausted.
    pub fn take(&self, bytes: u64) -> *mut u8 {
        let mut state = self.state.lock();
        let bytes = bytes.max(1);
        let Some(size) = usize::try_from(bytes).ok() else {
            return std::ptr::null_mut();
        };
        if bytes > self.bytes - state.taken {
            return std::ptr::null_mut();
        }
        let Some(block) = Storage::new(size, ALIGNMENT) else {
            return std::ptr::null_mut();
        };
        let start = block.start();
        state.taken += bytes;
        state.blocks.insert(start.addr(), Taken { block, bytes });
        start
    }

    /// Frees a block; false if none starts there.
    pub fn give_back(&self, start: *const u8) -> bool {
        let mut state = self.state.lock();
        let Some(taken) = state.blocks.remove(&start.addr()) else {
            return false;
        };
        state.taken -= taken.bytes;
        true
    }

    /// The block that an address is in: its address, and its size.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        let state = self.state.lock();
        let (start, taken) = state.blocks.range(..=address).next_back()?;
        let bytes = usize::try_from(taken.bytes).ok()?;
        (address - start < bytes).then_some((*start, bytes))
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.state.lock().blocks.len()
    }

    /// Whether an address is in a block.
    pub fn contains(&self, address: usize) -> bool {
        self.find(address).is_some()
    }

    /// Frees all blocks.
    pub fn clear(&self) {
        *self.state.lock() = State::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_has_its_capacity_and_no_more() {
        let memory = ClusterMemory::new(10_000);
        let first = memory.take(6_000);
        assert!(!first.is_null());
        assert!(memory.take(4_001).is_null());
        assert!(!memory.take(4_000).is_null());
        assert!(memory.take(1).is_null());
        assert!(memory.give_back(first) && !memory.give_back(first));
        assert!(!memory.take(6_000).is_null());
        memory.clear();
        assert!(!memory.take(10_000).is_null());
    }
}
