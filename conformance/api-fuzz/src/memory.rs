//! Memory for the platform. Each block has exactly the size that the call states; the pages beyond
//! it cannot be accessed.

use anyhow::{Result, bail};
use std::ptr::null_mut;

const PAGE: usize = 4096;

/// Blocks up to one size, each between guard pages.
struct Pool {
    start: *mut u8,
    /// Maximum size of a block, in bytes.
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

/// Blocks that are freed together.
pub struct Arena(Vec<Pool>);

/// Size of the largest block, in bytes.
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

    /// A block whose end is as near to the guard page as the alignment allows; `None` if no block
    /// is left.
    pub fn take(&mut self, bytes: usize, alignment: usize) -> Option<*mut u8> {
        self.0
            .iter_mut()
            .find_map(|pool| pool.take(bytes, alignment))
    }

    /// Frees all blocks.
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
