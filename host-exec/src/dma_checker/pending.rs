//! The transfers of a group that it has not waited for.

use super::watched::{Intervals, LISTS, WatchedList, WatchedMemory};
use device_sim::dma::{EventNumbers, Transfer};
use std::ops::Range;

/// Rows of memory at equal distances.
#[derive(Clone, Copy, Debug)]
struct Rows {
    start: usize,
    row_bytes: usize,
    stride: usize,
    count: usize,
}

impl Rows {
    fn of_source(transfer: &Transfer) -> Self {
        Self {
            start: transfer.source.addr(),
            row_bytes: transfer.row_bytes as usize,
            stride: transfer.source_stride as usize,
            count: transfer.rows as usize,
        }
    }

    fn of_destination(transfer: &Transfer) -> Self {
        Self {
            start: transfer.destination.addr(),
            stride: transfer.destination_stride as usize,
            ..Self::of_source(transfer)
        }
    }

    fn rows(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(move |row| {
            let start = self.start + row * self.stride;
            start..start + self.row_bytes
        })
    }

    /// Whether a range overlaps a row.
    fn overlap(self, range: &Range<usize>) -> bool {
        let Some(last) = self.count.checked_sub(1) else {
            return false;
        };
        // The last row that begins before the range's end.
        let Some(before_end) = range.end.checked_sub(self.start + 1) else {
            return false;
        };
        let row = before_end.checked_div(self.stride).unwrap_or(last);
        let start = self.start + row.min(last) * self.stride;
        range.start < start + self.row_bytes && start < range.end
    }
}

/// What an access does before a transfer has been waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conflict {
    /// It accesses the transfer's destination.
    OfDestination,
    /// It writes the transfer's source.
    OfSource,
}

/// A transfer that has not been waited for.
#[derive(Debug)]
pub struct Pending {
    /// Number of the place that starts it.
    pub site: u64,
    /// Number of the object that it writes.
    pub object: u64,
    event: usize,
    transfer: Transfer,
}

impl Pending {
    /// Number of its event.
    pub fn event(&self) -> usize {
        self.event
    }

    /// What it copies.
    pub fn transfer(&self) -> &Transfer {
        &self.transfer
    }

    /// How an access conflicts with the transfer.
    pub fn conflict(&self, accessed: &Range<usize>, writes: bool) -> Option<Conflict> {
        match () {
            () if Rows::of_destination(&self.transfer).overlap(accessed) => {
                Some(Conflict::OfDestination)
            }
            () if writes && Rows::of_source(&self.transfer).overlap(accessed) => {
                Some(Conflict::OfSource)
            }
            () => None,
        }
    }

    /// How a later transfer conflicts with this one.
    fn conflict_with(&self, later: &Transfer) -> Option<Conflict> {
        let of_rows = |rows: Rows, writes| rows.rows().find_map(|row| self.conflict(&row, writes));
        of_rows(Rows::of_destination(later), true)
            .or_else(|| of_rows(Rows::of_source(later), false))
    }
}

/// The transfers of a group that it has not waited for, and where code looks for them.
#[derive(Debug, Default)]
pub struct PendingTransfers {
    pending: Vec<Pending>,
    events: EventNumbers,
    /// Addresses of local memory.
    local_memory: Range<usize>,
    /// What each `WatchedList` has to hold.
    accessed: [Intervals; LISTS],
}

impl PendingTransfers {
    /// Of a group whose local memory has these addresses.
    pub fn new(local_memory: Range<usize>) -> Self {
        Self {
            local_memory,
            ..Self::default()
        }
    }

    /// All of them, in the order of their starts.
    pub fn iter(&self) -> impl Iterator<Item = &Pending> {
        self.pending.iter()
    }

    /// Adds a transfer; the number of its event.
    pub fn start(&mut self, transfer: &Transfer, site: u64, object: u64) -> usize {
        let event = self.events.of_transfer(transfer.event);
        self.pending.push(Pending {
            site,
            object,
            event,
            transfer: *transfer,
        });
        self.add_accesses(transfer);
        event
    }

    /// Ends the transfers of an event.
    pub fn wait(&mut self, event: usize) {
        self.pending.retain(|pending| pending.event != event);
        self.accessed = Default::default();
        for number in 0..self.pending.len() {
            let transfer = self.pending[number].transfer;
            self.add_accesses(&transfer);
        }
    }

    /// The transfers that a later one conflicts with.
    pub fn conflicts(&self, later: &Transfer) -> Vec<(&Pending, Conflict)> {
        let overlap = |range: Range<usize>, writes: bool| {
            let is_local = self.local_memory.contains(&range.start);
            self.accessed[WatchedList::select(is_local, writes) as usize].overlap(&range)
        };
        if !overlap(later.destination_range(), true) && !overlap(later.source_range(), false) {
            return Vec::new();
        }
        self.pending
            .iter()
            .filter_map(|pending| Some((pending, pending.conflict_with(later)?)))
            .collect()
    }

    fn add_accesses(&mut self, transfer: &Transfer) {
        let mut add = |range: Range<usize>, writes: bool| {
            let is_local = self.local_memory.contains(&range.start);
            let list = WatchedList::select(is_local, writes);
            self.accessed[list as usize].add(range);
        };
        add(transfer.destination_range(), false);
        add(transfer.destination_range(), true);
        add(transfer.source_range(), true);
    }

    /// Has code watch the transfers.
    pub fn watch(&self, watched: &mut WatchedMemory) {
        for is_local in [true, false] {
            for writes in [true, false] {
                let list = WatchedList::select(is_local, writes);
                watched.watch(list, &self.accessed[list as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(to: usize, from: usize, stride: u64, rows: u64) -> Transfer {
        Transfer {
            destination: std::ptr::without_provenance_mut(to),
            destination_stride: 16,
            source: std::ptr::without_provenance(from),
            source_stride: stride,
            row_bytes: 16,
            rows,
            event: std::ptr::null(),
        }
    }

    #[test]
    fn only_rows_conflict() {
        let mut transfers = PendingTransfers::default();
        let event = transfers.start(&transfer(1024, 4096, 64, 4), 7, 0);
        let conflict =
            |range: Range<usize>, writes| transfers.iter().find_map(|p| p.conflict(&range, writes));
        assert_eq!(conflict(1020..1024, true), None);
        assert_eq!(conflict(1020..1025, false), Some(Conflict::OfDestination));
        assert_eq!(conflict(1087..1091, true), Some(Conflict::OfDestination));
        assert_eq!(conflict(1088..1092, true), None);
        assert_eq!(conflict(4096..4100, false), None);
        assert_eq!(conflict(4096..4100, true), Some(Conflict::OfSource));
        assert_eq!(conflict(4112..4160, true), None);
        assert_eq!(conflict(4112..4161, true), Some(Conflict::OfSource));
        assert_eq!(conflict(4288..4292, true), Some(Conflict::OfSource));
        assert_eq!(conflict(4352..4356, true), None);
        let with = |later: Transfer| transfers.conflicts(&later).first().map(|(_, what)| *what);
        assert_eq!(with(transfer(2048, 4096, 64, 4)), None);
        assert_eq!(with(transfer(4112, 0, 64, 3)), None);
        assert_eq!(with(transfer(4112, 0, 64, 4)), Some(Conflict::OfSource));
        assert_eq!(
            with(transfer(2048, 1056, 16, 1)),
            Some(Conflict::OfDestination)
        );
        transfers.wait(event);
        assert_eq!(transfers.iter().count(), 0);
    }
}
