//! The DMA channels of an array, and the transfers on them.

use super::code_segment::EvenSplit;
use super::server::Server;
use super::{ClusterResources, TRANSFER_SLICES};
use crate::timing::cost::SharedMemory;
use crate::timing::launch_timing::TransferSlice;

/// A transfer that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    pub event: u32,
    /// If these are several: cycles in which all but the first are started.
    pub others: u64,
    /// Cycles from the start of the first to that of the last.
    pub starting: u64,
    pub rows: u64,
    pub row_bytes: u64,
    pub to_scratchpad: bool,
}

/// The DMA channels of an array.
#[derive(Debug)]
pub struct Channels {
    array: u64,
    /// Those that have been used; there are more.
    channels: Vec<Option<Moving>>,
    count: usize,
    in_flight: usize,
    /// What all channels share.
    port: Server,
    /// Of the group that runs, by number.
    events: Vec<EventState>,
    group: u64,
}

/// A transfer on a channel.
#[derive(Debug)]
struct Moving {
    event: u32,
    group: u64,
    pieces: u64,
    left: u64,
    cycles: EvenSplit,
    bytes: EvenSplit,
    /// Its place in the timeline.
    slice: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct EventState {
    pending: u32,
    /// Places in the timeline of those that nobody has waited for.
    slices: Vec<usize>,
}

/// A transfer is through.
pub struct Through {
    /// The last of its event, which is one of the group that runs.
    pub event: Option<u32>,
    /// The last of all.
    pub all: bool,
}

impl Channels {
    pub fn new(array: u64, shared: &ClusterResources<'_>) -> Self {
        let dma = &shared.machine.dma;
        Self {
            array,
            channels: Vec::new(),
            count: dma.channels.value as usize,
            in_flight: 0,
            port: Server::new(1, dma.rate.value),
            events: Vec::new(),
            group: 0,
        }
    }

    /// The next group begins: its events are other ones.
    pub fn next_group(&mut self) {
        self.group += 1;
        self.events.clear();
    }

    /// Whether any channel moves anything.
    pub fn are_moving(&self) -> bool {
        self.in_flight > 0
    }

    /// Whether a transfer of an event is not through.
    pub fn is_pending(&self, event: u32) -> bool {
        let state = self.events.get(event as usize);
        state.is_some_and(|state| state.pending > 0)
    }

    /// Somebody waits for an event.
    pub fn wait(&mut self, event: u32, now: u64, shared: &mut ClusterResources<'_>) {
        let (Some(state), Some(slices)) =
            (self.events.get_mut(event as usize), &mut shared.transfers)
        else {
            return;
        };
        for slice in state.slices.drain(..) {
            slices[slice].waited_for = Some(now);
        }
    }

    /// Starts a transfer on an idle channel: its number, and when it has something to do. None
    /// if no channel is idle.
    pub fn start(
        &mut self,
        transfer: &Transfer,
        now: u64,
        shared: &mut ClusterResources<'_>,
    ) -> Option<(u32, u64)> {
        let idle = self.channels.iter().position(Option::is_none);
        let channel = match idle {
            Some(channel) => channel,
            None if self.channels.len() < self.count => {
                self.channels.push(None);
                self.channels.len() - 1
            }
            None => return None,
        };
        let dma = &shared.machine.dma;
        let line = shared.machine.memory.port.line.value;
        let bytes = transfer.rows.saturating_mul(transfer.row_bytes);
        // DDR gives whole lines.
        let row_lines = transfer.row_bytes.div_ceil(line).saturating_mul(line);
        let served = transfer.rows.saturating_mul(row_lines);
        let cycles = transfer
            .rows
            .saturating_mul(dma.row.value)
            .saturating_add(bytes.div_ceil(dma.channel_rate.value))
            .max(transfer.starting);
        let pieces = served.div_ceil(shared.piece).max(1);
        let slice = shared
            .transfers
            .as_mut()
            .filter(|slices| slices.len() < TRANSFER_SLICES)
            .map(|slices| {
                slices.push(TransferSlice {
                    array: self.array,
                    channel: channel as u64,
                    begin: now,
                    end: now,
                    waited_for: None,
                    bytes,
                    to_scratchpad: transfer.to_scratchpad,
                });
                slices.len() - 1
            });
        let event = transfer.event as usize;
        if self.events.len() <= event {
            self.events.resize_with(event + 1, EventState::default);
        }
        self.events[event].pending += 1;
        self.events[event].slices.extend(slice);
        self.in_flight += 1;
        self.channels[channel] = Some(Moving {
            event: transfer.event,
            group: self.group,
            pieces,
            left: pieces,
            cycles: EvenSplit::new(cycles, pieces),
            bytes: EvenSplit::new(served, pieces),
            slice,
        });
        Some((channel as u32, now + shared.latency(SharedMemory::Ddr)))
    }

    /// A channel goes on at a time: until when, or that its transfer is through.
    pub fn advance(
        &mut self,
        channel: u32,
        now: u64,
        shared: &mut ClusterResources<'_>,
    ) -> Result<u64, Through> {
        let nothing = Through {
            event: None,
            all: false,
        };
        let channel = &mut self.channels[channel as usize];
        let Some(moving) = channel else {
            return Err(nothing);
        };
        if moving.left > 0 {
            moving.left -= 1;
            let bytes = moving.bytes.next(moving.pieces);
            let own = now + moving.cycles.next(moving.pieces);
            let served = shared.memories[SharedMemory::Ddr as usize].serve(now, bytes);
            return Ok(own.max(served).max(self.port.serve(now, bytes)));
        }
        let (event, group) = (moving.event, moving.group);
        if let (Some(slice), Some(slices)) = (moving.slice, &mut shared.transfers) {
            slices[slice].end = now;
        }
        *channel = None;
        self.in_flight -= 1;
        let mut through = nothing;
        through.all = self.in_flight == 0;
        if group == self.group {
            let state = &mut self.events[event as usize];
            state.pending -= 1;
            through.event = (state.pending == 0).then_some(event);
        }
        Err(through)
    }
}
