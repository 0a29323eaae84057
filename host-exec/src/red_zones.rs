//! Red zones: bytes before and after storage with a known value, which tell whether something wrote
//! there.

use crate::storage::Storage;

/// Bytes of a red zone; more follow the end up to the next multiple of the alignment.
const ZONE: usize = 128;

/// The value of the bytes of a red zone.
const VALUE: u8 = 0xa5;

/// Storage between red zones.
#[derive(Debug)]
pub struct RedZones {
    storage: Storage,
    /// Bytes before the storage between the zones.
    before: usize,
    /// Bytes between the zones.
    size: usize,
    /// Bytes after the storage between the zones.
    after: usize,
}

/// The part of a red zone that was overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The first one is that many bytes before the start.
    Before(usize),
    /// The last one is that many bytes after the end.
    After(usize),
}

impl RedZones {
    /// `size` zeroed bytes between red zones, aligned to `alignment`, a power of two up to a page.
    /// None if the host has no more memory.
    pub fn new(size: usize, alignment: usize) -> Option<Self> {
        let before = ZONE.next_multiple_of(alignment);
        let whole = size.checked_next_multiple_of(ZONE)?.checked_add(ZONE)?;
        let storage = Storage::new(before.checked_add(whole)?, alignment)?;
        let zones = Self {
            storage,
            before,
            size,
            after: whole - size,
        };
        // SAFETY: both zones are in the storage.
        unsafe {
            zones.storage.start().write_bytes(VALUE, before);
            zones.start().add(size).write_bytes(VALUE, zones.after);
        }
        Some(zones)
    }

    /// The first byte between the zones.
    pub fn start(&self) -> *mut u8 {
        self.storage.start().wrapping_add(self.before)
    }

    /// What was overwritten; what is before the start if it is both.
    pub fn damage(&self) -> Option<Damage> {
        // SAFETY: both zones are in the storage.
        let (before, after) = unsafe {
            (
                std::slice::from_raw_parts(self.storage.start(), self.before),
                std::slice::from_raw_parts(self.start().add(self.size), self.after),
            )
        };
        let is_damaged = |byte: &u8| *byte != VALUE;
        let first = before.iter().position(is_damaged);
        let last = after.iter().rposition(is_damaged);
        match (first, last) {
            (Some(first), _) => Some(Damage::Before(self.before - first)),
            (None, Some(last)) => Some(Damage::After(last + 1)),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_found_on_both_sides() {
        for size in [1, 100, 128, 5000] {
            let write = |offset: isize| {
                let zones = RedZones::new(size, 128).unwrap();
                assert_eq!(zones.start() as usize % 128, 0);
                // SAFETY: the storage has these bytes.
                unsafe {
                    zones.start().write_bytes(7, size);
                    zones.start().offset(offset).write(9);
                }
                zones.damage()
            };
            let end = size as isize;
            assert_eq!(write(0), None);
            assert_eq!(write(end - 1), None);
            assert_eq!(write(end), Some(Damage::After(1)));
            assert_eq!(write(end + 99), Some(Damage::After(100)));
            assert_eq!(write(-1), Some(Damage::Before(1)));
            assert_eq!(write(-128), Some(Damage::Before(128)));
        }
    }
}
