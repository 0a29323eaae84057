//! Memory that is mapped for itself: backed only when touched, zeros at first, and the
//! system's again at once when it is not needed any more.

use std::ptr::NonNull;

/// From this size on memory is aligned to, and asks for, the host's huge pages.
const HUGE_FROM: usize = 2 * HUGE_PAGE;
const HUGE_PAGE: usize = 2 << 20;

/// Bytes before and after what was asked for that are mapped as well, and nobody's: a kernel
/// that writes a little beyond what it was given does not reach what others have mapped.
const MARGIN: usize = 64 << 10;

/// A mapping; unmapped when dropped.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    /// In all, from `base` on.
    mapped: usize,
    start: NonNull<u8>,
}

// SAFETY: it owns plain bytes; who reads and writes them when is the affair of the
// commands that the host program orders.
unsafe impl Send for Mapping {}
// SAFETY: its own methods only return the address.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// `bytes` bytes, which begin at the start of a page. None if the host has no more.
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

    /// First byte of what was asked for.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: gives back exactly what `new` took.
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
