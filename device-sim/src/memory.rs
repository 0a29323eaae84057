//! A cluster's memories: capacity, and storage on the host that backs allocations.

use crate::mapping::Mapping;
use crate::small_blocks::{Block, LARGEST};
use parking_lot::Mutex;
use std::sync::Arc;

/// Not enough room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{memory} has {free} bytes left, not {wanted}")]
pub struct OutOfMemory {
    /// Which memory.
    pub memory: &'static str,
    /// Bytes asked for.
    pub wanted: u64,
    /// Bytes not taken.
    pub free: u64,
}

/// One memory of a cluster.
#[derive(Debug)]
pub struct Memory {
    name: &'static str,
    capacity: u64,
    taken: Mutex<u64>,
}

impl Memory {
    /// A memory of `capacity` bytes.
    pub fn new(name: &'static str, capacity: u64) -> Arc<Self> {
        Arc::new(Self {
            name,
            capacity,
            taken: Mutex::new(0),
        })
    }

    /// Bytes in all.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Bytes taken now.
    pub fn taken(&self) -> u64 {
        *self.taken.lock()
    }

    /// Takes `bytes` without storage behind them: for what already lies in the host
    /// program's memory.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn reserve(self: &Arc<Self>, bytes: u64) -> Result<Reservation, OutOfMemory> {
        let mut taken = self.taken.lock();
        let free = self.capacity - *taken;
        if bytes > free {
            return Err(OutOfMemory {
                memory: self.name,
                wanted: bytes,
                free,
            });
        }
        *taken += bytes;
        Ok(Reservation {
            memory: Arc::clone(self),
            bytes,
        })
    }
}

/// A part of a memory's capacity; given back when dropped.
#[derive(Debug)]
pub struct Reservation {
    memory: Arc<Memory>,
    bytes: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        *self.memory.taken.lock() -= self.bytes;
    }
}

/// Zeroed storage on the host, backed lazily, apart from the heap of the C library.
#[derive(Debug)]
pub struct Storage(Origin);

#[derive(Debug)]
enum Origin {
    Block(Block),
    Mapped(Mapping),
}

impl Storage {
    /// `bytes` (at least one) of storage aligned to `alignment`, a power of two up to a page.
    /// None if the host has no more.
    pub fn new(bytes: usize, alignment: usize) -> Option<Self> {
        if bytes < LARGEST
            && let Some(block) = Block::new(bytes, alignment)
        {
            return Some(Self(Origin::Block(block)));
        }
        Mapping::new(bytes).map(|mapping| Self(Origin::Mapped(mapping)))
    }

    /// First byte.
    pub fn start(&self) -> *mut u8 {
        let start = match &self.0 {
            Origin::Block(block) => block.start(),
            Origin::Mapped(mapping) => mapping.start(),
        };
        start.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacity_is_taken_and_given_back() {
        let memory = Memory::new("DDR", 1000);
        let first = memory.reserve(600).unwrap();
        let error = memory.reserve(500).unwrap_err();
        assert_eq!((error.wanted, error.free), (500, 400));
        let second = memory.reserve(400).unwrap();
        assert_eq!(memory.taken(), 1000);
        drop(first);
        assert_eq!(memory.taken(), 400);
        drop(second);
        memory.reserve(1000).unwrap();
        assert_eq!(memory.taken(), 0);
    }

    #[test]
    fn storage_is_zero_aligned_and_whole() {
        for bytes in [1, 100, LARGEST - 1, LARGEST, LARGEST + 1, (10 << 20) + 3] {
            let storage = Storage::new(bytes, 128).unwrap();
            assert_eq!(storage.start() as usize % 128, 0);
            // SAFETY: the storage holds that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts_mut(storage.start(), bytes) };
            assert!(bytes.iter().all(|&byte| byte == 0));
            bytes.fill(7);
        }
    }

    #[test]
    fn large_storage_is_backed_only_when_touched() {
        let storage = Storage::new(8 << 30, 128).unwrap();
        // SAFETY: within the storage.
        unsafe { storage.start().add(7 << 30).write(1) };
    }

    #[test]
    fn storage_beyond_the_address_space_is_refused() {
        assert!(Storage::new(usize::MAX - 10, 128).is_none());
        assert!(Storage::new(1 << 60, 128).is_none());
    }
}
