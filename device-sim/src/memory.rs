//! How much of a cluster's memory is allocated.

use parking_lot::Mutex;
use std::sync::Arc;

/// An allocation exceeds the free capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{memory} has {free} bytes left, not {wanted}")]
pub struct OutOfMemory {
    /// Name of the memory.
    pub memory: &'static str,
    /// Requested bytes.
    pub wanted: u64,
    /// Free bytes.
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

    /// Capacity, bytes.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Bytes allocated at present.
    pub fn taken(&self) -> u64 {
        *self.taken.lock()
    }

    /// Reserves `bytes` of the capacity. Storage on the host is up to the caller.
    ///
    /// # Errors
    /// Less is free.
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

/// A part of a memory's capacity; released when dropped.
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
}
