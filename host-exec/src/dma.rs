//! Performs DMA transfers on the host: at once and in full.

use crate::fault;
use device_sim::dma::Transfer;

/// Copies the rows of a transfer.
///
/// # Safety
/// All rows must be readable at the source and writable at the destination.
// Rows of 64 bytes take a few nanoseconds: a call, and a transfer passed through memory, would
// cost a quarter of a tiled kernel's time.
#[inline(always)]
pub unsafe fn copy(transfer: &Transfer) {
    let Transfer {
        destination,
        destination_stride,
        source,
        source_stride,
        row_bytes,
        ..
    } = *transfer;
    let rows = fault::rows_to_copy(transfer.rows);
    if transfer.is_contiguous() {
        // SAFETY: the rows lie end to end on both sides. `copy`, since a program may
        // copy a range onto itself.
        unsafe { std::ptr::copy(source, destination, (rows * row_bytes) as usize) };
        return;
    }
    macro_rules! elements {
        ($($bytes:literal => $element:ty),*) => {
            match row_bytes {
                $($bytes => for row in 0..rows as usize {
                    // SAFETY: as the caller promises; elements may lie unaligned.
                    unsafe {
                        let element = source
                            .add(row * source_stride as usize)
                            .cast::<$element>()
                            .read_unaligned();
                        destination
                            .add(row * destination_stride as usize)
                            .cast::<$element>()
                            .write_unaligned(element);
                    }
                },)*
                _ => for row in 0..rows as usize {
                    // SAFETY: as the caller promises.
                    unsafe {
                        std::ptr::copy(
                            source.add(row * source_stride as usize),
                            destination.add(row * destination_stride as usize),
                            row_bytes as usize,
                        );
                    }
                },
            }
        };
    }
    // Strided copies move single elements of OpenCL types; calls of `memmove` for
    // each would cost several times the move.
    elements!(1 => u8, 2 => u16, 4 => u32, 8 => u64, 16 => u128);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(row: usize, from: usize, to: usize, rows: usize) -> Vec<u8> {
        let source: Vec<u8> = (0..200).collect();
        let mut destination = vec![255u8; 200];
        // SAFETY: all rows lie within the two vectors.
        unsafe {
            copy(&Transfer {
                destination: destination.as_mut_ptr(),
                destination_stride: to as u64,
                source: source.as_ptr(),
                source_stride: from as u64,
                row_bytes: row as u64,
                rows: rows as u64,
                event: std::ptr::null(),
            });
        }
        for (place, &byte) in destination.iter().enumerate() {
            let (at, within) = (place / to.max(1), place % to.max(1));
            let expected = if at < rows && within < row {
                (at * from + within) as u8
            } else {
                255
            };
            assert_eq!(byte, expected, "byte {place} of {row} {from} {to} {rows}");
        }
        destination
    }

    #[test]
    fn rows_go_from_stride_to_stride() {
        for row in [1, 2, 3, 4, 7, 8, 16, 24] {
            moved(row, row, row, 5);
            moved(row, row + 3, row, 5);
            moved(row, row, row + 9, 5);
            moved(row, row + 5, row + 1, 5);
        }
    }

    #[test]
    fn nothing_is_moved_for_no_rows() {
        assert!(moved(4, 4, 4, 0).iter().all(|&byte| byte == 255));
        assert!(moved(4, 8, 4, 0).iter().all(|&byte| byte == 255));
    }
}
