//! Memory that the platform is given: each block is as large as the call says, and what
//! lies beyond it cannot be touched.

use anyhow::{Result, bail};
use std::ptr::null_mut;

const PAGE: usize = 4096;

/// Blocks of one size at most, each with pages around it that trap.
struct Pool {
    start: *mut u8,
    /// Bytes that a block can have.
    capacity: usize,
    count: usize,
    taken: usize,
}

impl Pool {
    fn new(capacity: usize, count: usize) -> Result<Self> {
        let distance = capacity + PAGE;
        let length = PAGE + distance * count;
        // SAFETY: fresh memory anywhere.
        let start = unsafe {
            libc::mmap(
                null_mut(),
                length,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            bail!("no memory: {}", std::io::Error::last_os_error());
        }
        // SAFETY: within the mapping.
        let start = unsafe { start.cast::<u8>().add(PAGE) };
        for index in 0..count {
            // SAFETY: whole pages within the mapping.
            let changed = unsafe {
                libc::mprotect(
                    start.add(index * distance).cast(),
                    capacity,
                    libc::PROT_READ | libc::PROT_WRITE,
                )
            };
            if changed != 0 {
                bail!("no memory: {}", std::io::Error::last_os_error());
            }
        }
        Ok(Self {
            start,
            capacity,
            count,
            taken: 0,
        })
    }

    fn take(&mut self, bytes: usize, alignment: usize) -> Option<*mut u8> {
        if bytes > self.capacity || self.taken == self.count {
            return None;
        }
        let place = self.taken * (self.capacity + PAGE);
        self.taken += 1;
        let before = (self.capacity - bytes) / alignment * alignment;
        // SAFETY: within the mapping.
        Some(unsafe { self.start.add(place + before) })
    }
}

/// Blocks that are given back all at once.
pub struct Arena(Vec<Pool>);

/// Bytes that the largest block can have.
pub const LARGEST_BLOCK: usize = 64 << 10;

impl Arena {
    /// An arena for `small` blocks of up to a page and `large` ones.
    ///
    /// # Errors
    /// The system has no memory.
    pub fn new(small: usize, large: usize) -> Result<Self> {
        Ok(Self(vec![
            Pool::new(PAGE, small)?,
            Pool::new(LARGEST_BLOCK, large)?,
        ]))
    }

    /// A block that ends where memory ends, as nearly as the alignment allows; none if
    /// there are none left.
    pub fn take(&mut self, bytes: usize, alignment: usize) -> Option<*mut u8> {
        self.0
            .iter_mut()
            .find_map(|pool| pool.take(bytes, alignment))
    }

    /// All blocks are free again.
    pub fn clear(&mut self) {
        for pool in &mut self.0 {
            pool.taken = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_where_memory_ends() {
        let mut arena = Arena::new(2, 1).unwrap();
        let odd = arena.take(13, 1).unwrap();
        assert_eq!((odd.addr() + 13) % PAGE, 0);
        let aligned = arena.take(13, 64).unwrap();
        assert_eq!(aligned.addr() % 64, 0);
        assert!((aligned.addr() + 64).is_multiple_of(PAGE));
        assert!(arena.take(LARGEST_BLOCK, 1).is_some());
        assert!(arena.take(1, 1).is_none());
        arena.clear();
        assert_eq!(arena.take(13, 1), Some(odd));
        // SAFETY: a block of 13 bytes.
        unsafe { odd.add(12).write(1) };
    }
}
