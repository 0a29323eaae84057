//! Rectangular regions of buffers and host memory (OpenCL 1.2, 5.2.4).

use crate::error::{Code, Error, Result};
use crate::mem_object::HostPointer;

/// A 3-D region for the rectangular copies. Bytes, rows, slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Bytes in a row, rows, slices.
    pub region: [usize; 3],
    /// Where it comes from.
    pub source: Placement,
    /// Where it goes.
    pub destination: Placement,
}

/// Where a region lies in a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Byte in the row, row, slice.
    pub origin: [usize; 3],
    /// Bytes from row to row; 0 means tight.
    pub row_pitch: usize,
    /// Bytes from slice to slice; 0 means tight.
    pub slice_pitch: usize,
}

/// How the region lies on one side: byte offset of its first byte, and pitches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub offset: usize,
    pub row_pitch: usize,
    pub slice_pitch: usize,
}

fn invalid(sentence: &'static str) -> Error {
    Error::new(Code::InvalidValue, sentence)
}

impl Rectangle {
    /// The source side, checked.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub(crate) fn source(&self) -> Result<Side> {
        self.source.side(self.region)
    }

    /// The destination side, checked.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub(crate) fn destination(&self) -> Result<Side> {
        self.destination.side(self.region)
    }
}

impl Placement {
    fn side(self, region: [usize; 3]) -> Result<Side> {
        let Self {
            origin,
            row_pitch,
            slice_pitch,
        } = self;
        let [width, height, depth] = region;
        if width == 0 || height == 0 || depth == 0 {
            return Err(invalid("an element of region is 0"));
        }
        let row_pitch = if row_pitch == 0 { width } else { row_pitch };
        if row_pitch < width {
            return Err(invalid("a row pitch is less than region[0]"));
        }
        let too_large = || invalid("the region is larger than memory");
        let slice = row_pitch.checked_mul(height).ok_or_else(too_large)?;
        let slice_pitch = if slice_pitch == 0 { slice } else { slice_pitch };
        if slice_pitch < slice || !slice_pitch.is_multiple_of(row_pitch) {
            return Err(invalid(
                "a slice pitch is less than region[1] rows, or no whole number of rows",
            ));
        }
        let offset = || {
            origin[2]
                .checked_mul(slice_pitch)?
                .checked_add(origin[1].checked_mul(row_pitch)?)?
                .checked_add(origin[0])
        };
        let side = Side {
            offset: offset().ok_or_else(too_large)?,
            row_pitch,
            slice_pitch,
        };
        side.end(region).ok_or_else(too_large)?;
        Ok(side)
    }
}

impl Side {
    /// Offset of the byte after the last one. None if no memory is that large.
    pub fn end(&self, region: [usize; 3]) -> Option<usize> {
        let [width, height, depth] = region;
        (depth - 1)
            .checked_mul(self.slice_pitch)?
            .checked_add((height - 1).checked_mul(self.row_pitch)?)?
            .checked_add(width)?
            .checked_add(self.offset)
    }
}

/// Whether two places of the same region in one memory have bytes in common. Sides
/// with different pitches count as overlapping if their spans do.
pub(crate) fn overlap(a: Side, b: Side, region: [usize; 3]) -> bool {
    let spans = |side: &Side| (side.offset, side.end(region).unwrap_or(usize::MAX));
    let ((a_start, a_end), (b_start, b_end)) = (spans(&a), spans(&b));
    if a_end <= b_start || b_end <= a_start {
        return false;
    }
    if a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch {
        return true;
    }
    // Row (y, z) of one meets row (y + dy, z + dz) of the other if they begin less
    // than a row's width apart.
    let wide = |value: usize| value as i128;
    let [width, height, depth] = region.map(wide);
    let distance = wide(b.offset) - wide(a.offset);
    (1 - depth..depth).any(|dz| {
        let rest = distance - dz * wide(a.slice_pitch);
        let nearest = rest.div_euclid(wide(a.row_pitch));
        [nearest, nearest + 1]
            .into_iter()
            .filter(|dy| dy.abs() < height)
            .any(|dy| (rest - dy * wide(a.row_pitch)).abs() < width)
    })
}

/// Copies the region from side to side.
///
/// # Safety
/// All bytes of the region must be readable and writable there.
pub(crate) unsafe fn copy(
    source: HostPointer,
    from: Side,
    destination: HostPointer,
    to: Side,
    region: [usize; 3],
) {
    let [width, height, depth] = region;
    let tight = |side: Side| side.row_pitch == width;
    for z in 0..depth {
        let source = source.0.wrapping_add(from.offset + z * from.slice_pitch);
        let destination = destination.0.wrapping_add(to.offset + z * to.slice_pitch);
        if tight(from) && tight(to) {
            // SAFETY: as the caller promises.
            unsafe { std::ptr::copy(source, destination, width * height) };
            continue;
        }
        for y in 0..height {
            // SAFETY: as the caller promises.
            unsafe {
                std::ptr::copy(
                    source.add(y * from.row_pitch),
                    destination.add(y * to.row_pitch),
                    width,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn bytes(side: Side, region: [usize; 3]) -> Vec<usize> {
        let mut bytes = Vec::new();
        for z in 0..region[2] {
            for y in 0..region[1] {
                for x in 0..region[0] {
                    bytes.push(side.offset + z * side.slice_pitch + y * side.row_pitch + x);
                }
            }
        }
        bytes
    }

    #[test]
    fn overlap_is_found_exactly_for_equal_pitches() {
        for region in [[3, 2, 2], [4, 1, 1], [1, 4, 2], [5, 3, 1]] {
            for a in 0..40 {
                for b in 0..40 {
                    let side = |offset| Side {
                        offset,
                        row_pitch: 5,
                        slice_pitch: 20,
                    };
                    let (a, b) = (side(a), side(b));
                    let of_a: HashSet<_> = bytes(a, region).into_iter().collect();
                    let meet = bytes(b, region).iter().any(|byte| of_a.contains(byte));
                    assert_eq!(overlap(a, b, region), meet, "{a:?} {b:?} {region:?}");
                }
            }
        }
    }

    #[test]
    fn copies_what_the_naive_loop_copies() {
        let region = [3, 4, 2];
        let rectangle = Rectangle {
            region,
            source: Placement {
                origin: [1, 2, 1],
                row_pitch: 7,
                slice_pitch: 70,
            },
            destination: Placement {
                origin: [2, 0, 1],
                row_pitch: 0,
                slice_pitch: 15,
            },
        };
        let (from, to) = (
            rectangle.source().unwrap(),
            rectangle.destination().unwrap(),
        );
        let mut source: Vec<u8> = (0..=255).collect();
        let mut destination = vec![0u8; 256];
        // SAFETY: both sides lie within 256 bytes.
        unsafe {
            copy(
                HostPointer(source.as_mut_ptr()),
                from,
                HostPointer(destination.as_mut_ptr()),
                to,
                region,
            );
        }
        let mut expected = vec![0u8; 256];
        for (from, to) in bytes(from, region).into_iter().zip(bytes(to, region)) {
            expected[to] = source[from];
        }
        assert_eq!(destination, expected);
    }

    #[test]
    fn impossible_pitches_are_refused() {
        let region = [4, 4, 2];
        let good = Placement {
            origin: [0; 3],
            row_pitch: 8,
            slice_pitch: 32,
        };
        assert!(good.side(region).is_ok());
        let bad = [
            Placement {
                row_pitch: 3,
                ..good
            },
            Placement {
                slice_pitch: 24,
                ..good
            },
            Placement {
                slice_pitch: 36,
                ..good
            },
            Placement {
                origin: [0, usize::MAX, 0],
                ..good
            },
        ];
        for placement in bad {
            let error = placement.side(region).unwrap_err();
            assert_eq!(error.code, Code::InvalidValue);
        }
        assert_eq!(good.side([4, 0, 2]).unwrap_err().code, Code::InvalidValue);
    }
}
