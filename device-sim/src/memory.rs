//! A cluster's memories: capacity, and storage on the host that backs allocations.

use parking_lot::Mutex;
use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Arc;

/// From this size on storage is mapped for itself, so that pages are backed only
/// when touched and go back to the system at once.
const MAPPED_FROM: usize = 256 << 10;

/// Storage from this size on is aligned to, and asks for, the host's huge pages.
const HUGE_PAGE: usize = 2 << 20;

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

/// Zeroed storage on the host, backed lazily.
#[derive(Debug)]
pub struct Storage {
    start: NonNull<u8>,
    /// What was mapped, or the layout that was allocated.
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Mapped { base: NonNull<u8>, bytes: usize },
    Allocated(Layout),
}

// SAFETY: it owns plain bytes; who reads and writes them when is the affair of the
// commands that the host program orders.
unsafe impl Send for Storage {}
// SAFETY: its own methods only return the address and size.
unsafe impl Sync for Storage {}

impl Storage {
    /// `bytes` (at least one) of storage aligned to `alignment`, a power of two up to a page.
    /// None if the host has no more.
    pub fn new(bytes: usize, alignment: usize) -> Option<Self> {
        if bytes < MAPPED_FROM {
            let layout = Layout::from_size_align(bytes.max(1), alignment).ok()?;
            // SAFETY: the layout's size is not zero.
            let start = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
            return Some(Self {
                start,
                origin: Origin::Allocated(layout),
            });
        }
        let huge = bytes >= 2 * HUGE_PAGE;
        let mapped = if huge {
            bytes.checked_add(HUGE_PAGE)?
        } else {
            bytes
        };
        // SAFETY: a new private mapping touches nothing that exists.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        let base = NonNull::new(base.cast::<u8>())?;
        let mut start = base;
        if huge {
            // SAFETY: the mapping is a huge page longer than needed; advice cannot fail badly.
            unsafe {
                start = base.add(base.align_offset(HUGE_PAGE));
                libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
            }
        }
        Some(Self {
            start,
            origin: Origin::Mapped {
                base,
                bytes: mapped,
            },
        })
    }

    /// First byte.
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        // SAFETY: gives back exactly what `new` took.
        unsafe {
            match self.origin {
                Origin::Mapped { base, bytes } => {
                    libc::munmap(base.as_ptr().cast(), bytes);
                }
                Origin::Allocated(layout) => std::alloc::dealloc(self.start.as_ptr(), layout),
            }
        }
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
        for bytes in [1, 100, MAPPED_FROM - 1, MAPPED_FROM, 5 * HUGE_PAGE + 3] {
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
