//! Changes of DMA transfers: earlier, fewer, or in place of the code's own accesses.

use super::other_steps::{is_load, map_steps, part_of, scaled};
use crate::machine::{Machine, SharedMemory};
use crate::timing::launch_record::{GroupStep, GroupSteps, LaunchRecord, SegmentWork};

/// Bytes of a buffer in local memory that replaces accesses of global memory.
const BUFFER: u64 = 16 << 10;

/// Maximum number of buffers' contents that a step moves.
const MAX_TILES: u64 = 64;

/// Maximum number of groups whose transfers are started ahead of each other.
const MAX_JOINED: u64 = 64;

/// Bytes that a vector instruction moves between AM and registers: a double for each lane.
const ACCESS_BYTES_OF_LANE: u64 = 8;

const DDR: usize = SharedMemory::Ddr as usize;

/// The code's traffic with DDR as DMA transfers through two buffers; none without such traffic.
pub fn through_local_memory(machine: &Machine, record: &LaunchRecord) -> Option<LaunchRecord> {
    let mut is_changed = false;
    let access = (machine.array.lanes.value * ACCESS_BYTES_OF_LANE).max(1);
    let changed = map_steps(record, |steps| {
        let mut tiled = Vec::new();
        let first_event = unused_event(steps);
        for step in steps {
            match step {
                GroupStep::Run(work) if work.traffic[DDR] >= BUFFER => {
                    is_changed = true;
                    tile(work, access, first_event, &mut tiled);
                }
                other => tiled.push(other.clone()),
            }
        }
        tiled
    });
    is_changed.then_some(changed)
}

/// The first of the numbers that no transfer of these steps has for its event.
pub fn unused_event(steps: &[GroupStep]) -> u32 {
    let events = steps.iter().map(|step| match step {
        GroupStep::Transfer { event, .. } | GroupStep::Wait { event, .. } => *event,
        GroupStep::Run(_) | GroupStep::Spend { .. } => 0,
    });
    events.max().unwrap_or(0) + 1
}

/// Code whose data a transfer moves while the code of the buffer before runs. An access of AM moves
/// `access` bytes; the buffers' events have two numbers from `first_event` on.
fn tile(work: &SegmentWork, access: u64, first_event: u32, steps: &mut Vec<GroupStep>) {
    let bytes = work.traffic[DDR];
    let tiles = bytes.div_ceil(BUFFER).clamp(1, MAX_TILES);
    let part = |value: u64, tile: u64| scaled(value, tile + 1, tiles) - scaled(value, tile, tiles);
    let transfer = |tile: u64| GroupStep::Transfer {
        times: 1,
        between: SegmentWork::default(),
        event: first_event + (tile % 2) as u32,
        rows: 1,
        row_bytes: part(bytes, tile).max(1),
        to_scratchpad: true,
        memory: SharedMemory::Ddr,
        second: None,
        sites: [].into(),
    };
    steps.push(transfer(0));
    for tile in 0..tiles {
        if tile + 1 < tiles {
            steps.push(transfer(tile + 1));
        }
        steps.push(GroupStep::Wait {
            event: first_event + (tile % 2) as u32,
            site: 0,
        });
        let mut traffic = work.traffic;
        traffic[DDR] = 0;
        let copied = SegmentWork {
            scratchpad: work.scratchpad + bytes / access,
            outside: 0,
            traffic,
            ..work.clone()
        };
        steps.push(GroupStep::Run(part_of(&copied, |value| part(value, tile))));
    }
}

/// Transfers to local memory start before the code in front of them, and those at the beginning of a
/// group before the code of the group before. None if no transfer moves.
pub fn double_buffered(record: &LaunchRecord) -> Option<LaunchRecord> {
    let mut changed = record.clone();
    let mut is_changed = false;
    for array in &mut changed.arrays {
        let mut sequences = Vec::new();
        for (steps, times) in std::mem::take(&mut array.steps) {
            let (early, moved) = hoisted(&steps);
            is_changed |= moved;
            let first = early.iter().position(|step| !is_load(step)).unwrap_or(0);
            let (loads, rest) = early.split_at(first);
            let waits = rest.iter().take_while(|step| is_wait(step)).count();
            if loads.is_empty() || waits == 0 || times < 2 {
                sequences.push((GroupSteps::from(early), times));
                continue;
            }
            is_changed = true;
            let with_next = [&rest[..waits], loads, &rest[waits..]].concat();
            // Waits are for transfers of the same group, so that groups are joined.
            let joined = |groups: u64| {
                let repeated = (1..groups).flat_map(|_| &with_next);
                let all = loads.iter().chain(repeated).chain(rest);
                GroupSteps::from(all.cloned().collect::<Vec<_>>())
            };
            if times >= MAX_JOINED {
                sequences.push((joined(MAX_JOINED), times / MAX_JOINED));
            }
            if times % MAX_JOINED > 0 {
                sequences.push((joined(times % MAX_JOINED), 1));
            }
        }
        array.steps = sequences;
    }
    is_changed.then_some(changed)
}

/// The steps with loads in front of the code that precedes them; whether one moved.
fn hoisted(steps: &[GroupStep]) -> (Vec<GroupStep>, bool) {
    let mut steps = steps.to_vec();
    let mut is_changed = false;
    for at in 1..steps.len() {
        let mut place = at;
        // Loads stay in their order.
        while place > 0 && is_load(&steps[place]) && matches!(steps[place - 1], GroupStep::Run(_)) {
            steps.swap(place - 1, place);
            place -= 1;
            is_changed = true;
        }
    }
    (steps, is_changed)
}

fn is_wait(step: &GroupStep) -> bool {
    matches!(step, GroupStep::Wait { .. })
}

/// Transfers of one event that code starts one after another become one of as many rows; none where
/// there are none.
pub fn fewer_transfers(record: &LaunchRecord) -> Option<LaunchRecord> {
    let mut is_changed = false;
    let changed = map_steps(record, |steps| {
        let mut steps = steps.to_vec();
        for step in &mut steps {
            if let GroupStep::Transfer {
                times,
                rows,
                between,
                ..
            } = step
                && *times > 1
            {
                is_changed = true;
                *rows = rows.saturating_mul(*times);
                *times = 1;
                *between = SegmentWork::default();
            }
        }
        steps
    });
    is_changed.then_some(changed)
}
