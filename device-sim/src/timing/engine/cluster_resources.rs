//! What the arrays of a cluster compete for.

use super::server::Server;
use crate::machine::{Machine, SharedMemory};
use crate::timing::launch_record::{LaunchRecord, Volume};
use crate::timing::launch_timing::TransferSlice;
use crate::units::Bytes;

/// Maximum number of pieces that the traffic of a launch is divided into, in addition to the
/// division into steps; the same for acquisitions of locks.
const PIECES: u64 = 1 << 11;

/// Minimum size of a piece, bytes: it delays others by no more than DDR's latency.
const MIN_PIECE: u64 = 1 << 13;

/// Maximum number of DMA transfers in a timeline; later ones are left out.
pub const TRANSFER_SLICES: usize = 1 << 14;

/// Number of a timeline in `ClusterResources`.
pub type TimelineNumber = usize;

/// The shared memories and locks, and the DMA transfers of timelines.
pub struct ClusterResources<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// By `SharedMemory`.
    pub memories: [Server; 3],
    /// By number of the lock, as far as locks have been used; `lock_count` at most.
    locks: Vec<Server>,
    lock_count: usize,
    /// Maximum bytes of one request to a memory.
    pub piece: u64,
    /// Maximum acquisitions of one lock per event.
    pub lock_piece: u64,
    /// The DMA transfers of launches with a timeline.
    timelines: Vec<Option<Vec<TransferSlice>>>,
}

impl<'a> ClusterResources<'a> {
    /// Idle resources, for the launch of `record`.
    pub fn new(machine: &'a Machine, record: &LaunchRecord) -> Self {
        let mut resources = Self::idle(machine);
        resources.expect(&record.volume(machine.memory.port.line.value));
        resources
    }

    /// Idle resources.
    pub fn idle(machine: &'a Machine) -> Self {
        let clock = machine.clusters.clock.value;
        let memory = |memory| Server::new(clock, machine.memory.shared(memory).bandwidth.value);
        let locks = machine.clusters.read_write_locks.value.clamp(1, 1 << 16);
        Self {
            machine,
            memories: SharedMemory::ALL.map(memory),
            locks: Vec::new(),
            lock_count: locks as usize,
            piece: MIN_PIECE,
            lock_piece: 1,
            timelines: Vec::new(),
        }
    }

    /// Chooses the size of pieces for a volume.
    pub fn expect(&mut self, volume: &Volume) {
        let moved = volume.traffic.into_iter().chain(volume.transferred_lines);
        let traffic = moved.fold(Bytes(0), Bytes::saturating_add);
        self.piece = MIN_PIECE.max(traffic.0 / PIECES);
        self.lock_piece = (volume.locks / PIECES).max(1);
    }

    /// The lock of a number. Most launches use none.
    pub fn lock(&mut self, number: u32) -> &mut Server {
        let index = number as usize % self.lock_count;
        if self.locks.len() <= index {
            let idle = Server::new(self.machine.locks.occupied(), 1);
            self.locks.resize(index + 1, idle);
        }
        &mut self.locks[index]
    }

    /// Cycles from a request to a memory to its answer.
    pub fn latency(&self, memory: SharedMemory) -> u64 {
        self.machine.memory.shared(memory).latency.value
    }

    /// Begins the timeline of a launch.
    pub fn begin_timeline(&mut self) -> TimelineNumber {
        let unused = self.timelines.iter().position(Option::is_none);
        let number = unused.unwrap_or(self.timelines.len());
        if unused.is_none() {
            self.timelines.push(None);
        }
        self.timelines[number] = Some(Vec::new());
        number
    }

    /// Ends a timeline; its transfers, by begin.
    pub fn end_timeline(&mut self, number: TimelineNumber) -> Vec<TransferSlice> {
        let mut transfers = self.timelines[number].take().unwrap_or_default();
        transfers.sort_by_key(|slice| (slice.begin, slice.array, slice.channel));
        transfers
    }

    /// Adds a transfer to a timeline; its index there. None if the timeline has no room.
    pub fn add_transfer(&mut self, number: TimelineNumber, slice: TransferSlice) -> Option<usize> {
        let transfers = self.timelines[number].as_mut()?;
        if transfers.len() >= TRANSFER_SLICES {
            return None;
        }
        transfers.push(slice);
        Some(transfers.len() - 1)
    }

    /// A transfer of a timeline.
    pub fn transfer(&mut self, number: TimelineNumber, index: usize) -> Option<&mut TransferSlice> {
        self.timelines[number].as_mut()?.get_mut(index)
    }
}
