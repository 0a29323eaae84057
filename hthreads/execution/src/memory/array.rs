//! AM and SM of one array.

use super::buffer_list::BufferList;
use crate::check::shadow;
use device_sim::machine::Machine;
use host_exec::storage::Storage;
use parking_lot::Mutex;

/// Most buffers in AM and in SM, and the bytes at the start of SM that the machine's own library has
/// for its tables (decoded from that library).
const AM_BUFFERS: usize = 64;
const SM_BUFFERS: usize = 32;
pub const SM_TABLES: u32 = 1024;

/// Alignment of the memories on the host: a vector.
const ALIGNMENT: usize = 128;

/// A memory of an array, and its buffers.
#[derive(Debug)]
pub struct Scratchpad {
    storage: Storage,
    bytes: usize,
    buffers: Mutex<BufferList>,
}

impl Scratchpad {
    /// A memory whose buffers are between two offsets.
    fn new(bytes: u64, first: u32, end: u64, most: usize) -> Option<Self> {
        let bytes = usize::try_from(bytes).ok()?;
        let end = u32::try_from(end).ok()?;
        Some(Self {
            storage: Storage::new(bytes, ALIGNMENT)?,
            bytes,
            buffers: Mutex::new(BufferList::new(first.min(end), end, most)),
        })
    }

    /// The address of its first byte.
    pub fn start(&self) -> usize {
        self.storage.start().expose_provenance()
    }

    /// The address behind its last byte.
    pub fn end(&self) -> usize {
        self.start() + self.bytes
    }

    /// Takes a buffer; null if there is no space for it.
    pub fn take(&self, bytes: u32) -> *mut u8 {
        match self.buffers.lock().take(bytes) {
            Some(offset) => self.storage.start().wrapping_add(offset as usize),
            None => std::ptr::null_mut(),
        }
    }

    /// Gives a buffer back; false if none starts there.
    pub fn give_back(&self, buffer: *const u8) -> bool {
        let offset = buffer.addr().checked_sub(self.storage.start().addr());
        let offset = offset.and_then(|offset| u32::try_from(offset).ok());
        offset.is_some_and(|offset| self.buffers.lock().give_back(offset))
    }

    /// The sizes of its buffers, by address.
    pub fn buffer_sizes(&self) -> Vec<u32> {
        self.buffers.lock().sizes().collect()
    }

    /// The buffer that an address is in: its address, and its size.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        let offset = u32::try_from(address.checked_sub(self.start())?).ok()?;
        let (first, bytes) = self.buffers.lock().find(offset)?;
        Some((self.start() + first as usize, bytes as usize))
    }

    /// Bytes that no buffer has.
    pub fn free_space(&self) -> u32 {
        self.buffers.lock().free_space()
    }

    /// Whether an address is not in it, but at most `distance` bytes before or behind.
    pub fn is_near(&self, address: usize, distance: usize) -> bool {
        let start = self.start();
        let near = start.saturating_sub(distance)..start + self.bytes + distance;
        near.contains(&address) && self.bytes_from(address).is_none()
    }

    /// Bytes of it from an address on; `None` if the address is elsewhere.
    pub fn bytes_from(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.start())?;
        (offset < self.bytes).then(|| self.bytes - offset)
    }
}

impl Drop for Scratchpad {
    // Other memory may be there afterwards.
    fn drop(&mut self) {
        shadow::define(self.start(), self.bytes);
    }
}

/// The memories of an array.
#[derive(Debug)]
pub struct ArrayMemory {
    /// Array memory.
    pub am: Scratchpad,
    /// Scalar memory.
    pub sm: Scratchpad,
}

impl ArrayMemory {
    /// The memories of an array of `machine`, without buffers; those in SM end at `sm_end`. `None` if the
    /// host has no memory.
    pub fn new(machine: &Machine, sm_end: u64) -> Option<Self> {
        let memory = &machine.memory;
        let am = memory.am.size.value;
        Some(Self {
            am: Scratchpad::new(am, 0, am, AM_BUFFERS)?,
            sm: Scratchpad::new(memory.sm.size.value, SM_TABLES, sm_end, SM_BUFFERS)?,
        })
    }
}
