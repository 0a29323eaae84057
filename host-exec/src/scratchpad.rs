//! The scratchpad of the array that a host thread emulates: local and private memory of the
//! work-group that it runs. Nothing in it outlives a work-group, so each host thread has one,
//! whichever array the group belongs to.

use crate::storage::Storage;
use crate::{fault, mapping};
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Alignment of local and private memory, bytes: that of a vector register.
pub const ALIGNMENT: usize = 128;

/// Bytes before and after local memory that may be accessed: a vector access may extend beyond its
/// active lanes, and store what it loaded there.
pub const MARGIN: usize = 1024;

const _: () = assert!(MARGIN <= mapping::MARGIN);

/// Minimum and maximum size of a memory that is kept after a launch, bytes.
const KEPT: RangeInclusive<usize> = 64 << 10..=16 << 20;

/// The memories of a work-group.
#[derive(Clone, Copy, Debug)]
pub struct GroupMemories {
    /// Address of local memory.
    pub local_memory: *mut u8,
    /// Address of private memory.
    pub private_memory: *mut u8,
}

#[derive(Default)]
struct Scratchpad {
    local: Memory,
    private: Memory,
}

/// Storage of a power of two of bytes; guard pages follow its end.
#[derive(Default)]
struct Memory {
    bytes: usize,
    storage: Option<Storage>,
}

impl Memory {
    /// The address of the last `bytes`, which begin aligned after a margin. None if the host has no
    /// memory for them.
    fn last(&mut self, bytes: u64) -> Option<*mut u8> {
        let bytes = usize::try_from(bytes).ok()?;
        let bytes = bytes.checked_next_multiple_of(ALIGNMENT)?;
        let needed = bytes.checked_add(MARGIN)?;
        if self.bytes < needed {
            *self = Self::default();
            let size = needed.checked_next_power_of_two()?.max(*KEPT.start());
            self.storage = Some(Storage::new(size, ALIGNMENT)?);
            self.bytes = size;
        }
        let storage = self.storage.as_ref()?;
        Some(storage.start().wrapping_add(self.bytes - bytes))
    }

    fn free_if_large(&mut self) {
        if self.bytes > *KEPT.end() {
            *self = Self::default();
        }
    }
}

thread_local! {
    static SCRATCHPAD: RefCell<Scratchpad> = const {
        const EMPTY: Memory = Memory { bytes: 0, storage: None };
        RefCell::new(Scratchpad { local: EMPTY, private: EMPTY })
    };
}

/// The host has no memory for the scratchpad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host has no {0} bytes for local and private memory")]
pub struct NoStorage(pub u64);

/// Runs `body` with this thread's scratchpad of at least these sizes, bytes. Its contents are those
/// of the last work-group.
///
/// # Errors
/// The host has no memory.
pub fn with<R>(
    local_memory: u64,
    private_memory: u64,
    body: impl FnOnce(GroupMemories) -> R,
) -> Result<R, NoStorage> {
    let too_large = NoStorage(local_memory.saturating_add(private_memory));
    SCRATCHPAD.with(|scratchpad| {
        // A native kernel may itself launch and wait: the nested launch gets its own scratchpad.
        let mut own = Scratchpad::default();
        let mut borrowed = scratchpad.try_borrow_mut();
        let scratchpad = borrowed.as_deref_mut().unwrap_or(&mut own);
        let (local, private) = if fault::private_follows_local_memory() {
            let unreserved = *KEPT.end() as u64;
            let local = scratchpad.local.last(unreserved).ok_or(too_large)?;
            let bytes = (local_memory as usize).next_multiple_of(ALIGNMENT);
            (local, local.wrapping_add(bytes))
        } else {
            let local = scratchpad.local.last(local_memory).ok_or(too_large)?;
            let private = scratchpad.private.last(private_memory).ok_or(too_large)?;
            (local, private)
        };
        let result = body(GroupMemories {
            local_memory: if fault::local_memory_is_shared() {
                shared_local_memory()
            } else {
                local
            },
            private_memory: private,
        });
        scratchpad.local.free_if_large();
        scratchpad.private.free_if_large();
        Ok(result)
    })
}

/// The single local memory that an injected fault has all groups use.
fn shared_local_memory() -> *mut u8 {
    static STORAGE: LazyLock<Storage> =
        LazyLock::new(|| Storage::new(*KEPT.end(), ALIGNMENT).expect("there is memory"));
    STORAGE.start().wrapping_add(MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard_pages::tests::is_guarded;

    #[test]
    fn parts_are_aligned_apart_and_writable() {
        for (local, private) in [(0, 0), (1, 5000), (655_360, 300), (100, 40 << 20)] {
            with(local, private, |parts| {
                assert_eq!(parts.local_memory as usize % ALIGNMENT, 0);
                assert_eq!(parts.private_memory as usize % ALIGNMENT, 0);
                for (start, size) in [
                    (parts.local_memory as usize, local as usize),
                    (parts.private_memory as usize, private as usize),
                ] {
                    let end = start + size.next_multiple_of(ALIGNMENT);
                    assert!(!is_guarded(end + MARGIN - 1));
                    assert!(is_guarded(end + mapping::MARGIN));
                }
                // SAFETY: the scratchpad has the requested sizes.
                unsafe {
                    parts.local_memory.write_bytes(1, local as usize);
                    parts.private_memory.write_bytes(2, private as usize);
                    assert!(local == 0 || parts.local_memory.add(local as usize - 1).read() == 1);
                }
            })
            .unwrap();
        }
    }

    #[test]
    fn a_launch_within_a_launch_has_its_own() {
        with(64, 0, |outer| {
            with(64, 0, |inner| {
                assert_ne!(outer.local_memory, inner.local_memory)
            })
            .unwrap();
        })
        .unwrap();
    }

    #[test]
    fn more_than_the_host_has_is_an_error() {
        assert!(with(0, u64::MAX - 4096, |_| ()).is_err());
        assert!(with(0, 1 << 59, |_| ()).is_err());
        with(0, 1 << 10, |_| ()).unwrap();
    }
}
