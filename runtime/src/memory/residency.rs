//! Which memories (the host's, those of clusters, or several at once) hold valid copies of a data
//! store's bytes.
//!
//! All devices of a context share one copy of the bytes on the host, so the host moves nothing.
//! The transfers that the machine would need are computed here; simulated times include their
//! cost.

use crate::memory::transfer::{MemoryLocation, Transfer};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The memories with a valid copy of some bytes, as a bit set; empty while the bytes have never
/// been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ValidCopies(u64);

impl ValidCopies {
    fn only(memory: MemoryLocation) -> Self {
        match memory {
            MemoryLocation::Host => Self(1),
            MemoryLocation::Cluster(number) => Self(2 << number),
        }
    }

    fn contain(self, memory: MemoryLocation) -> bool {
        self.0 & Self::only(memory).0 != 0
    }

    fn and(self, memory: MemoryLocation) -> Self {
        Self(self.0 | Self::only(memory).0)
    }

    /// The host if it has a copy, else the first cluster that has.
    fn preferred_source(self) -> Option<MemoryLocation> {
        match self.0.trailing_zeros() {
            64 => None,
            0 => Some(MemoryLocation::Host),
            bit => Some(MemoryLocation::Cluster(bit as usize - 1)),
        }
    }

    /// The source of an export by a command that executes at `memory`. None if the host has a
    /// copy, or the bytes have never been written.
    fn export_source(self, memory: MemoryLocation) -> Option<MemoryLocation> {
        match self.preferred_source()? {
            MemoryLocation::Host => None,
            MemoryLocation::Cluster(_) if self.contain(memory) => Some(memory),
            first => Some(first),
        }
    }

    /// The transfer, if any is needed, for an access that leaves the valid copies as they are.
    /// The outer option is none if the access changes them.
    fn unchanged_by(
        self,
        accessed: &AccessedRange,
        memory: MemoryLocation,
        access: AccessKind,
    ) -> Option<Option<Transfer>> {
        let is_only_copy = self == Self::only(memory);
        let bytes = accessed.bytes as u64;
        match access {
            AccessKind::Read if self == Self::default() || self.contain(memory) => Some(None),
            AccessKind::Update | AccessKind::Overwrite if is_only_copy => Some(None),
            AccessKind::Import if is_only_copy => Some(Some(Transfer {
                from: MemoryLocation::Host,
                to: memory,
                bytes,
            })),
            AccessKind::Export => Some(self.export_source(memory).map(|from| Transfer {
                from,
                to: MemoryLocation::Host,
                bytes,
            })),
            _ => None,
        }
    }
}

/// How a command accesses bytes of a memory object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// Reads them where it executes.
    Read,
    /// Reads them, and writes some or all of them.
    Update,
    /// Writes all of them without reading them.
    Overwrite,
    /// Writes all of them from memory of the host program.
    Import,
    /// Copies them to memory of the host program.
    Export,
}

/// The bytes of a data store that a command accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessedRange {
    /// From the first byte to the last one, including gaps between rows.
    pub range: Range<usize>,
    /// Bytes accessed, without the gaps.
    pub bytes: usize,
}

impl AccessedRange {
    /// All bytes of a range.
    pub fn whole(range: Range<usize>) -> Self {
        let bytes = range.len();
        Self { range, bytes }
    }
}

/// The valid copies of each byte of a data store.
pub(crate) struct Residency {
    /// The valid copies of all bytes if they agree, else `VARIED`.
    uniform: AtomicU64,
    /// The first byte of each run of bytes with the same valid copies. Empty unless `VARIED`.
    runs: Mutex<BTreeMap<usize, ValidCopies>>,
    /// Size of the data store, bytes.
    size: usize,
    /// Whether results of launches that were not executed are missing (`missing_results`).
    pub lacks_results: AtomicBool,
}

/// Whether the host program may have copied missing results. What it writes from then on may be computed
/// from them. Messages between simulated ranks do not leave the process.
pub(crate) static HOST_LACKS_RESULTS: AtomicBool = AtomicBool::new(false);

/// A value that no set of memories has.
const VARIED: u64 = u64::MAX;

impl Residency {
    /// The state of `size` bytes of which `memory` has the only copy, or that have never been
    /// written.
    pub fn new(size: usize, memory: Option<MemoryLocation>) -> Self {
        let copies = memory.map_or(ValidCopies::default(), ValidCopies::only);
        let is_of_host = memory == Some(MemoryLocation::Host);
        let lacks_results = is_of_host && HOST_LACKS_RESULTS.load(Ordering::Relaxed);
        Self {
            uniform: AtomicU64::new(copies.0),
            runs: Mutex::default(),
            size,
            lacks_results: AtomicBool::new(lacks_results),
        }
    }

    /// Whether a range is all of the data store.
    pub fn is_whole(&self, accessed: &AccessedRange) -> bool {
        accessed.bytes == self.size
    }

    /// The transfers needed before a command that executes at `memory` can access the range.
    /// Updates the valid copies to those after the command.
    ///
    /// The source of a transfer is the host if it has a copy, else the first cluster that has.
    pub fn access(
        &self,
        accessed: &AccessedRange,
        memory: MemoryLocation,
        access: AccessKind,
    ) -> Vec<Transfer> {
        if accessed.range.is_empty() {
            return Vec::new();
        }
        // The common case: every launch accesses each of its buffers, and nearly always nothing
        // changes.
        let uniform = self.uniform.load(Ordering::Acquire);
        if uniform != VARIED
            && let Some(transfer) = ValidCopies(uniform).unchanged_by(accessed, memory, access)
        {
            return transfer.into_iter().collect();
        }
        let mut runs = self.runs.lock();
        if runs.is_empty() {
            let uniform = self.uniform.load(Ordering::Acquire);
            runs.insert(0, ValidCopies(uniform));
        }
        split(&mut runs, accessed.range.start);
        split(&mut runs, accessed.range.end);
        let transfers = access_runs(&mut runs, accessed, memory, access);
        join(&mut runs, &accessed.range, self.size);
        let uniform = match runs.first_key_value() {
            Some((_, copies)) if runs.len() == 1 => copies.0,
            _ => VARIED,
        };
        if uniform != VARIED {
            runs.clear();
        }
        self.uniform.store(uniform, Ordering::Release);
        transfers
    }
}

/// Makes a run begin at byte `start`.
fn split(runs: &mut BTreeMap<usize, ValidCopies>, start: usize) {
    if let Some((_, &copies)) = runs.range(..=start).next_back() {
        runs.insert(start, copies);
    }
}

/// Joins neighbouring runs with the same valid copies, in `range` and at its ends.
fn join(runs: &mut BTreeMap<usize, ValidCopies>, range: &Range<usize>, size: usize) {
    runs.remove(&size);
    let mut before = runs.range(..range.start).next_back().map(|(_, &own)| own);
    let inside: Vec<_> = runs
        .range(range.start..=range.end)
        .map(|(&start, &copies)| (start, copies))
        .collect();
    for (start, copies) in inside {
        if before == Some(copies) {
            runs.remove(&start);
        }
        before = Some(copies);
    }
}

/// `Residency::access` on runs that begin and end where the accessed range does.
fn access_runs(
    runs: &mut BTreeMap<usize, ValidCopies>,
    accessed: &AccessedRange,
    memory: MemoryLocation,
    access: AccessKind,
) -> Vec<Transfer> {
    let has_gaps = accessed.bytes < accessed.range.len();
    let mut transfers: Vec<Transfer> = Vec::new();
    let mut transfer = |from, to, bytes| match transfers.last_mut() {
        Some(last) if (last.from, last.to) == (from, to) => last.bytes += bytes,
        _ => transfers.push(Transfer { from, to, bytes }),
    };
    let starts: Vec<usize> = runs
        .range(accessed.range.clone())
        .map(|(&start, _)| start)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([accessed.range.end]);
    for (&start, end) in starts.iter().zip(ends) {
        let Some(copies) = runs.get_mut(&start) else {
            continue;
        };
        let bytes = (end - start) as u64;
        let reads = match access {
            AccessKind::Read | AccessKind::Update => true,
            AccessKind::Overwrite | AccessKind::Import => has_gaps,
            AccessKind::Export => false,
        };
        if reads
            && !copies.contain(memory)
            && let Some(from) = copies.preferred_source()
        {
            transfer(from, memory, bytes);
        }
        match access {
            AccessKind::Read if *copies == ValidCopies::default() => {}
            AccessKind::Read => *copies = copies.and(memory),
            AccessKind::Update | AccessKind::Overwrite | AccessKind::Import => {
                *copies = ValidCopies::only(memory);
            }
            AccessKind::Export => {
                if let Some(from) = copies.export_source(memory) {
                    // Each run contributes to a rectangle in proportion to its length.
                    let share =
                        bytes as u128 * accessed.bytes as u128 / accessed.range.len() as u128;
                    transfer(from, MemoryLocation::Host, share as u64);
                }
            }
        }
    }
    if access == AccessKind::Import {
        transfers.push(Transfer {
            from: MemoryLocation::Host,
            to: memory,
            bytes: accessed.bytes as u64,
        });
    }
    transfers
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: MemoryLocation = MemoryLocation::Host;
    const FIRST: MemoryLocation = MemoryLocation::Cluster(0);
    const SECOND: MemoryLocation = MemoryLocation::Cluster(1);

    fn transfer(from: MemoryLocation, to: MemoryLocation, bytes: u64) -> Transfer {
        Transfer { from, to, bytes }
    }

    #[test]
    fn contents_follow_the_commands() {
        let residency = Residency::new(100, Some(HOST));
        let all = AccessedRange::whole(0..100);
        let access = |memory, access| residency.access(&all, memory, access);
        let none = Vec::new();
        assert_eq!(
            access(FIRST, AccessKind::Read),
            [transfer(HOST, FIRST, 100)]
        );
        assert_eq!(access(FIRST, AccessKind::Read), none, "it is there already");
        assert_eq!(
            access(SECOND, AccessKind::Read),
            [transfer(HOST, SECOND, 100)]
        );
        assert_eq!(access(SECOND, AccessKind::Update), none);
        assert_eq!(
            access(FIRST, AccessKind::Update),
            [transfer(SECOND, FIRST, 100)],
            "the copies of host and first cluster were stale"
        );
        assert_eq!(
            access(SECOND, AccessKind::Export),
            [transfer(FIRST, HOST, 100)]
        );
        assert_eq!(
            access(FIRST, AccessKind::Update),
            none,
            "reading moves nothing"
        );
        assert_eq!(access(SECOND, AccessKind::Overwrite), none);
        assert_eq!(
            access(HOST, AccessKind::Read),
            [transfer(SECOND, HOST, 100)]
        );
        assert_eq!(
            access(SECOND, AccessKind::Export),
            none,
            "the host has them"
        );
        assert_eq!(
            access(FIRST, AccessKind::Import),
            [transfer(HOST, FIRST, 100)]
        );
        assert_eq!(
            access(HOST, AccessKind::Update),
            [transfer(FIRST, HOST, 100)]
        );
    }

    #[test]
    fn memory_never_written_is_not_moved() {
        let residency = Residency::new(100, None);
        let all = AccessedRange::whole(0..100);
        for (memory, access) in [
            (FIRST, AccessKind::Read),
            (HOST, AccessKind::Read),
            (SECOND, AccessKind::Export),
            (FIRST, AccessKind::Update),
        ] {
            assert_eq!(residency.access(&all, memory, access), []);
        }
        assert_eq!(
            residency.access(&all, SECOND, AccessKind::Read),
            [transfer(FIRST, SECOND, 100)]
        );
    }

    #[test]
    fn halves_can_be_in_different_memories() {
        let residency = Residency::new(100, Some(HOST));
        let (low, high) = (AccessedRange::whole(0..50), AccessedRange::whole(50..100));
        for _ in 0..2 {
            residency.access(&low, FIRST, AccessKind::Update);
            residency.access(&high, SECOND, AccessKind::Update);
        }
        let all = AccessedRange::whole(0..100);
        assert_eq!(residency.access(&low, FIRST, AccessKind::Update), []);
        assert_eq!(
            residency.access(&all, SECOND, AccessKind::Export),
            [transfer(FIRST, HOST, 50), transfer(SECOND, HOST, 50)]
        );
        assert_eq!(
            residency.access(&all, SECOND, AccessKind::Read),
            [transfer(FIRST, SECOND, 50)]
        );
    }

    #[test]
    fn a_rectangle_keeps_what_is_between_its_rows() {
        let residency = Residency::new(100, Some(FIRST));
        let part = AccessedRange {
            range: 10..90,
            bytes: 40,
        };
        assert_eq!(
            residency.access(&part, SECOND, AccessKind::Import),
            [transfer(FIRST, SECOND, 80), transfer(HOST, SECOND, 40)]
        );
        assert_eq!(
            residency.access(&part, SECOND, AccessKind::Export),
            [transfer(SECOND, HOST, 40)]
        );
    }

    /// A reference model: the valid copies of each byte.
    fn naive(
        holders: &mut [ValidCopies],
        range: Range<usize>,
        memory: MemoryLocation,
        access: AccessKind,
    ) -> BTreeMap<(String, String), u64> {
        let mut transfers = BTreeMap::new();
        let mut transfer = |from: MemoryLocation, to: MemoryLocation| {
            *transfers
                .entry((from.to_string(), to.to_string()))
                .or_insert(0) += 1;
        };
        for own in &mut holders[range] {
            let lacks = !own.contain(memory);
            match (access, own.preferred_source()) {
                (AccessKind::Read | AccessKind::Update, Some(from)) if lacks => {
                    transfer(from, memory)
                }
                (AccessKind::Import, _) => transfer(HOST, memory),
                (AccessKind::Export, Some(from)) if from != HOST => {
                    transfer(if lacks { from } else { memory }, HOST);
                }
                _ => {}
            }
            match access {
                AccessKind::Read if own.preferred_source().is_some() => *own = own.and(memory),
                AccessKind::Read | AccessKind::Export => {}
                _ => *own = ValidCopies::only(memory),
            }
        }
        transfers
    }

    #[test]
    fn runs_tell_what_bytes_one_by_one_tell() {
        const SIZE: usize = 24;
        let mut random = fastrand::Rng::with_seed(12);
        for _ in 0..300 {
            let residency = Residency::new(SIZE, None);
            let mut holders = [ValidCopies::default(); SIZE];
            for _ in 0..60 {
                let start = random.usize(..=SIZE);
                let range = start..random.usize(start..=SIZE);
                let memory = [HOST, FIRST, SECOND][random.usize(..3)];
                let access = [
                    AccessKind::Read,
                    AccessKind::Update,
                    AccessKind::Overwrite,
                    AccessKind::Import,
                    AccessKind::Export,
                ][random.usize(..5)];
                if memory == HOST && matches!(access, AccessKind::Import | AccessKind::Export) {
                    continue;
                }
                let expected = naive(&mut holders, range.clone(), memory, access);
                let mut got = BTreeMap::new();
                for transfer in residency.access(&AccessedRange::whole(range), memory, access) {
                    *got.entry((transfer.from.to_string(), transfer.to.to_string()))
                        .or_insert(0) += transfer.bytes;
                }
                assert_eq!(got, expected);
                let runs = residency.runs.lock();
                let different = holders.windows(2).filter(|pair| pair[0] != pair[1]);
                let count = different.count() + 1;
                assert_eq!(runs.len().max(1), count, "neighbours are joined");
            }
        }
    }
}
