//! OpenCL's global memory of a device: a cluster's, or what a machine's accelerators use. Its bytes are in
//! the host's memory.

use crate::error::ExecError;
use crate::red_zones::{Damage, RedZones};
use crate::scratchpad::NoStorage;
use crate::storage::Storage;
use device_sim::memory::{Memory, Reservation};
use std::sync::Arc;

/// A device's memory.
pub struct DeviceMemory {
    memory: Arc<Memory>,
    /// Alignment of allocations, bytes.
    alignment: u64,
}

/// Allocated memory; freed when dropped.
#[derive(Debug)]
pub struct Allocation {
    bytes: AllocatedBytes,
    _reservation: Reservation,
}

#[derive(Debug)]
enum AllocatedBytes {
    Storage(Storage),
    RedZones(RedZones),
}

impl Allocation {
    /// Address of the first byte.
    pub fn start(&self) -> *mut u8 {
        match &self.bytes {
            AllocatedBytes::Storage(storage) => storage.start(),
            AllocatedBytes::RedZones(zones) => zones.start(),
        }
    }

    /// What was overwritten before or after it, if it has red zones.
    pub fn damage(&self) -> Option<Damage> {
        match &self.bytes {
            AllocatedBytes::Storage(_) => None,
            AllocatedBytes::RedZones(zones) => zones.damage(),
        }
    }
}

impl DeviceMemory {
    /// Allocations in a simulated memory, with this alignment in bytes.
    pub fn new(memory: &Arc<Memory>, alignment: u64) -> Self {
        Self {
            memory: Arc::clone(memory),
            alignment,
        }
    }

    /// Memory of `bytes`, zeroed (`hthread_malloc`); between red zones if `red_zones`.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoStorage`.
    pub fn allocate(&self, bytes: u64, red_zones: bool) -> Result<Allocation, ExecError> {
        let reservation = self.reserve(bytes)?;
        let (size, alignment) = (bytes as usize, self.alignment as usize);
        let bytes = match red_zones {
            true => RedZones::new(size, alignment).map(AllocatedBytes::RedZones),
            false => Storage::new(size, alignment).map(AllocatedBytes::Storage),
        };
        Ok(Allocation {
            bytes: bytes.ok_or(NoStorage(size as u64))?,
            _reservation: reservation,
        })
    }

    /// Reserves capacity for data whose storage is elsewhere: in the host program's memory, or in
    /// another device's.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, ExecError> {
        Ok(self.memory.reserve(bytes)?)
    }

    /// Bytes allocated at present.
    pub fn taken(&self) -> u64 {
        self.memory.taken()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_counts_until_it_is_freed() {
        let capacity = 13 << 30;
        let memory = DeviceMemory::new(&Memory::new("DDR", capacity), 128);
        let allocation = memory.allocate(1 << 20, false).unwrap();
        assert_eq!(allocation.start() as usize % 128, 0);
        assert_eq!(memory.taken(), 1 << 20);
        let error = memory.reserve(capacity).unwrap_err();
        assert!(matches!(error, ExecError::OutOfMemory(_)));
        drop(allocation);
        drop(memory.reserve(capacity).unwrap());
        assert_eq!(memory.taken(), 0);
    }
}
