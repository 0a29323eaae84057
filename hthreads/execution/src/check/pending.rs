//! Transfers that have not been waited for, and what they read and write.

/// Rows in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The lowest address.
    start: usize,
    count: u64,
    row_bytes: usize,
    /// From a row to the next one, by address.
    stride: usize,
}

impl Rows {
    /// A number of rows of equal size, the first one at the lowest address.
    pub fn new(start: usize, count: u64, row_bytes: usize, stride: usize) -> Self {
        Self {
            start,
            count,
            row_bytes,
            stride,
        }
    }

    /// Bytes without a gap.
    pub fn bytes(start: usize, bytes: usize) -> Self {
        Self {
            start,
            count: 1,
            row_bytes: bytes,
            stride: 0,
        }
    }

    /// Where each row starts, and its size.
    pub fn each(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.starts().map(|start| (start, self.row_bytes))
    }

    fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).map(|row| self.start + row as usize * self.stride)
    }

    fn extent(&self) -> usize {
        (self.count - 1) as usize * self.stride + self.row_bytes
    }

    /// Whether at least one of the bytes at an address belongs to a row.
    fn touches(&self, address: usize, bytes: usize) -> bool {
        if bytes == 0 || address + bytes <= self.start || address >= self.start + self.extent() {
            return false;
        }
        let Some(offset) = address.checked_sub(self.start) else {
            return true;
        };
        if self.stride == 0 {
            return offset < self.row_bytes;
        }
        // The last row that begins at the address or before; rows may overlap.
        let row = (offset / self.stride).min(self.count as usize - 1);
        let in_row = offset - row * self.stride;
        in_row < self.row_bytes
            || (row + 1 < self.count as usize && (row + 1) * self.stride < offset + bytes)
    }

    /// Whether a byte is in rows of both.
    pub fn meet(&self, other: &Self) -> bool {
        let (few, many) = match self.count <= other.count {
            true => (self, other),
            false => (other, self),
        };
        few.starts().any(|start| many.touches(start, few.row_bytes))
    }
}

/// A transfer that has not been waited for.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// Its channel.
    pub channel: u32,
    /// The number of the place that started it.
    pub site: u64,
    /// What it reads.
    pub source: Rows,
    /// What it writes.
    pub destination: Rows,
}

/// What an access conflicts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// What a transfer writes.
    OfDestination,
    /// What a transfer reads, which the access writes.
    OfSource,
}

impl Pending {
    /// Whether bytes are between the first and the last that it accesses in a memory.
    pub fn is_near(&self, address: usize, bytes: usize) -> bool {
        let is_near =
            |rows: &Rows| address < rows.start + rows.extent() && rows.start < address + bytes;
        is_near(&self.destination) || is_near(&self.source)
    }

    /// How an access of rows conflicts with it.
    pub fn conflict(&self, rows: &Rows, writes: bool) -> Option<Conflict> {
        if self.destination.meet(rows) {
            return Some(Conflict::OfDestination);
        }
        (writes && self.source.meet(rows)).then_some(Conflict::OfSource)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_between_rows_are_free() {
        let rows = Rows::new(100, 3, 4, 10);
        let touched: Vec<usize> = (90..130).filter(|at| rows.touches(*at, 2)).collect();
        let near = |start: usize| start - 1..start + 4;
        let expected: Vec<usize> = near(100).chain(near(110)).chain(near(120)).collect();
        assert_eq!(touched, expected);
        assert!(!rows.touches(104, 6) && rows.touches(104, 7) && !rows.touches(100, 0));
        let others = Rows { start: 104, ..rows };
        assert!(!rows.meet(&others));
        assert!(rows.meet(&Rows { start: 103, ..rows }));
        assert!(rows.meet(&Rows::bytes(123, 50)) && !rows.meet(&Rows::bytes(124, 50)));
    }

    #[test]
    fn rows_may_overlap_each_other() {
        let rows = Rows::new(100, 3, 4, 2);
        let touched: Vec<usize> = (90..120).filter(|at| rows.touches(*at, 1)).collect();
        assert_eq!(touched, (100..108).collect::<Vec<_>>());
    }
}
