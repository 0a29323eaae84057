//! Steps of launches for tests, and a machine on which their times can be computed by hand.

use super::launch_record::{GroupStep, SegmentWork};
use crate::machine::{Machine, SharedMemory};

/// MT-3000 that starts arrays at once.
pub fn machine() -> Machine {
    let mut machine = Machine::mt3000();
    let costs = &mut machine.launch.costs;
    for cost in [
        &mut costs.interrupt,
        &mut costs.interrupt_array,
        &mut costs.completion,
        &mut costs.completion_array,
    ] {
        cost.value = 0;
    }
    machine
}

pub fn compute(cycles: u64) -> GroupStep {
    GroupStep::Run(SegmentWork {
        compute: cycles,
        ..SegmentWork::default()
    })
}

/// One row from a memory outside to local memory, started at site 1.
pub fn load_from(memory: SharedMemory, event: u32, bytes: u64) -> GroupStep {
    GroupStep::Transfer {
        times: 1,
        between: SegmentWork::default(),
        event,
        rows: 1,
        row_bytes: bytes,
        to_scratchpad: true,
        memory,
        second: None,
        sites: [(1, 1)].into(),
    }
}

/// One row from global to local memory.
pub fn load(event: u32, bytes: u64) -> GroupStep {
    load_from(SharedMemory::Ddr, event, bytes)
}

/// A wait at site 2.
pub fn wait(event: u32) -> GroupStep {
    GroupStep::Wait { event, site: 2 }
}
