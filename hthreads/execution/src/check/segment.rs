//! What a thread accesses of the memory that threads share, from one point at which it synchronises to the
//! next one.

use rustc_hash::FxHashMap;

/// Bytes that a [`Unit`] describes.
pub const UNIT: usize = 8;

/// Units of a page.
const UNITS: usize = 512;

const PAGE: usize = UNITS * UNIT;

/// The accesses of eight bytes.
#[derive(Clone, Copy, Default)]
struct Unit {
    /// The bytes that are read, a bit for each one.
    read: u8,
    /// The bytes that are written.
    written: u8,
    /// The first site that reads, and the first that writes.
    sites: [u32; 2],
}

/// The accesses of a thread between two points at which it synchronises.
#[derive(Default)]
pub struct Segment {
    /// By address, in pages.
    pages: FxHashMap<usize, Box<[Unit; UNITS]>>,
}

/// An access that conflicts with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflicting {
    /// Its site.
    pub site: u64,
    /// Whether it writes.
    pub writes: bool,
}

/// Accesses of the same bytes in two segments, of which one writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The first of the bytes.
    pub address: usize,
    /// Their number, at most eight.
    pub bytes: usize,
    /// The access in the segment, and that in the other one.
    pub accesses: [Conflicting; 2],
}

impl Segment {
    /// Whether nothing is accessed.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The memory that it takes, in pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Adds an access.
    pub fn add(&mut self, address: usize, bytes: usize, writes: bool, site: u64) {
        let end = address.saturating_add(bytes);
        let mut start = address;
        while start < end {
            let page = self.pages.entry(start / PAGE);
            let page = page.or_insert_with(|| Box::new([Unit::default(); UNITS]));
            let page_end = (start / PAGE + 1).saturating_mul(PAGE).min(end);
            while start < page_end {
                let first = start % UNIT;
                let count = (UNIT - first).min(page_end - start);
                let mask = (0xff_u8 >> (UNIT - count)) << first;
                let unit = &mut page[start % PAGE / UNIT];
                let touched = match writes {
                    true => &mut unit.written,
                    false => &mut unit.read,
                };
                if *touched == 0 {
                    unit.sites[usize::from(writes)] = site as u32;
                }
                *touched |= mask;
                start += count;
            }
        }
    }

    /// The conflicts with another segment, by address.
    pub fn conflicts(&self, other: &Self) -> Vec<Conflict> {
        let mut shared: Vec<usize> = match self.pages.len() <= other.pages.len() {
            true => self.pages.keys().copied().collect(),
            false => other.pages.keys().copied().collect(),
        };
        shared.sort_unstable();
        let mut conflicts = Vec::new();
        for number in shared {
            let (Some(own), Some(others)) = (self.pages.get(&number), other.pages.get(&number))
            else {
                continue;
            };
            for (place, (own, other)) in own.iter().zip(others.iter()).enumerate() {
                let start = number * PAGE + place * UNIT;
                conflicts.extend(Unit::conflict(*own, *other, start));
            }
        }
        conflicts
    }
}

impl Unit {
    /// A conflict of accesses of the same bytes, which start at an address. Two writes come first.
    fn conflict(self, other: Self, start: usize) -> Option<Conflict> {
        let kinds = [
            (self.written & other.written, [true, true]),
            (self.written & other.read, [true, false]),
            (self.read & other.written, [false, true]),
        ];
        let (bytes, writes) = kinds.into_iter().find(|(bytes, _)| *bytes != 0)?;
        let access = |unit: Self, writes: bool| Conflicting {
            site: unit.sites[usize::from(writes)].into(),
            writes,
        };
        Some(Conflict {
            address: start + bytes.trailing_zeros() as usize,
            bytes: bytes.count_ones() as usize,
            accesses: [access(self, writes[0]), access(other, writes[1])],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(accesses: &[(usize, usize, bool, u64)]) -> Segment {
        let mut segment = Segment::default();
        for (address, bytes, writes, site) in accesses {
            segment.add(*address, *bytes, *writes, *site);
        }
        segment
    }

    #[test]
    fn bytes_that_both_access_conflict_if_one_writes() {
        let one = segment(&[(4090, 12, true, 1), (4092, 4, true, 9), (8192, 4, false, 2)]);
        let other = segment(&[(4088, 3, false, 3), (4100, 2, true, 4), (8192, 8, false, 5)]);
        let conflict = |address, bytes, site, writes| Conflict {
            address,
            bytes,
            accesses: [
                Conflicting {
                    site: 1,
                    writes: true,
                },
                Conflicting { site, writes },
            ],
        };
        assert_eq!(
            one.conflicts(&other),
            [conflict(4090, 1, 3, false), conflict(4100, 2, 4, true)]
        );
        let mut swapped = other.conflicts(&one);
        for conflict in &mut swapped {
            conflict.accesses.reverse();
        }
        assert_eq!(swapped, one.conflicts(&other));
        assert_eq!(one.conflicts(&segment(&[(4102, 80, true, 6)])), []);
        assert!(segment(&[(5, 0, true, 1)]).is_empty());
        assert_eq!(segment(&[(4095, 2, true, 1)]).pages(), 2);
    }
}
