//! The steps of programs.

use device_sim::machine::SharedMemory;
use device_sim::timing::engine::programs::Action;
use device_sim::timing::launch_record::{GroupStep, SegmentWork};
use std::sync::Arc;

/// Rows of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub count: u64,
    pub bytes: u64,
}

impl Rows {
    /// One row.
    pub fn one(bytes: u64) -> Self {
        Self { count: 1, bytes }
    }
}

/// Code that runs for some cycles.
pub fn code(cycles: u64) -> SegmentWork {
    SegmentWork {
        compute: cycles,
        ..SegmentWork::default()
    }
}

pub fn run(cycles: u64) -> Action {
    Action::Step(GroupStep::Run(code(cycles)))
}

/// A transfer from a memory to a scratchpad.
pub fn load(event: u32, rows: Rows, memory: SharedMemory) -> Action {
    transfer(event, rows, memory, None, 1, SegmentWork::default(), true)
}

/// A transfer from a scratchpad to DDR.
pub fn store(event: u32, rows: Rows) -> Action {
    transfer(
        event,
        rows,
        SharedMemory::Ddr,
        None,
        1,
        SegmentWork::default(),
        false,
    )
}

/// A transfer from DDR to GSM.
pub fn load_shared(event: u32, rows: Rows) -> Action {
    let (from, to) = (SharedMemory::Ddr, Some(SharedMemory::Gsm));
    transfer(event, rows, from, to, 1, SegmentWork::default(), true)
}

/// Several transfers from a memory to a scratchpad, which begin one after the other while code runs.
pub fn loads_during(
    event: u32,
    times: u64,
    rows: Rows,
    memory: SharedMemory,
    code: SegmentWork,
) -> Action {
    transfer(event, rows, memory, None, times, code, true)
}

fn transfer(
    event: u32,
    rows: Rows,
    memory: SharedMemory,
    second: Option<SharedMemory>,
    times: u64,
    between: SegmentWork,
    to_scratchpad: bool,
) -> Action {
    Action::Step(GroupStep::Transfer {
        times,
        between,
        event,
        rows: rows.count,
        row_bytes: rows.bytes,
        to_scratchpad,
        memory,
        second,
        sites: Arc::from([]),
    })
}

pub fn wait(event: u32) -> Action {
    Action::Step(GroupStep::Wait { event, site: 0 })
}

/// The part of a count that array `number` of `arrays` has: whole units, as equal as possible.
pub fn share(count: u64, unit: u64, number: u64, arrays: u64) -> std::ops::Range<u64> {
    let units = count.div_ceil(unit);
    let place = |number: u64| (u128::from(units) * u128::from(number) / u128::from(arrays)) as u64;
    let (from, to) = (place(number), place(number + 1));
    (from * unit).min(count)..(to * unit).min(count)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_whole_units_and_cover_the_count() {
        for (count, unit, arrays) in [(0, 16, 24), (5, 16, 24), (1000, 16, 24), (4608, 192, 24)] {
            let mut end = 0;
            for number in 0..arrays {
                let own = share(count, unit, number, arrays);
                assert_eq!(own.start, end);
                assert!(own.start.is_multiple_of(unit) || own.is_empty());
                end = own.end;
            }
            assert_eq!(end, count);
        }
    }
}
