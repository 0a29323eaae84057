//! Performance counters of a launch (cl_mocl3_performance_counters): their names, and the fields
//! of a launch report that they return.

use device_sim::machine::SharedMemory;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::{Activity, ArrayTiming};

/// A counter of `T`.
pub struct Counter<T> {
    /// Name, a C identifier.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Description, English text.
    pub description: &'static str,
    read: fn(&T) -> u64,
}

const fn counter<T>(
    name: &'static str,
    unit: &'static str,
    description: &'static str,
    read: fn(&T) -> u64,
) -> Counter<T> {
    Counter {
        name,
        unit,
        description,
        read,
    }
}

fn share(activity: Activity, array: &ArrayTiming) -> u64 {
    array.cycles[activity].0
}

fn shares(activity: Activity, report: &LaunchReport) -> u64 {
    let arrays = report.timing.arrays.iter();
    arrays.map(|array| share(activity, array)).sum()
}

fn traffic(memory: SharedMemory, report: &LaunchReport) -> u64 {
    report.timing.traffic[memory as usize].0
}

/// The counters of a launch.
pub static LAUNCH_COUNTERS: &[Counter<LaunchReport>] = &[
    counter(
        "cycles",
        "cycle",
        "from the launch to the host's knowledge of its end",
        |report| report.timing.end.0,
    ),
    counter(
        "compute_cycles",
        "cycle",
        "operations, summed over the arrays",
        |report| shares(Activity::Compute, report),
    ),
    counter(
        "scratchpad_cycles",
        "cycle",
        "waits for SM and AM, summed over the arrays",
        |report| shares(Activity::Scratchpad, report),
    ),
    counter(
        "memory_cycles",
        "cycle",
        "waits for GSM, HBSM and DDR, summed over the arrays",
        |report| shares(Activity::Memory, report),
    ),
    counter(
        "dma_wait_cycles",
        "cycle",
        "waits for DMA transfers, summed over the arrays",
        |report| shares(Activity::DmaWait, report),
    ),
    counter(
        "lock_wait_cycles",
        "cycle",
        "waits for hardware locks, summed over the arrays",
        |report| shares(Activity::LockWait, report),
    ),
    counter(
        "barrier_cycles",
        "cycle",
        "barriers of work-groups, summed over the arrays",
        |report| shares(Activity::Barrier, report),
    ),
    counter(
        "launch_cycles",
        "cycle",
        "launch overhead: starting arrays and signalling completion, summed over the arrays",
        |report| shares(Activity::Launch, report),
    ),
    counter(
        "idle_cycles",
        "cycle",
        "nothing to do, summed over the arrays",
        |report| shares(Activity::Idle, report),
    ),
    counter(
        "operations",
        "operation",
        "machine instructions; one for all lanes is one",
        |report| report.totals.operations,
    ),
    counter(
        "single_flops",
        "operation",
        "lanes' floating-point operations of single precision and below; an fma is two",
        |report| report.totals.single_flops,
    ),
    counter(
        "double_flops",
        "operation",
        "lanes' floating-point operations of double precision; an fma is two",
        |report| report.totals.double_flops,
    ),
    counter(
        "scalar_flops",
        "operation",
        "floating-point operations of the control cores",
        |report| report.totals.scalar_flops,
    ),
    counter(
        "scratchpad_bytes",
        "byte",
        "loaded from and stored to SM and AM",
        |report| report.totals.scratchpad_bytes.0,
    ),
    counter(
        "gsm_bytes",
        "byte",
        "loaded from and stored to GSM by the arrays, in whole lines",
        |report| traffic(SharedMemory::Gsm, report),
    ),
    counter(
        "hbsm_bytes",
        "byte",
        "loaded from and stored to HBSM by the arrays, in whole lines",
        |report| traffic(SharedMemory::Hbsm, report),
    ),
    counter(
        "ddr_bytes",
        "byte",
        "loaded from and stored to DDR by the arrays, in whole lines; DMA not counted",
        |report| traffic(SharedMemory::Ddr, report),
    ),
    counter(
        "dma_transfers",
        "transfer",
        "DMA transfers started",
        |report| report.timing.transfers,
    ),
    counter("dma_bytes", "byte", "moved by DMA transfers", |report| {
        report.timing.transferred.0
    }),
    counter("locks", "lock", "hardware locks taken", |report| {
        report.timing.locks
    }),
    counter(
        "active_lanes",
        "lane",
        "lanes that took part, summed over the machine instructions for lanes",
        |report| report.totals.active_lanes,
    ),
    counter(
        "lane_slots",
        "lane",
        "lanes that could have taken part in these",
        |report| report.totals.lane_slots,
    ),
    counter("work_groups", "work-group", "work-groups", |report| {
        report.totals.groups
    }),
    counter("work_items", "work-item", "work-items", |report| {
        report.totals.work_items
    }),
    counter(
        "local_memory",
        "byte",
        "local memory of a work-group",
        |report| report.local_memory.0,
    ),
    counter("stack", "byte", "a work-group's stack in SM", |report| {
        report.stack.0
    }),
    counter(
        "private_memory",
        "byte",
        "AM that holds the private variables of a work-group",
        |report| report.private_memory.0,
    ),
];

/// The counters of each array.
pub static ARRAY_COUNTERS: &[Counter<ArrayTiming>] = &[
    counter("array", "", "number of the array in its cluster", |array| {
        array.array
    }),
    counter(
        "begin",
        "cycle",
        "its code began, cycles after the launch",
        |array| array.begin.0,
    ),
    counter(
        "end",
        "cycle",
        "its last work-group ended, cycles after the launch",
        |array| array.end.0,
    ),
    counter("compute_cycles", "cycle", "operations", |array| {
        share(Activity::Compute, array)
    }),
    counter(
        "scratchpad_cycles",
        "cycle",
        "waits for SM and AM",
        |array| share(Activity::Scratchpad, array),
    ),
    counter(
        "memory_cycles",
        "cycle",
        "waits for GSM, HBSM and DDR",
        |array| share(Activity::Memory, array),
    ),
    counter(
        "dma_wait_cycles",
        "cycle",
        "waits for DMA transfers",
        |array| share(Activity::DmaWait, array),
    ),
    counter(
        "lock_wait_cycles",
        "cycle",
        "waits for hardware locks",
        |array| share(Activity::LockWait, array),
    ),
    counter(
        "barrier_cycles",
        "cycle",
        "barriers of work-groups",
        |array| share(Activity::Barrier, array),
    ),
    counter(
        "launch_cycles",
        "cycle",
        "launch overhead: starting arrays and signalling completion",
        |array| share(Activity::Launch, array),
    ),
    counter("idle_cycles", "cycle", "nothing to do", |array| {
        share(Activity::Idle, array)
    }),
];

/// The values of a launch's counters, in the order of `LAUNCH_COUNTERS`.
pub fn launch_values(report: &LaunchReport) -> Vec<u64> {
    values(LAUNCH_COUNTERS, report).collect()
}

/// The values of the array counters: for each array of the device, in the order of
/// `ARRAY_COUNTERS`.
pub fn array_values(report: &LaunchReport) -> Vec<u64> {
    let arrays = report.timing.arrays.iter();
    arrays
        .flat_map(|array| values(ARRAY_COUNTERS, array))
        .collect()
}

fn values<T>(counters: &'static [Counter<T>], of: &T) -> impl Iterator<Item = u64> {
    counters.iter().map(move |counter| (counter.read)(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::timing::launch_report::Totals;
    use device_sim::timing::launch_timing::{CyclesByActivity, LaunchTiming};
    use device_sim::units::{Bytes, Cycles};
    use std::collections::HashSet;

    /// Checks that each field of a report is read by one counter.
    #[test]
    fn each_number_of_a_report_has_a_counter() {
        let mut number = 0;
        let mut next = || {
            number += 1;
            number
        };
        let array = ArrayTiming {
            array: next(),
            begin: Cycles(next()),
            end: Cycles(next()),
            cycles: CyclesByActivity([(); 8].map(|()| Cycles(next()))),
        };
        let report = LaunchReport {
            timing: LaunchTiming {
                end: Cycles(next()),
                traffic: [(); 3].map(|()| Bytes(next())),
                transfers: next(),
                transferred: Bytes(next()),
                locks: next(),
                arrays: vec![array.clone()],
                ..LaunchTiming::default()
            },
            totals: Totals {
                groups: next(),
                work_items: next(),
                operations: next(),
                single_flops: next(),
                double_flops: next(),
                scalar_flops: next(),
                scratchpad_bytes: Bytes(next()),
                active_lanes: next(),
                lane_slots: next(),
            },
            local_memory: Bytes(next()),
            stack: Bytes(next()),
            private_memory: Bytes(next()),
            ..LaunchReport::default()
        };
        let read: HashSet<u64> = launch_values(&report).into_iter().collect();
        assert_eq!(read.len(), LAUNCH_COUNTERS.len());
        assert_eq!(array_values(&report), (1..12).collect::<Vec<u64>>());
        let expected: HashSet<u64> = (4..=number).collect();
        assert_eq!(read, expected);
        let names: HashSet<_> = LAUNCH_COUNTERS.iter().map(|counter| counter.name).collect();
        assert_eq!(names.len(), LAUNCH_COUNTERS.len());
    }

    #[test]
    fn sums_are_over_the_arrays() {
        let array = |compute| ArrayTiming {
            cycles: CyclesByActivity([compute, 0, 0, 0, 0, 0, 0, 1].map(Cycles)),
            ..ArrayTiming::default()
        };
        let mut report = LaunchReport::default();
        report.timing.arrays = vec![array(3), array(4)];
        let values = launch_values(&report);
        let of = |name| {
            let place = LAUNCH_COUNTERS
                .iter()
                .position(|counter| counter.name == name);
            values[place.unwrap()]
        };
        assert_eq!(of("compute_cycles"), 7);
        assert_eq!(of("idle_cycles"), 2);
        assert_eq!(array_values(&report).len(), 2 * ARRAY_COUNTERS.len());
    }
}
