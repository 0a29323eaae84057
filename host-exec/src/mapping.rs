//! Separately mapped memory: zeroed, backed only when touched, and returned to the system as soon as
//! it is dropped.

use std::ptr::NonNull;

/// Minimum size of a mapping that is aligned to huge pages and advised to use them, bytes.
const HUGE_FROM: usize = 2 * HUGE_PAGE;
const HUGE_PAGE: usize = 2 << 20;

/// Unused bytes that are mapped before and after the memory: a kernel that writes a little beyond
/// the ends does not reach other mappings.
const MARGIN: usize = 64 << 10;

/// A mapping; unmapped when dropped.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    /// Size of the mapping from `base`, bytes.
    mapped: usize,
    start: NonNull<u8>,
}

// SAFETY: it owns plain bytes; the host program orders the commands that access them.
unsafe impl Send for Mapping {}
// SAFETY: its own methods only return the address.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `bytes`, aligned to a page. None if the host has no more memory.
    pub fn new(bytes: usize) -> Option<Self> {
        let huge = bytes >= HUGE_FROM;
        let slack = if huge { HUGE_PAGE } else { 0 };
        let mapped = bytes.checked_add(2 * MARGIN + slack)?;
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
        // SAFETY: the mapping is longer by two margins, and by a huge page where that is the
        // alignment; advice cannot fail badly.
        let start = unsafe {
            let mut start = base.add(MARGIN);
            if huge {
                start = start.add(start.align_offset(HUGE_PAGE));
                libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
            }
            start
        };
        Some(Self {
            base,
            mapped,
            start,
        })
    }

    /// Address of the first byte between the margins.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what `new` mapped.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.mapped) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_is_zero_aligned_and_has_margins() {
        for bytes in [1, 4096, HUGE_FROM - 1, HUGE_FROM, 5 * HUGE_PAGE + 3] {
            let mapping = Mapping::new(bytes).unwrap();
            let alignment = if bytes < HUGE_FROM { 4096 } else { HUGE_PAGE };
            assert_eq!(mapping.start().addr().get() % alignment, 0);
            // SAFETY: mapped, margins included.
            let all = unsafe {
                let start = mapping.start().sub(MARGIN);
                std::slice::from_raw_parts_mut(start.as_ptr(), bytes + 2 * MARGIN)
            };
            assert!(all.iter().all(|byte| *byte == 0));
            all.fill(7);
        }
    }
}
