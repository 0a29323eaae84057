//! DMA transfers as device code requests them.

use std::ffi::c_void;
use std::ops::Range;

/// A transfer of rows of equal size, with a stride on both sides: the machine's point-to-point
/// mode with 2-D addressing (hthreads' `dma_p2p`).
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// First byte written.
    pub destination: *mut u8,
    /// Bytes from the begin of a row to the next at the destination.
    pub destination_stride: u64,
    /// First byte read.
    pub source: *const u8,
    /// Bytes from the begin of a row to the next at the source.
    pub source_stride: u64,
    /// Bytes of a row.
    pub row_bytes: u64,
    /// Number of rows.
    pub rows: u64,
    /// The event that the transfer is added to; null or unknown: a new one.
    pub event: *const c_void,
}

impl Transfer {
    /// Whether the rows lie end to end on both sides.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.row_bytes == self.destination_stride && self.row_bytes == self.source_stride
    }

    /// Addresses from the first byte read to the last.
    pub fn source_range(&self) -> Range<usize> {
        self.range(self.source.addr(), self.source_stride)
    }

    /// Addresses from the first byte written to the last.
    pub fn destination_range(&self) -> Range<usize> {
        self.range(self.destination.addr(), self.destination_stride)
    }

    fn range(&self, start: usize, stride: u64) -> Range<usize> {
        let bytes = self
            .rows
            .checked_sub(1)
            .map_or(0, |others| others * stride + self.row_bytes);
        start..start + bytes as usize
    }
}

/// Numbers the events of a work-group's transfers, from 1. A program's event is its number.
#[derive(Debug, Default)]
pub struct EventNumbers {
    count: usize,
}

impl EventNumbers {
    /// Number of `event`, or of a new event if no transfer has that one.
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
