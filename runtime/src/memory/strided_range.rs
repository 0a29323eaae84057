//! The bytes of a rectangular region, and whether two of them overlap.

use crate::memory::rectangle::RectLayout;
use crate::memory::residency::AccessedRange;
use std::ops::Range;

/// Rows of equal length in a data store: what a rectangular region occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StridedRange {
    layout: RectLayout,
    /// Bytes of a row, rows of a slice, slices. None is 0, except that a single row may be empty.
    region: [usize; 3],
}

impl StridedRange {
    /// The region at its place, in the smallest number of rows.
    pub fn new(layout: RectLayout, region: [usize; 3]) -> Self {
        let mut rows = Self { layout, region };
        rows.join_rows();
        if rows.region[1] == 1 {
            // Slices of one row each are rows of one slice.
            let [width, _, depth] = rows.region;
            rows.region = [width, depth, 1];
            rows.layout.row_pitch = layout.slice_pitch;
            rows.join_rows();
            let [width, height, _] = rows.region;
            if height == 1 {
                rows.layout.row_pitch = width;
            }
        }
        let [_, height, depth] = rows.region;
        if depth == 1 {
            // The given pitch may differ: images of a 1D array are rows a slice pitch apart.
            rows.layout.slice_pitch = rows.layout.row_pitch.saturating_mul(height);
        }
        rows
    }

    /// Joins rows without padding to one.
    fn join_rows(&mut self) {
        let [width, height, _] = &mut self.region;
        if self.layout.row_pitch == *width {
            *width *= *height;
            *height = 1;
        }
    }

    /// The same rows, moved by `distance` bytes towards higher offsets.
    pub fn moved(mut self, distance: usize) -> Self {
        self.layout.offset += distance;
        self
    }

    /// The bytes from the first to the last one, including padding.
    pub fn range(&self) -> Range<usize> {
        self.layout.offset..self.layout.end(self.region).unwrap_or(usize::MAX)
    }

    /// Bytes in all rows, without padding.
    pub fn bytes(&self) -> usize {
        self.region.iter().product()
    }

    /// Whether the two have bytes in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (own, others) = (self.range(), other.range());
        if own.is_empty() || others.is_empty() {
            return false;
        }
        if own.end <= others.start || others.end <= own.start {
            return false;
        }
        let flat = self.region[2] == 1 && other.region[2] == 1;
        if self.layout.row_pitch == other.layout.row_pitch
            && (flat || self.layout.slice_pitch == other.layout.slice_pitch)
        {
            return self.overlaps_with_equal_pitches(other);
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
                let start =
                    few.layout.offset + z * few.layout.slice_pitch + y * few.layout.row_pitch;
                many.overlaps_bytes(start..start + width)
            })
        })
    }

    /// `overlaps` for equal pitches: row (y, z) of one overlaps row (y + dy, z + dz) of the
    /// other if they begin less than a row's width apart.
    fn overlaps_with_equal_pitches(&self, other: &Self) -> bool {
        let wide = |value: usize| value as i128;
        let [width, height, depth] = self.region.map(wide);
        let [others_width, others_height, others_depth] = other.region.map(wide);
        let (row_pitch, slice_pitch) = (wide(self.layout.row_pitch), wide(self.layout.slice_pitch));
        let distance = wide(other.layout.offset) - wide(self.layout.offset);
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
    fn overlaps_bytes(&self, range: Range<usize>) -> bool {
        let [width, height, depth] = self.region;
        let RectLayout {
            offset,
            row_pitch,
            slice_pitch,
        } = self.layout;
        // The first row that ends after the range's start has to begin before its end.
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

impl From<StridedRange> for AccessedRange {
    fn from(rows: StridedRange) -> Self {
        Self {
            range: rows.range(),
            bytes: rows.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn bytes(layout: RectLayout, region: [usize; 3]) -> Vec<usize> {
        let mut bytes = Vec::new();
        for z in 0..region[2] {
            for y in 0..region[1] {
                for x in 0..region[0] {
                    bytes.push(layout.offset + z * layout.slice_pitch + y * layout.row_pitch + x);
                }
            }
        }
        bytes
    }

    #[test]
    fn overlaps_of_images_of_a_1d_array_are_found() {
        // Two pixels of 4 bytes per row: pixel 1 of images 1 to 5, and images 4 and 5.
        let layout = |offset| RectLayout {
            offset,
            row_pitch: 8,
            slice_pitch: 8,
        };
        let pixels = StridedRange::new(layout(12), [4, 5, 1]);
        assert!(pixels.overlaps(&StridedRange::new(layout(32), [8, 2, 1])));
        assert!(!pixels.overlaps(&StridedRange::new(layout(0), [8, 1, 1])));
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
                    let layout = RectLayout {
                        offset,
                        row_pitch,
                        slice_pitch,
                    };
                    let all: HashSet<_> = bytes(layout, region).into_iter().collect();
                    let rows = StridedRange::new(layout, region);
                    assert_eq!(rows.bytes(), all.len());
                    assert_eq!(rows.range().start, offset);
                    assert_eq!(Some(rows.range().end - 1), all.iter().max().copied());
                    shapes.push((rows, all));
                }
            }
        }
        for (a, of_a) in &shapes {
            for (b, of_b) in &shapes {
                assert_eq!(a.overlaps(b), !of_a.is_disjoint(of_b), "{a:?} {b:?}");
            }
        }
    }
}
