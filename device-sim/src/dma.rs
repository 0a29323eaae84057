//! The DMA engine's transfer between memories, as a functional operation: done at
//! once and in full.

use fault_injection::Defect;
use std::ffi::c_void;

/// The events of a work-group's transfers, by number: from 1 on.
#[derive(Debug, Default)]
pub struct Events {
    count: usize,
}

impl Events {
    /// Number of the event of a transfer that is to belong to `event`: that one, or a new one.
    pub fn of_transfer(&mut self, event: *const c_void) -> usize {
        self.number(event).unwrap_or_else(|| {
            self.count += 1;
            self.count
        })
    }

    /// Number of an event, if a transfer has it.
    pub fn number(&self, event: *const c_void) -> Option<usize> {
        Some(event.addr()).filter(|number| (1..=self.count).contains(number))
    }
}

/// Moves `rows` rows of `row_bytes` bytes. A row begins `destination_stride` and
/// `source_stride` bytes after the one before (the machine's point-to-point mode
/// with 2-D addressing on both sides; hthreads' `dma_p2p`). Gives back the event that it is to
/// belong to: it has ended, and nothing waits for it.
///
/// # Safety
/// All rows must be readable at the source and writable at the destination. Compiled
/// kernels call this with what the OpenCL program gave to `async_work_group_copy`.
pub unsafe extern "C" fn transfer(
    destination: *mut u8,
    destination_stride: u64,
    source: *const u8,
    source_stride: u64,
    row_bytes: u64,
    rows: u64,
    event: *const c_void,
) -> *const c_void {
    let rows = rows.saturating_sub(fault_injection::has(Defect::ShortGroupCopies).into());
    if row_bytes == destination_stride && row_bytes == source_stride {
        // SAFETY: the rows lie end to end on both sides. `copy`, since a program may
        // copy a range onto itself.
        unsafe { std::ptr::copy(source, destination, (rows * row_bytes) as usize) };
        return event;
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
    event
}

#[cfg(test)]
mod tests {
    use super::transfer;

    fn moved(row: usize, from: usize, to: usize, rows: usize) -> Vec<u8> {
        let source: Vec<u8> = (0..200).collect();
        let mut destination = vec![255u8; 200];
        // SAFETY: all rows lie within the two vectors.
        unsafe {
            transfer(
                destination.as_mut_ptr(),
                to as u64,
                source.as_ptr(),
                from as u64,
                row as u64,
                rows as u64,
                std::ptr::null(),
            );
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
