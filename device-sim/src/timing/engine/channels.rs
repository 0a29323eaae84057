//! The DMA channels of an array, and the transfers on them.

use super::cluster_resources::{ClusterResources, TimelineNumber};
use super::even_split::EvenSplit;
use super::server::Server;
use crate::machine::SharedMemory;
use crate::timing::launch_timing::TransferSlice;
use crate::units::{Bytes, Cycles};

/// Transfers of one event that an array starts together.
#[derive(Clone, Copy, Debug)]
pub struct TransferRequest {
    /// Number of the event in its group.
    pub event: u32,
    /// Cycles in which all transfers but the first are started; 0 if there is one only.
    pub start_others: u64,
    /// Cycles from the start of the first transfer to that of the last.
    pub start_span: u64,
    /// Rows of all transfers.
    pub rows: u64,
    /// Bytes of a row.
    pub row_bytes: u64,
    /// Whether the direction is from global to local memory.
    pub to_scratchpad: bool,
    /// The memory outside the array.
    pub memory: SharedMemory,
    /// The memory at the other end, if that is outside, too.
    pub second: Option<SharedMemory>,
}

/// The DMA channels of an array.
#[derive(Debug)]
pub struct Channels {
    array: u64,
    /// The timeline of its launch, if wanted.
    timeline: Option<TimelineNumber>,
    /// The channels used so far, of `count`.
    channels: Vec<Option<ActiveTransfer>>,
    count: usize,
    in_flight: usize,
    /// The array's DMA port, which all channels share.
    port: Server,
    /// Events of the current group, by number.
    events: Vec<EventState>,
    group: u64,
}

/// A transfer on a channel.
#[derive(Debug)]
struct ActiveTransfer {
    event: u32,
    /// The group that started it.
    group: u64,
    pieces: u64,
    left: u64,
    cycles: EvenSplit,
    bytes: EvenSplit,
    memory: SharedMemory,
    second: Option<SharedMemory>,
    /// Its index in the timeline.
    slice: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct EventState {
    pending: u32,
    /// Indices in the timeline of the transfers that have not been waited for.
    slices: Vec<usize>,
}

/// What a channel does after an event.
pub enum ChannelState {
    /// It moves data until then.
    Busy(Cycles),
    /// Its transfer, if it had one, has ended.
    Idle(Completed),
}

/// What the end of a transfer completes.
#[derive(Default)]
pub struct Completed {
    /// An event of the current group.
    pub event: Option<u32>,
    /// All transfers of the array.
    pub all: bool,
}

impl Channels {
    /// Idle channels of an array, whose transfers are in this timeline.
    pub fn new(
        array: u64,
        resources: &ClusterResources<'_>,
        timeline: Option<TimelineNumber>,
    ) -> Self {
        let dma = &resources.machine.dma;
        Self {
            array,
            timeline,
            channels: Vec::new(),
            count: dma.channels.value as usize,
            in_flight: 0,
            port: Server::new(1, dma.rate.value),
            events: Vec::new(),
            group: 0,
        }
    }

    /// Begins the next group, whose events are numbered anew.
    pub fn next_group(&mut self) {
        self.group += 1;
        self.events.clear();
    }

    /// Whether any transfer is in flight.
    pub fn are_active(&self) -> bool {
        self.in_flight > 0
    }

    /// Whether a transfer of an event is in flight.
    pub fn is_pending(&self, event: u32) -> bool {
        let state = self.events.get(event as usize);
        state.is_some_and(|state| state.pending > 0)
    }

    /// Notes in the timeline that the array waits for an event from now on.
    pub fn wait(&mut self, event: u32, now: Cycles, resources: &mut ClusterResources<'_>) {
        let Some(state) = self.events.get_mut(event as usize) else {
            return;
        };
        for index in state.slices.drain(..) {
            if let Some(timeline) = self.timeline
                && let Some(slice) = resources.transfer(timeline, index)
            {
                slice.waited_for = Some(now);
            }
        }
    }

    /// Starts transfers on an idle channel; the channel's number and the time of its first event.
    /// None if no channel is idle.
    pub fn start(
        &mut self,
        request: &TransferRequest,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
    ) -> Option<(u32, Cycles)> {
        let idle = self.channels.iter().position(Option::is_none);
        let channel = match idle {
            Some(channel) => channel,
            None if self.channels.len() < self.count => {
                self.channels.push(None);
                self.channels.len() - 1
            }
            None => return None,
        };
        let dma = &resources.machine.dma;
        let line = resources.machine.memory.port.line.value;
        let bytes = request.rows.saturating_mul(request.row_bytes);
        // Memories are read and written in whole lines.
        let row_lines = request.row_bytes.div_ceil(line).saturating_mul(line);
        let served = request.rows.saturating_mul(row_lines);
        let cycles = request
            .rows
            .saturating_mul(dma.row.value)
            .saturating_add(bytes.div_ceil(dma.channel_rate.value))
            .max(request.start_span);
        let pieces = served.div_ceil(resources.piece).max(1);
        let slice = TransferSlice {
            array: self.array,
            channel: channel as u64,
            begin: now,
            end: now,
            waited_for: None,
            bytes: Bytes(bytes),
            to_scratchpad: request.to_scratchpad,
        };
        let timeline = self.timeline;
        let slice = timeline.and_then(|number| resources.add_transfer(number, slice));
        let event = request.event as usize;
        if self.events.len() <= event {
            self.events.resize_with(event + 1, EventState::default);
        }
        self.events[event].pending += 1;
        self.events[event].slices.extend(slice);
        self.in_flight += 1;
        self.channels[channel] = Some(ActiveTransfer {
            event: request.event,
            group: self.group,
            pieces,
            left: pieces,
            cycles: EvenSplit::new(cycles, pieces),
            bytes: EvenSplit::new(served, pieces),
            memory: request.memory,
            second: request.second,
            slice,
        });
        let memories = std::iter::once(request.memory).chain(request.second);
        let latency = Cycles(memories.map(|memory| resources.latency(memory)).sum());
        Some((channel as u32, now + latency))
    }

    /// Advances a channel to `now`.
    pub fn advance(
        &mut self,
        channel: u32,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
    ) -> ChannelState {
        let channel = &mut self.channels[channel as usize];
        let Some(transfer) = channel else {
            return ChannelState::Idle(Completed::default());
        };
        if transfer.left > 0 {
            transfer.left -= 1;
            let bytes = transfer.bytes.next(transfer.pieces);
            let own = now + Cycles(transfer.cycles.next(transfer.pieces));
            let mut until = own;
            for memory in std::iter::once(transfer.memory).chain(transfer.second) {
                until = until.max(resources.memories[memory as usize].serve(now, bytes));
            }
            return ChannelState::Busy(until.max(self.port.serve(now, bytes)));
        }
        let (event, group) = (transfer.event, transfer.group);
        if let (Some(timeline), Some(index)) = (self.timeline, transfer.slice)
            && let Some(slice) = resources.transfer(timeline, index)
        {
            slice.end = now;
        }
        *channel = None;
        self.in_flight -= 1;
        let mut completed = Completed {
            event: None,
            all: self.in_flight == 0,
        };
        if group == self.group {
            let state = &mut self.events[event as usize];
            state.pending -= 1;
            completed.event = (state.pending == 0).then_some(event);
        }
        ChannelState::Idle(completed)
    }
}
