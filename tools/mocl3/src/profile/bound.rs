//! The activity that bounds a kernel, as a sentence that follows from its numbers alone.

use super::format;
use super::kernel::{Bound, KernelProfile};
use super::shares::ACTIVITIES;
use device_sim::machine::SharedMemory;
use device_sim::timing::launch_timing::Activity;
use device_sim::units::Cycles;

/// A memory is busy if it uses at least this percentage of its bandwidth while arrays run.
const BUSY: f64 = 70.0;

/// The sentence names a second activity with at least this fraction of the first one's share.
const MIN_SECOND_SHARE: f64 = 0.6;

/// Finds what bounds `kernel`.
pub fn find(kernel: &KernelProfile) -> Bound {
    let mut order: Vec<usize> = (0..ACTIVITIES.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(kernel.array_cycles.0[index]));
    let (first, second) = (order[0], order[1]);
    if kernel.array_cycles.0[first] == Cycles::ZERO {
        return Bound {
            by: None,
            sentence: "not timed".into(),
        };
    }
    let percent = |index| kernel.shares.percent(index);
    let mut sentence = first_sentence(kernel, ACTIVITIES[first].0, percent(first));
    if percent(second) >= percent(first) * MIN_SECOND_SHARE {
        let (_, _, name) = ACTIVITIES[second];
        sentence += &format!("; then {name} ({:.0} %)", percent(second));
    }
    Bound {
        by: Some(ACTIVITIES[first].1),
        sentence,
    }
}

fn first_sentence(kernel: &KernelProfile, activity: Activity, percent: f64) -> String {
    let (memory, own, others) = busiest_memory(kernel);
    let used = while_running(kernel, own + others);
    let mut use_of_memory =
        format!("{memory} is used at {used:.0} % of its bandwidth while arrays run");
    let others = while_running(kernel, others);
    if others >= 1.0 {
        use_of_memory += &format!(", {others:.0} % by groups that run at the same time");
    }
    let busy = used >= BUSY;
    match activity {
        Activity::Compute => format!(
            "bound by compute: {percent:.0} % of the time is operations, {}",
            share_of_peak(kernel)
        ),
        Activity::Scratchpad => {
            format!("bound by SM/AM: {percent:.0} % of the time waits for the scratchpads")
        }
        Activity::Memory if busy => {
            format!(
                "bound by {memory}: {percent:.0} % of the time waits for memory; {use_of_memory}"
            )
        }
        Activity::Memory => format!(
            "bound by {memory}'s latency: {percent:.0} % of the time waits for memory, though {use_of_memory}"
        ),
        Activity::DmaWait if busy => format!(
            "bound by {memory}: {percent:.0} % of the time waits for DMA transfers; {use_of_memory}"
        ),
        Activity::DmaWait => format!(
            "bound by DMA: {percent:.0} % of the time waits for transfers of {} on average; {use_of_memory}",
            format::bytes(kernel.dma_bytes / kernel.dma_transfers.max(1))
        ),
        Activity::LockWait => format!(
            "bound by hardware locks: {percent:.0} % of the time waits for one of {} locks taken",
            format::count(kernel.locks)
        ),
        Activity::Barrier => {
            format!("bound by barriers: {percent:.0} % of the time drains pipelines at them")
        }
        Activity::Launch => format!(
            "bound by launching: {percent:.0} % of the time starts arrays and reports their end; a launch lasts {}",
            format::time(kernel.time_ns / timed(kernel))
        ),
        Activity::Idle => format!(
            "bound by idle arrays: {percent:.0} % of the arrays' time has nothing to do; {}",
            why_idle(kernel)
        ),
    }
}

/// Converts a percentage of all time into one of the time in which arrays are neither started nor
/// idle.
fn while_running(kernel: &KernelProfile, percent: f64) -> f64 {
    let all = kernel.array_cycles.total().0;
    let not_running = [Activity::Launch, Activity::Idle].map(|a| kernel.array_cycles[a].0);
    let running = all - not_running.iter().sum::<u64>();
    (percent * all as f64 / running.max(1) as f64).min(100.0)
}

fn timed(kernel: &KernelProfile) -> u64 {
    (kernel.launches - kernel.untimed).max(1)
}

fn why_idle(kernel: &KernelProfile) -> String {
    let groups = kernel.groups / timed(kernel);
    match groups < u64::from(kernel.arrays) {
        true => format!(
            "a launch has {groups} work-group{} for {} arrays",
            if groups == 1 { "" } else { "s" },
            kernel.arrays
        ),
        false => format!(
            "the busiest array has {:.1} times the mean's work",
            kernel.imbalance
        ),
    }
}

/// The memory outside the arrays that is closest to its bandwidth; what the kernel uses of it, and what others do,
/// percent.
fn busiest_memory(kernel: &KernelProfile) -> (&'static str, f64, f64) {
    let own = &kernel.bandwidth;
    let of_others = |memory: SharedMemory| kernel.competing[memory as usize];
    // Of equal values, `max_by` returns the last.
    let memories = [
        ("GSM", own.gsm.percent, of_others(SharedMemory::Gsm)),
        ("HBSM", own.hbsm.percent, of_others(SharedMemory::Hbsm)),
        ("DDR", own.ddr.percent, of_others(SharedMemory::Ddr)),
    ];
    let used = |memory: &(&str, f64, f64)| memory.1 + memory.2;
    let busiest = |one: &_, other: &_| used(one).total_cmp(&used(other));
    memories.into_iter().max_by(busiest).unwrap_or_default()
}

fn share_of_peak(kernel: &KernelProfile) -> String {
    let (single, double) = (kernel.flops.single, kernel.flops.double);
    if single.total == 0 && double.total == 0 {
        return "none of them floating-point by lanes".into();
    }
    match double.percent >= single.percent {
        true => format!("{:.0} % of the peak in double precision", double.percent),
        false => format!("{:.0} % of the peak in single precision", single.percent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;
    use crate::synthetic;
    use device_sim::timing::launch_report::Totals;
    use device_sim::timing::launch_timing::{CyclesByActivity, LaunchTiming};
    use device_sim::units::Bytes;
    use std::sync::Arc;

    /// The sentence on a launch that lasts a millisecond, in which all arrays' time is as said.
    fn sentence(
        shares: &[(Activity, u64)],
        change: impl Fn(&mut LaunchTiming, &mut Totals),
    ) -> String {
        let mut process = synthetic::example();
        process
            .commands
            .retain(|command| command.kernel.as_deref() == Some("add"));
        for report in process
            .commands
            .iter_mut()
            .filter_map(|c| c.report.as_mut())
            .map(Arc::make_mut)
        {
            report.timing.end = Cycles(1_200_000);
            report.timing.traffic = [Bytes::ZERO; 3];
            for array in &mut report.timing.arrays {
                array.cycles = CyclesByActivity::default();
                for &(activity, percent) in shares {
                    array.cycles[activity] = Cycles(percent * 12_000);
                }
            }
            change(&mut report.timing, &mut report.totals);
        }
        let profile = Profile::new(&[process]);
        profile.kernels[0].bound.sentence.clone()
    }

    #[test]
    fn sentences_follow_from_the_numbers() {
        let same = |_: &mut LaunchTiming, _: &mut Totals| ();
        let is = |shares: &[(Activity, u64)], expected: &str| {
            assert_eq!(sentence(shares, same), expected);
        };
        // Of 5.53 GFLOP in the millisecond, and none.
        let half = |_: &mut LaunchTiming, totals: &mut Totals| totals.single_flops = 2_764_800_000;
        assert_eq!(
            sentence(&[(Activity::Compute, 90), (Activity::Idle, 10)], half),
            "bound by compute: 90 % of the time is operations, 50 % of the peak in single precision"
        );
        // Of 42.6 MB in the millisecond.
        let ddr = |bytes| {
            move |timing: &mut LaunchTiming, _: &mut Totals| timing.traffic[2] = Bytes(bytes)
        };
        let waits = [(Activity::Memory, 83), (Activity::Compute, 17)];
        assert_eq!(
            sentence(&waits, ddr(40_000_000)),
            "bound by DDR: 83 % of the time waits for memory; DDR is used at 94 % of its bandwidth while arrays run"
        );
        assert_eq!(
            sentence(&waits, ddr(4_000_000)),
            "bound by DDR's latency: 83 % of the time waits for memory, though DDR is used at 9 % of its bandwidth while arrays run"
        );
        let gsm =
            |timing: &mut LaunchTiming, _: &mut Totals| timing.traffic[0] = Bytes(300_000_000);
        assert!(sentence(&waits, gsm).starts_with("bound by GSM: 83 %"));
        let dma = |bytes| {
            move |timing: &mut LaunchTiming, _: &mut Totals| {
                timing.transfers = 1000;
                timing.transferred = Bytes(bytes);
                timing.transferred_lines = Bytes(bytes);
            }
        };
        let waits = [
            (Activity::DmaWait, 50),
            (Activity::Compute, 40),
            (Activity::Idle, 10),
        ];
        assert_eq!(
            sentence(&waits, dma(1_024_000)),
            "bound by DMA: 50 % of the time waits for transfers of 1.00 KiB on average; DDR is used at 3 % of its bandwidth while arrays run; then compute (40 %)"
        );
        assert!(
            sentence(&waits, dma(42_000_000))
                .starts_with("bound by DDR: 50 % of the time waits for DMA")
        );
        is(
            &[(Activity::Launch, 100)],
            "bound by launching: 100 % of the time starts arrays and reports their end; a launch lasts 1.00 ms",
        );
        is(
            &[(Activity::Barrier, 100)],
            "bound by barriers: 100 % of the time drains pipelines at them",
        );
        is(
            &[(Activity::Scratchpad, 100)],
            "bound by SM/AM: 100 % of the time waits for the scratchpads",
        );
        let locks = |timing: &mut LaunchTiming, _: &mut Totals| timing.locks = 77;
        assert!(sentence(&[(Activity::LockWait, 99)], locks).contains("one of 77 locks"));
        let few = |_: &mut LaunchTiming, totals: &mut Totals| totals.groups = 1;
        assert!(
            sentence(&[(Activity::Idle, 96), (Activity::Compute, 4)], few)
                .ends_with("a launch has 1 work-group for 24 arrays")
        );
        let uneven = |timing: &mut LaunchTiming, _: &mut Totals| {
            timing.arrays[3].cycles[Activity::Compute].0 *= 10;
        };
        let text = sentence(&[(Activity::Idle, 96), (Activity::Compute, 4)], uneven);
        assert!(
            text.ends_with("the busiest array has 7.3 times the mean's work"),
            "{text}"
        );
        is(&[], "not timed");
    }
}
