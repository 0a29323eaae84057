//! An image as a list of bytes.

use harness::random::Random;

/// Pixels of `bytes` bytes each, rows and slices without padding.
#[derive(Clone)]
pub struct Model {
    /// Pixels along each axis.
    pub extent: [usize; 3],
    /// Size of a pixel, in bytes.
    pub bytes: usize,
    /// The bytes of all pixels.
    pub pixels: Vec<u8>,
}

impl Model {
    /// Random pixels.
    pub fn new(extent: [usize; 3], bytes: usize, random: &mut Random) -> Self {
        let pixels = random.bytes(extent.iter().product::<usize>() * bytes);
        Self {
            extent,
            bytes,
            pixels,
        }
    }

    /// A random part of the image.
    pub fn part(&self, random: &mut Random) -> [[usize; 3]; 2] {
        let region = self
            .extent
            .map(|size| 1 + random.below(size as u32) as usize);
        let origin = [0, 1, 2]
            .map(|axis| random.below((self.extent[axis] - region[axis] + 1) as u32) as usize);
        [origin, region]
    }

    /// The ranges of bytes of a part's rows.
    fn rows(&self, [origin, region]: [[usize; 3]; 2]) -> Vec<std::ops::Range<usize>> {
        let [width, height, _] = self.extent;
        let mut rows = Vec::new();
        for z in origin[2]..origin[2] + region[2] {
            for y in origin[1]..origin[1] + region[1] {
                let first = ((z * height + y) * width + origin[0]) * self.bytes;
                rows.push(first..first + region[0] * self.bytes);
            }
        }
        rows
    }

    /// The pixels of a part.
    pub fn get(&self, part: [[usize; 3]; 2]) -> Vec<u8> {
        let rows = self.rows(part).into_iter();
        rows.flat_map(|row| self.pixels[row].to_vec()).collect()
    }

    /// Changes the pixels of a part.
    pub fn set(&mut self, part: [[usize; 3]; 2], pixels: &[u8]) {
        let rows = self.rows(part);
        let bytes = part[1][0] * self.bytes;
        for (row, pixels) in rows.into_iter().zip(pixels.chunks(bytes)) {
            self.pixels[row].copy_from_slice(pixels);
        }
    }
}

/// The offsets of a region's rows with these pitches. The second axis of an array of
/// one-dimensional images has the pitch of slices.
pub fn starts(region: [usize; 3], pitches: [usize; 2], of_lines: bool) -> Vec<usize> {
    let [row, slice] = pitches;
    let mut starts = Vec::new();
    for z in 0..region[2] {
        for y in 0..region[1] {
            starts.push(if of_lines {
                y * slice
            } else {
                z * slice + y * row
            });
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::{Model, starts};
    use harness::random::Random;

    #[test]
    fn parts_come_back_as_they_were_set() {
        let mut random = Random::new(1);
        let mut model = Model::new([5, 4, 3], 2, &mut random);
        let part = [[1, 2, 0], [3, 2, 2]];
        let pixels: Vec<u8> = (0..24).collect();
        model.set(part, &pixels);
        assert_eq!(model.get(part), pixels);
        // The last row of the first slice.
        assert_eq!(model.pixels[32..38], [6, 7, 8, 9, 10, 11]);
    }

    #[test]
    fn rows_begin_at_their_pitches() {
        assert_eq!(starts([2, 2, 2], [10, 100], false), [0, 10, 100, 110]);
        assert_eq!(starts([2, 3, 1], [10, 100], true), [0, 100, 200]);
    }
}
