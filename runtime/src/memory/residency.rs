//! Where the contents of memory objects are: in the host's memory, in those of clusters,
//! or in several at once.
//!
//! All devices of a context work on one copy of the bytes on the host, so nothing moves
//! there. What the machine would have to move, and when, is decided here, by `migrate_in`:
//! it is shown in the log, and is what a transfer's cost will be computed from.

use crate::device::Device;
use crate::fault;
use crate::memory::mem_object::MemObject;
use crate::memory::rectangle::{RectLayout, StridedRange};
use fault_injection::Defect;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A memory that contents can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLocation {
    /// The host's.
    Host,
    /// That of the cluster with this number.
    Cluster(usize),
}

impl MemoryLocation {
    /// The memory of the device's cluster.
    pub fn of(device: &Device) -> Self {
        Self::Cluster(device.index())
    }
}

impl fmt::Display for MemoryLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => formatter.write_str("the host"),
            Self::Cluster(number) => write!(formatter, "cluster {number}"),
        }
    }
}

/// Memories that hold the same bytes. None: nobody has written there yet.
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

    /// The host if it is one of them, else the first cluster.
    fn first(self) -> Option<MemoryLocation> {
        match self.0.trailing_zeros() {
            64 => None,
            0 => Some(MemoryLocation::Host),
            bit => Some(MemoryLocation::Cluster(bit as usize - 1)),
        }
    }
}

impl ValidCopies {
    /// Where bytes come from that go into the host program's memory by a command that runs
    /// at `memory`. None if the host has them, or nobody.
    fn export_from(self, memory: MemoryLocation) -> Option<MemoryLocation> {
        match self.first()? {
            MemoryLocation::Host => None,
            MemoryLocation::Cluster(_) if self.contain(memory) => Some(memory),
            first => Some(first),
        }
    }

    /// The transfer, if there is one, for an access that leaves the part's holders as they
    /// are. None if it does not.
    fn unchanged_by(
        self,
        part: &AccessedRange,
        memory: MemoryLocation,
        access: AccessKind,
    ) -> Option<Option<Transfer>> {
        let alone = self == Self::only(memory);
        let bytes = part.bytes as u64;
        match access {
            AccessKind::Read if self == Self::default() || self.contain(memory) => Some(None),
            AccessKind::Update | AccessKind::Overwrite if alone => Some(None),
            AccessKind::Import if alone => Some(Some(Transfer {
                from: MemoryLocation::Host,
                to: memory,
                bytes,
            })),
            AccessKind::Export => Some(self.export_from(memory).map(|from| Transfer {
                from,
                to: MemoryLocation::Host,
                bytes,
            })),
            _ => None,
        }
    }
}

/// Bytes that have to go from one memory to another before a command can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer {
    /// From where.
    pub from: MemoryLocation,
    /// To where.
    pub to: MemoryLocation,
    /// How many.
    pub bytes: u64,
}

/// What a command does to bytes of a memory object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// Reads them where it runs.
    Read,
    /// Writes there, but perhaps not all of them.
    Update,
    /// Writes all of them, or does not care what they are.
    Overwrite,
    /// Writes all of them with bytes of the host program's.
    Import,
    /// Copies them into memory of the host program's.
    Export,
}

/// A part of a buffer's data store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessedRange {
    /// From the first byte to the one after the last.
    pub range: Range<usize>,
    /// How many of them are meant: between the rows of a rectangle are others.
    pub bytes: usize,
}

impl AccessedRange {
    /// All bytes of a range.
    pub fn whole(range: Range<usize>) -> Self {
        let bytes = range.len();
        Self { range, bytes }
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

/// Which memories hold a data store's contents, byte by byte.
pub(crate) struct Residency {
    /// ValidCopies of all bytes if they are the same, else `VARIED`.
    everywhere: AtomicU64,
    /// First byte of each run of bytes, and their holders. Empty while `everywhere` tells.
    runs: Mutex<BTreeMap<usize, ValidCopies>>,
    size: usize,
}

/// More than any number of clusters makes.
const VARIED: u64 = u64::MAX;

impl Residency {
    /// Of `size` bytes that `memory` holds, or that nobody has written yet.
    pub fn new(size: usize, memory: Option<MemoryLocation>) -> Self {
        let holders = memory.map_or(ValidCopies::default(), ValidCopies::only);
        Self {
            everywhere: AtomicU64::new(holders.0),
            runs: Mutex::default(),
            size,
        }
    }

    /// What has to be transferred before a command that runs at `memory` can access that
    /// part, and notes that it has been, and what the command leaves where.
    ///
    /// Contents come from the host if it has them, else from the first cluster that has.
    pub fn access(
        &self,
        part: &AccessedRange,
        memory: MemoryLocation,
        access: AccessKind,
    ) -> Vec<Transfer> {
        if part.range.is_empty() {
            return Vec::new();
        }
        // Nearly always nothing changes: launches come here with each of their buffers.
        let everywhere = self.everywhere.load(Ordering::Acquire);
        if everywhere != VARIED
            && let Some(transfer) = ValidCopies(everywhere).unchanged_by(part, memory, access)
        {
            return transfer.into_iter().collect();
        }
        let mut runs = self.runs.lock();
        if runs.is_empty() {
            let everywhere = self.everywhere.load(Ordering::Acquire);
            runs.insert(0, ValidCopies(everywhere));
        }
        split(&mut runs, part.range.start);
        split(&mut runs, part.range.end);
        let transfers = access_runs(&mut runs, part, memory, access);
        join(&mut runs, &part.range, self.size);
        let everywhere = match runs.first_key_value() {
            Some((_, holders)) if runs.len() == 1 => holders.0,
            _ => VARIED,
        };
        if everywhere != VARIED {
            runs.clear();
        }
        self.everywhere.store(everywhere, Ordering::Release);
        transfers
    }
}

/// Makes a run begin at `place`.
fn split(runs: &mut BTreeMap<usize, ValidCopies>, place: usize) {
    if let Some((_, &holders)) = runs.range(..=place).next_back() {
        runs.insert(place, holders);
    }
}

/// Makes one run of neighbours with the same holders, in and around `range`.
fn join(runs: &mut BTreeMap<usize, ValidCopies>, range: &Range<usize>, size: usize) {
    runs.remove(&size);
    let mut before = runs.range(..range.start).next_back().map(|(_, &own)| own);
    let inside: Vec<_> = runs
        .range(range.start..=range.end)
        .map(|(&place, &holders)| (place, holders))
        .collect();
    for (place, holders) in inside {
        if before == Some(holders) {
            runs.remove(&place);
        }
        before = Some(holders);
    }
}

/// `Residency::access` on runs that begin and end where the part does.
fn access_runs(
    runs: &mut BTreeMap<usize, ValidCopies>,
    part: &AccessedRange,
    memory: MemoryLocation,
    access: AccessKind,
) -> Vec<Transfer> {
    let has_gaps = part.bytes < part.range.len();
    let mut transfers: Vec<Transfer> = Vec::new();
    let mut transfer = |from, to, bytes| match transfers.last_mut() {
        Some(last) if (last.from, last.to) == (from, to) => last.bytes += bytes,
        _ => transfers.push(Transfer { from, to, bytes }),
    };
    let starts: Vec<usize> = runs.range(part.range.clone()).map(|(&at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([part.range.end]);
    for (&start, end) in starts.iter().zip(ends) {
        let Some(holders) = runs.get_mut(&start) else {
            continue;
        };
        let bytes = (end - start) as u64;
        let reads = match access {
            AccessKind::Read | AccessKind::Update => true,
            AccessKind::Overwrite | AccessKind::Import => has_gaps,
            AccessKind::Export => false,
        };
        if reads
            && !holders.contain(memory)
            && let Some(from) = holders.first()
        {
            transfer(from, memory, bytes);
        }
        match access {
            AccessKind::Read if *holders == ValidCopies::default() => {}
            AccessKind::Read => *holders = holders.and(memory),
            AccessKind::Update | AccessKind::Overwrite | AccessKind::Import => {
                *holders = ValidCopies::only(memory);
            }
            AccessKind::Export => {
                if let Some(from) = holders.export_from(memory) {
                    // Of a rectangle that lies in several runs, each has its share.
                    let share = bytes as u128 * part.bytes as u128 / part.range.len() as u128;
                    transfer(from, MemoryLocation::Host, share as u64);
                }
            }
        }
    }
    if access == AccessKind::Import {
        transfers.push(Transfer {
            from: MemoryLocation::Host,
            to: memory,
            bytes: part.bytes as u64,
        });
    }
    transfers
}

/// What a command uses of memory objects: mostly few.
pub(crate) type MemoryAccesses = SmallVec<[MemoryAccess; 3]>;

/// What a command uses of a memory object.
pub(crate) struct MemoryAccess {
    /// The object; lives as long.
    pub object: MemObject,
    /// The bytes, counted from the start of the data store.
    pub part: AccessedRange,
    /// What it does to them.
    pub access: AccessKind,
}

impl MemoryAccess {
    /// Of all of an object.
    pub fn of_all(object: MemObject, access: AccessKind) -> Self {
        let part = AccessedRange::whole(object.range());
        Self {
            object,
            part,
            access,
        }
    }

    /// Of a region (bytes, rows, slices) of an object.
    pub fn of_region(
        object: MemObject,
        side: RectLayout,
        region: [usize; 3],
        access: AccessKind,
    ) -> Self {
        let rows = StridedRange::new(side, region).moved(object.range().start);
        Self {
            object,
            part: AccessedRange::from(rows),
            access,
        }
    }
}

/// What has to be transferred before a command with these uses can run at `memory`, and
/// notes that it has been: the one place that decides about transfers. They are shown in
/// the log.
pub(crate) fn migrate_in<'a>(
    uses: impl IntoIterator<Item = &'a MemoryAccess>,
    memory: MemoryLocation,
) -> Vec<Transfer> {
    let mut transfers = Vec::new();
    for one in uses {
        let residency = one.object.residency();
        for transfer in residency.access(&one.part, memory, one.access) {
            log::debug!(
                "{} bytes of a memory object go from {} to {}",
                transfer.bytes,
                transfer.from,
                transfer.to
            );
            if fault_injection::is_active(Defect::LostMigrations) {
                fault::lose(one, transfer);
            }
            transfers.push(transfer);
        }
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
    fn what_nobody_has_written_is_not_moved() {
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

    /// Bytes one by one, each with its holders.
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
            match (access, own.first()) {
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
                AccessKind::Read if own.first().is_some() => *own = own.and(memory),
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
