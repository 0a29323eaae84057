//! Guard pages: an access of one ends in SIGSEGV.
//!
//! Linux 6.13 and later mark them in the page tables. Earlier systems need a mapping of its own for each
//! range with another protection, of which a process has 65,530 unless `vm.max_map_count` permits more;
//! there are at most `MOST` guards then, so that the program keeps half of its mappings.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Size of a page, bytes.
pub const PAGE: usize = 4096;

/// `MADV_GUARD_INSTALL` of Linux 6.13.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// Maximum number of guards that split mappings. Each splits off two.
const MOST: usize = 16 << 10;

/// Number of guards that split mappings.
static SPLITTING: AtomicUsize = AtomicUsize::new(0);

/// Whether the system has no guards in page tables.
static SPLITS: AtomicBool = AtomicBool::new(false);

/// The guards of a mapping that split it, to be dropped when it is unmapped.
#[derive(Debug, Default)]
pub struct Guards(usize);

impl Drop for Guards {
    fn drop(&mut self) {
        SPLITTING.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Makes pages of a mapping inaccessible. Without effect if the system refuses it.
///
/// # Safety
/// The pages are mapped anonymously, and hold nothing.
pub unsafe fn install(start: NonNull<u8>, bytes: usize, guards: &mut Guards) {
    let address = start.as_ptr().cast();
    if !SPLITS.load(Ordering::Relaxed) {
        // SAFETY: as the caller promises.
        if unsafe { libc::madvise(address, bytes, MADV_GUARD_INSTALL) } == 0 {
            return;
        }
        SPLITS.store(true, Ordering::Relaxed);
    }
    if SPLITTING.fetch_add(1, Ordering::Relaxed) < MOST {
        // SAFETY: as the caller promises.
        if unsafe { libc::mprotect(address, bytes, libc::PROT_NONE) } == 0 {
            guards.0 += 1;
            return;
        }
    }
    SPLITTING.fetch_sub(1, Ordering::Relaxed);
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::mapping::Mapping;

    /// Whether a page cannot be read: the system reads it in place of this process.
    pub fn is_guarded(page: usize) -> bool {
        let mut ends = [0; 2];
        // SAFETY: the pipe's ends are closed below; an address that cannot be read is an error.
        unsafe {
            assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
            let written = libc::write(ends[1], page as *const libc::c_void, 1);
            for end in ends {
                libc::close(end);
            }
            written < 0
        }
    }

    #[test]
    fn older_systems_have_guards_too() {
        let mut mapping = Mapping::new(8 * PAGE).unwrap();
        let page = mapping.start();
        let before = SPLITS.swap(true, Ordering::Relaxed);
        // SAFETY: a page of the mapping.
        unsafe { mapping.guard(page, PAGE) };
        SPLITS.store(before, Ordering::Relaxed);
        assert!(is_guarded(page.addr().get()));
        assert!(!is_guarded(page.addr().get() + PAGE));
        assert!(SPLITTING.load(Ordering::Relaxed) > 0);
    }
}
