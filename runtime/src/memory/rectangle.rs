//! Rectangular regions of buffers and host memory (OpenCL 1.2, 5.2.4).

use crate::error::{Code, Error, Result};
use crate::memory::mem_object::HostPointer;
use fault_injection::Defect;
use host_exec::parallel_copy;
use std::ops::Range;

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
pub(crate) struct RectLayout {
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
    pub(crate) fn source(&self) -> Result<RectLayout> {
        self.source.side(self.region)
    }

    /// The destination side, checked.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub(crate) fn destination(&self) -> Result<RectLayout> {
        self.destination.side(self.region)
    }
}

impl Placement {
    fn side(self, region: [usize; 3]) -> Result<RectLayout> {
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
        let slice_pitch =
            if slice_pitch == 0 || fault_injection::is_active(Defect::IgnoredSlicePitches) {
                slice
            } else {
                slice_pitch
            };
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
        let side = RectLayout {
            offset: offset().ok_or_else(too_large)?,
            row_pitch,
            slice_pitch,
        };
        side.end(region).ok_or_else(too_large)?;
        Ok(side)
    }
}

impl RectLayout {
    /// `size` bytes from `offset` on.
    pub fn line(offset: usize, size: usize) -> Self {
        Self {
            offset,
            row_pitch: size,
            slice_pitch: size,
        }
    }

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

/// Bytes of a memory in rows of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StridedRange {
    side: RectLayout,
    /// Bytes of a row, rows of a slice, slices. None is 0, but a lone row may be empty.
    region: [usize; 3],
}

impl StridedRange {
    /// A region where it lies, with as few rows as can be.
    pub fn new(side: RectLayout, region: [usize; 3]) -> Self {
        let mut rows = Self { side, region };
        rows.join_rows();
        if rows.region[1] == 1 {
            // Slices of one row each are rows of one slice.
            let [width, _, depth] = rows.region;
            rows.region = [width, depth, 1];
            rows.side.row_pitch = side.slice_pitch;
            rows.join_rows();
            let [width, height, _] = rows.region;
            if height == 1 {
                rows.side.row_pitch = width;
            }
        }
        let [_, height, depth] = rows.region;
        if depth == 1 {
            // Whatever it was: the images of a 1D array are rows a slice pitch apart.
            rows.side.slice_pitch = rows.side.row_pitch.saturating_mul(height);
        }
        rows
    }

    /// StridedRange that lie end to end are one.
    fn join_rows(&mut self) {
        let [width, height, _] = &mut self.region;
        if self.side.row_pitch == *width {
            *width *= *height;
            *height = 1;
        }
    }

    /// The same, `distance` bytes further on.
    pub fn moved(mut self, distance: usize) -> Self {
        self.side.offset += distance;
        self
    }

    /// From the first byte to the one after the last.
    pub fn range(&self) -> Range<usize> {
        self.side.offset..self.side.end(self.region).unwrap_or(usize::MAX)
    }

    /// Bytes in all rows.
    pub fn bytes(&self) -> usize {
        self.region.iter().product()
    }

    /// Whether the two have bytes in common.
    pub fn meet(&self, other: &Self) -> bool {
        let (own, others) = (self.range(), other.range());
        if own.is_empty() || others.is_empty() {
            return false;
        }
        if own.end <= others.start || others.end <= own.start {
            return false;
        }
        let flat = self.region[2] == 1 && other.region[2] == 1;
        if self.side.row_pitch == other.side.row_pitch
            && (flat || self.side.slice_pitch == other.side.slice_pitch)
        {
            return self.meet_in_step(other);
        }
        let count = |rows: &Self| rows.region[1].saturating_mul(rows.region[2]);
        let (few, many) = if count(self) < count(other) {
            (self, other)
        } else {
            (other, self)
        };
        let [width, height, depth] = few.region;
        (0..depth).any(|z| {
            (0..height).any(|y| {
                let start = few.side.offset + z * few.side.slice_pitch + y * few.side.row_pitch;
                many.meet_line(start..start + width)
            })
        })
    }

    /// `meet` for equal pitches: row (y, z) of one meets row (y + dy, z + dz) of the other
    /// if they begin less than a row's width apart.
    fn meet_in_step(&self, other: &Self) -> bool {
        let wide = |value: usize| value as i128;
        let [width, height, depth] = self.region.map(wide);
        let [others_width, others_height, others_depth] = other.region.map(wide);
        let (row_pitch, slice_pitch) = (wide(self.side.row_pitch), wide(self.side.slice_pitch));
        let distance = wide(other.side.offset) - wide(self.side.offset);
        (1 - others_depth..depth).any(|dz| {
            let rest = distance - dz * slice_pitch;
            let nearest = rest.div_euclid(row_pitch);
            [nearest, nearest + 1]
                .into_iter()
                .filter(|dy| -others_height < *dy && *dy < height)
                .map(|dy| rest - dy * row_pitch)
                .any(|apart| -others_width < apart && apart < width)
        })
    }

    /// Whether one of the rows has bytes in the range, which is not empty.
    fn meet_line(&self, range: Range<usize>) -> bool {
        let [width, height, depth] = self.region;
        let RectLayout {
            offset,
            row_pitch,
            slice_pitch,
        } = self.side;
        // The first row that ends behind the range's start must begin before its end.
        let lowest = (range.start + 1).saturating_sub(offset + width);
        let (mut z, mut y) = (
            lowest / slice_pitch,
            (lowest % slice_pitch).div_ceil(row_pitch),
        );
        if y >= height {
            (z, y) = (z + 1, 0);
        }
        z < depth && offset + z * slice_pitch + y * row_pitch < range.end
    }
}

/// Copies the region from side to side.
///
/// # Safety
/// All bytes of the region must be readable and writable there.
pub(crate) unsafe fn copy(
    source: HostPointer,
    from: RectLayout,
    destination: HostPointer,
    to: RectLayout,
    region: [usize; 3],
) {
    let [width, height, depth] = region;
    let tight = |side: RectLayout| side.row_pitch == width;
    for z in 0..depth {
        let source = source.0.wrapping_add(from.offset + z * from.slice_pitch);
        let destination = destination.0.wrapping_add(to.offset + z * to.slice_pitch);
        if tight(from) && tight(to) {
            // SAFETY: as the caller promises.
            unsafe { parallel_copy::copy(source, destination, width * height) };
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

    fn bytes(side: RectLayout, region: [usize; 3]) -> Vec<usize> {
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
    fn images_of_a_1d_array_meet() {
        // Two pixels of 4 bytes in a row: pixel 1 of images 1 to 5, and images 4 and 5.
        let side = |offset| RectLayout {
            offset,
            row_pitch: 8,
            slice_pitch: 8,
        };
        let pixels = StridedRange::new(side(12), [4, 5, 1]);
        assert!(pixels.meet(&StridedRange::new(side(32), [8, 2, 1])));
        assert!(!pixels.meet(&StridedRange::new(side(0), [8, 1, 1])));
    }

    #[test]
    fn common_bytes_are_found_exactly() {
        let regions = [
            [3, 2, 2],
            [4, 1, 1],
            [1, 4, 2],
            [5, 3, 1],
            [5, 4, 2],
            [2, 1, 2],
        ];
        let pitches = [(5, 20), (5, 25), (7, 28), (6, 31)];
        let mut shapes = Vec::new();
        for region in regions {
            for (row_pitch, slice_pitch) in pitches {
                for offset in [0, 1, 4, 9, 17, 30, 43] {
                    let side = RectLayout {
                        offset,
                        row_pitch,
                        slice_pitch,
                    };
                    let all: HashSet<_> = bytes(side, region).into_iter().collect();
                    let rows = StridedRange::new(side, region);
                    assert_eq!(rows.bytes(), all.len());
                    assert_eq!(rows.range().start, offset);
                    assert_eq!(Some(rows.range().end - 1), all.iter().max().copied());
                    shapes.push((rows, all));
                }
            }
        }
        for (a, of_a) in &shapes {
            for (b, of_b) in &shapes {
                assert_eq!(a.meet(b), !of_a.is_disjoint(of_b), "{a:?} {b:?}");
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
