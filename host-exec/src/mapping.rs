//! Separately mapped memory: zeroed, backed only when touched, between guard pages, and returned to the
//! system as soon as it is dropped.

use crate::guard_pages::{self, Guards, PAGE};
use std::ptr::NonNull;

/// Minimum size of a mapping that is aligned to huge pages and advised to use them, bytes.
const HUGE_FROM: usize = 2 * HUGE_PAGE;
const HUGE_PAGE: usize = 2 << 20;

/// Unused bytes before and after the memory that may be accessed: a vector access may extend beyond
/// its active lanes, by less than `scratchpad::MARGIN`.
pub const MARGIN: usize = PAGE;

/// Bytes before and after the margins that nothing may access, so that a kernel that writes beyond
/// the ends is stopped and does not reach other mappings.
const GUARD: usize = (64 << 10) - MARGIN;

/// A mapping; unmapped when dropped.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    /// Size of the mapping from `base`, bytes.
    mapped: usize,
    start: NonNull<u8>,
    guards: Guards,
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
        let usable = bytes.checked_next_multiple_of(PAGE)?;
        let mapped = usable.checked_add(2 * (GUARD + MARGIN) + slack)?;
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
        // SAFETY: the mapping is longer by two margins with guards, and by a huge page where that is
        // the alignment; advice cannot fail badly.
        let start = unsafe {
            let mut start = base.add(GUARD + MARGIN);
            if huge {
                start = start.add(start.align_offset(HUGE_PAGE));
                libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
            }
            start
        };
        let mut mapping = Self {
            base,
            mapped,
            start,
            guards: Guards::default(),
        };
        // SAFETY: both ranges are in the mapping, outside the margins.
        unsafe {
            mapping.guard(start.sub(MARGIN + GUARD), GUARD);
            mapping.guard(start.add(usable + MARGIN), GUARD);
        }
        Some(mapping)
    }

    /// Makes pages inaccessible, if the system permits it.
    ///
    /// # Safety
    /// They are in the mapping, and hold nothing.
    pub unsafe fn guard(&mut self, start: NonNull<u8>, bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { guard_pages::install(start, bytes, &mut self.guards) };
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
                let usable = bytes.next_multiple_of(PAGE);
                std::slice::from_raw_parts_mut(start.as_ptr(), usable + 2 * MARGIN)
            };
            assert!(all.iter().all(|byte| *byte == 0));
            all.fill(7);
            for page in [
                mapping.start().addr().get() - MARGIN - PAGE,
                mapping.start().addr().get() + bytes.next_multiple_of(PAGE) + MARGIN,
            ] {
                assert!(guard_pages::tests::is_guarded(page), "{bytes}");
            }
        }
    }
}
