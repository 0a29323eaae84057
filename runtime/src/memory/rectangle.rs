//! Rectangular regions of buffers and host memory (OpenCL 1.2, 5.2.2).

use crate::error::{Code, Error, Result};
use crate::fault;
use crate::memory::host_pointer::HostPointer;
use host_exec::parallel_copy;

/// Source, destination and extent of a rectangular copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Bytes per row, rows per slice, and slices to copy.
    pub region: [usize; 3],
    /// Its placement in the source.
    pub source: Placement,
    /// Its placement in the destination.
    pub destination: Placement,
}

/// A region's placement in a buffer or in host memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Offset of the first byte: byte in the row, row, slice.
    pub origin: [usize; 3],
    /// Bytes from row to row; 0 means without padding.
    pub row_pitch: usize,
    /// Bytes from slice to slice; 0 means without padding.
    pub slice_pitch: usize,
}

/// The layout of a region in one memory, in bytes.
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
    /// The checked layout in the source.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub(crate) fn source(&self) -> Result<RectLayout> {
        self.source.layout(self.region)
    }

    /// The checked layout in the destination.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub(crate) fn destination(&self) -> Result<RectLayout> {
        self.destination.layout(self.region)
    }
}

impl Placement {
    fn layout(self, region: [usize; 3]) -> Result<RectLayout> {
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
        let slice_pitch = match fault::slice_pitch(slice_pitch) {
            0 => slice,
            given => given,
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
        let layout = RectLayout {
            offset: offset().ok_or_else(too_large)?,
            row_pitch,
            slice_pitch,
        };
        layout.end(region).ok_or_else(too_large)?;
        Ok(layout)
    }
}

impl RectLayout {
    /// `size` contiguous bytes from `offset` on.
    pub fn contiguous(offset: usize, size: usize) -> Self {
        Self {
            offset,
            row_pitch: size,
            slice_pitch: size,
        }
    }

    /// Offset of the byte after the region's last one; none if it overflows.
    pub fn end(&self, region: [usize; 3]) -> Option<usize> {
        let [width, height, depth] = region;
        (depth - 1)
            .checked_mul(self.slice_pitch)?
            .checked_add((height - 1).checked_mul(self.row_pitch)?)?
            .checked_add(width)?
            .checked_add(self.offset)
    }
}

/// Copies a region between two memories.
///
/// # Safety
/// All bytes of the region must be readable in the source and writable in the destination.
pub(crate) unsafe fn copy(
    source: HostPointer,
    from: RectLayout,
    destination: HostPointer,
    to: RectLayout,
    region: [usize; 3],
) {
    let [width, height, depth] = region;
    let has_no_padding = |layout: RectLayout| layout.row_pitch == width;
    for z in 0..depth {
        let source = source.0.wrapping_add(from.offset + z * from.slice_pitch);
        let destination = destination.0.wrapping_add(to.offset + z * to.slice_pitch);
        if has_no_padding(from) && has_no_padding(to) {
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

/// Sets the bytes of a region to zero.
///
/// # Safety
/// All bytes of the region must be writable.
pub(crate) unsafe fn clear(start: HostPointer, layout: RectLayout, region: [usize; 3]) {
    let [width, height, depth] = region;
    for z in 0..depth {
        for y in 0..height {
            let row = layout.offset + z * layout.slice_pitch + y * layout.row_pitch;
            // SAFETY: as the caller promises.
            unsafe { start.offset(row).0.write_bytes(0, width) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // SAFETY: both layouts lie within 256 bytes.
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
        assert!(good.layout(region).is_ok());
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
            let error = placement.layout(region).unwrap_err();
            assert_eq!(error.code, Code::InvalidValue);
        }
        assert_eq!(good.layout([4, 0, 2]).unwrap_err().code, Code::InvalidValue);
    }
}
