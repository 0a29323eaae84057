//! What a transfer moves. Each side is a number of rows of equal size, with a gap from the end of a row
//! to the start of the next that may be negative; both sides have the same number of bytes.

use crate::check::Rows;
use crate::device_thread::DeviceThread;
use crate::exception::{Details, Exception, Raised};

/// Addresses are multiples of this.
const ALIGNMENT: usize = 8;

/// The largest step between cores.
const MAX_STEP: u32 = 24;

/// Bytes that scatter-gather moves for each index.
pub const ELEMENT: usize = 8;

/// One side of a transfer.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The first row.
    pub start: *mut u8,
    /// Number of rows.
    pub rows: u64,
    /// Bytes of a row.
    pub row_bytes: u32,
    /// Bytes from the end of a row to the next.
    pub gap: i32,
}

/// Where memory is, for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the core: AM, SM, and the stacks in them.
    InCore,
    /// Outside.
    Global,
}

impl Side {
    /// One row.
    pub fn row(start: *mut u8, bytes: u32) -> Self {
        Self {
            start,
            rows: 1,
            row_bytes: bytes,
            gap: 0,
        }
    }

    /// The same shape elsewhere.
    pub fn at(self, start: *mut u8) -> Self {
        Self { start, ..self }
    }

    /// All bytes.
    pub fn bytes(&self) -> u64 {
        self.rows.saturating_mul(u64::from(self.row_bytes))
    }

    fn stride(&self) -> i64 {
        i64::from(self.row_bytes) + i64::from(self.gap)
    }

    /// The address of a byte, counted along the rows.
    fn address(&self, byte: u64) -> *mut u8 {
        let (row, column) = (
            byte / u64::from(self.row_bytes),
            byte % u64::from(self.row_bytes),
        );
        let offset = self
            .stride()
            .wrapping_mul(row as i64)
            .wrapping_add(column as i64);
        self.start.wrapping_offset(offset as isize)
    }

    /// The lowest address, and the bytes from there to the end of the highest row.
    pub fn extent(&self) -> (usize, usize) {
        let first = self.start.addr();
        let last = self
            .address(self.bytes() - u64::from(self.row_bytes))
            .addr();
        let end = first.max(last).saturating_add(self.row_bytes as usize);
        (first.min(last), end - first.min(last))
    }

    /// The rows, for checks.
    pub fn as_rows(&self) -> Rows {
        let (start, _) = self.extent();
        let stride = self.stride().unsigned_abs() as usize;
        Rows::new(start, self.rows, self.row_bytes as usize, stride)
    }

    /// Where it is; an error if it extends beyond the memory that it begins in.
    fn place(&self, thread: &DeviceThread) -> Result<Place, Raised> {
        let memory = &thread.member().memory;
        let (start, bytes) = self.extent();
        for (left, cause) in [
            (memory.am.bytes_from(start), "AM overstep"),
            (memory.sm.bytes_from(start), "SM overstep"),
        ] {
            match left {
                Some(left) if bytes > left => return Err(refused(self.start, cause)),
                Some(_) => return Ok(Place::InCore),
                None => (),
            }
        }
        Ok(match thread.stack.contains(&start) {
            true => Place::InCore,
            false => Place::Global,
        })
    }

    /// Whether it is in the core.
    pub fn is_in_core(&self, thread: &DeviceThread) -> bool {
        self.place(thread) == Ok(Place::InCore)
    }

    fn check(&self) -> Result<(), Raised> {
        if self.bytes() == 0 {
            return Err(refused(self.start, "count is 0"));
        }
        if !self.start.addr().is_multiple_of(ALIGNMENT) {
            return Err(refused(self.start, "address is not 64-bit aligned"));
        }
        Ok(())
    }
}

fn refused(address: *mut u8, cause: &'static str) -> Raised {
    Raised {
        exception: Exception::DMA_OVERSTEP,
        address: address.addr() as u64,
        details: Some(Details::Dma(cause)),
    }
}

/// Checks a transfer of `parts` times as many bytes as the destination has.
///
/// # Errors
/// The exception that the engine raises.
pub fn check(
    thread: &DeviceThread,
    source: &Side,
    destination: &Side,
    parts: u32,
) -> Result<(), Raised> {
    source.check()?;
    destination.check()?;
    if source.bytes() != destination.bytes().saturating_mul(u64::from(parts)) {
        return Err(refused(source.start, "Src num != Dst num"));
    }
    let places = (source.place(thread)?, destination.place(thread)?);
    if places == (Place::InCore, Place::InCore) {
        return Err(refused(source.start, "Space swap from in-core to in-core"));
    }
    Ok(())
}

/// Checks the division of a source among `count` cores, in steps of `step`.
///
/// # Errors
/// The exception that the engine raises.
pub fn check_parts(source: &Side, count: u32, step: u32) -> Result<(), Raised> {
    if count == 0 {
        return Err(refused(source.start, "count is 0"));
    }
    if step > MAX_STEP {
        return Err(refused(source.start, "BSTEP > 24"));
    }
    if !source.bytes().is_multiple_of(u64::from(count)) {
        return Err(refused(source.start, "Src is not divisible by BCNT"));
    }
    Ok(())
}

/// Copies to all rows of the destination, from byte `first` of the source on. The order is that of the
/// rows; each piece is contiguous on both sides.
///
/// # Safety
/// All rows can be read at the source, which has enough bytes, and written at the destination.
pub unsafe fn copy(source: &Side, first: u64, destination: &Side) {
    let bytes = destination.bytes();
    let mut at = 0;
    while at < bytes {
        let left =
            |side: &Side, at: u64| u64::from(side.row_bytes) - at % u64::from(side.row_bytes);
        let piece = left(source, first + at).min(left(destination, at));
        // SAFETY: within a row of each. `copy`, since a program may copy a range onto itself.
        unsafe {
            std::ptr::copy(
                source.address(first + at),
                destination.address(at),
                piece as usize,
            );
        }
        at += piece;
    }
}

/// Checks that `bytes` bytes can be gathered from around `base`.
///
/// # Errors
/// The exception that the engine raises.
pub fn check_gather(
    thread: &DeviceThread,
    base: *mut u8,
    bytes: u64,
    destination: &Side,
) -> Result<(), Raised> {
    Side::row(base, ELEMENT as u32).check()?;
    destination.check()?;
    if bytes != destination.bytes() || !bytes.is_multiple_of(ELEMENT as u64) {
        return Err(refused(base, "Src num != Dst num"));
    }
    let source = Side::row(base, ELEMENT as u32).place(thread)?;
    if source != Place::Global || destination.place(thread)? != Place::InCore {
        return Err(refused(base, "SG source not in HBM or GSM"));
    }
    Ok(())
}

/// Gathers 8 bytes from each offset of an index into the rows of `destination`, of those addresses that
/// `may_read` allows.
///
/// # Safety
/// `index` has an offset for each 8 bytes of `destination`, which has `bytes` that can be written; the
/// offsets lead to bytes that can be read.
pub unsafe fn gather(
    base: *mut u8,
    index: *const i32,
    bytes: u64,
    destination: &Side,
    may_read: impl Fn(usize) -> bool,
) {
    for (number, byte) in (0..bytes).step_by(ELEMENT).enumerate() {
        // SAFETY: as the caller promises. Words may be unaligned, or cross rows of the destination.
        unsafe {
            let offset = index.add(number).read_unaligned();
            let word = base.wrapping_offset(offset as isize);
            if !may_read(word.addr()) {
                continue;
            }
            for part in 0..ELEMENT {
                *destination.address(byte + part as u64) = *word.add(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(source: (u64, u32, i32), destination: (u64, u32, i32)) -> Vec<u8> {
        let mut from: Vec<u8> = (0..64).collect();
        let mut to = vec![0xff; 64];
        let side = |start, (rows, row_bytes, gap)| Side {
            start,
            rows,
            row_bytes,
            gap,
        };
        // SAFETY: the tests' rows are within the vectors.
        unsafe {
            copy(
                &side(from.as_mut_ptr(), source),
                0,
                &side(to.as_mut_ptr(), destination),
            );
        }
        to
    }

    #[test]
    fn rows_are_gathered_spread_and_reshaped() {
        let to = copied((3, 2, 4), (1, 6, 0));
        assert_eq!(to[..7], [0, 1, 6, 7, 12, 13, 0xff]);
        let to = copied((1, 6, 0), (3, 2, 1));
        assert_eq!(to[..9], [0, 1, 0xff, 2, 3, 0xff, 4, 5, 0xff]);
        let to = copied((2, 6, 2), (4, 3, 0));
        assert_eq!(to[..12], [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]);
        // A negative gap repeats a part of each row.
        let to = copied((3, 4, -2), (1, 12, 0));
        assert_eq!(to[..12], [0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]);
    }
}
