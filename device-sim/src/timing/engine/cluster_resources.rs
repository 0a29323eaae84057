//! What the arrays of a cluster compete for.

use super::server::Server;
use crate::machine::{Machine, SharedMemory};
use crate::timing::launch_record::{LaunchRecord, Volume};
use crate::timing::launch_timing::TransferSlice;
use crate::units::{Bytes, Cycles};

/// Maximum number of pieces that the traffic of a launch is divided into, in addition to the
/// division into steps; the same for acquisitions of locks.
const PIECES: u64 = 1 << 11;

/// Minimum size of a piece, bytes: it delays others by no more than DDR's latency.
const MIN_PIECE: u64 = 1 << 13;

/// Maximum number of DMA transfers in a timeline; later ones are left out.
pub const TRANSFER_SLICES: usize = 1 << 14;

/// The shared memories and locks, and the DMA transfers of the timeline.
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
    /// The DMA transfers, if a timeline is wanted.
    transfers: Option<Vec<TransferSlice>>,
}

impl<'a> ClusterResources<'a> {
    /// Idle resources, for the launch of `record`.
    pub fn new(machine: &'a Machine, record: &LaunchRecord, timeline: bool) -> Self {
        let mut resources = Self::idle(machine, timeline);
        resources.expect(&record.volume(machine.memory.port.line.value));
        resources
    }

    /// Idle resources.
    pub fn idle(machine: &'a Machine, timeline: bool) -> Self {
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
            transfers: timeline.then(Vec::new),
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

    /// Adds a transfer to the timeline; its index there.
    pub fn add_transfer(&mut self, slice: TransferSlice) -> Option<usize> {
        let transfers = self.transfers.as_mut()?;
        if transfers.len() >= TRANSFER_SLICES {
            return None;
        }
        transfers.push(slice);
        Some(transfers.len() - 1)
    }

    /// Sets the end of a transfer of the timeline.
    pub fn end_transfer(&mut self, slice: usize, now: Cycles) {
        if let Some(transfers) = &mut self.transfers {
            transfers[slice].end = now;
        }
    }

    /// Sets when code began to wait for a transfer of the timeline.
    pub fn wait_for_transfer(&mut self, slice: usize, now: Cycles) {
        if let Some(transfers) = &mut self.transfers {
            transfers[slice].waited_for = Some(now);
        }
    }

    /// The transfers of the timeline, by begin.
    pub fn into_transfers(self) -> Vec<TransferSlice> {
        let mut transfers = self.transfers.unwrap_or_default();
        transfers.sort_by_key(|slice| (slice.begin, slice.array, slice.channel));
        transfers
    }
}
