//! What bounds a kernel: a sentence from its numbers, and from nothing else.

use super::kernel::{KernelProfile, Rate};
use super::shares::ACTIVITIES;
use super::units;
use device_sim::timing::outcome::Activity;
use serde::Serialize;

/// What bounds a kernel.
#[derive(Debug, Default, Serialize)]
pub struct Bound {
    /// The activity with the largest share: a key of the shares; none of a kernel that was not
    /// timed.
    pub by: Option<&'static str>,
    /// What people are told.
    pub sentence: String,
}

/// From this percentage of its bandwidth on a memory is called busy.
const BUSY: f64 = 70.0;

/// A second activity is worth words if it has so much of the first one's share.
const ALSO: f64 = 0.6;

/// What bounds `kernel`.
pub fn of(kernel: &KernelProfile) -> Bound {
    let mut order: Vec<usize> = (0..ACTIVITIES.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(kernel.array_cycles[place]));
    let (first, second) = (order[0], order[1]);
    if kernel.array_cycles[first] == 0 {
        return Bound {
            by: None,
            sentence: "not timed".into(),
        };
    }
    let percent = |place| kernel.shares.percent(place);
    let mut sentence = first_sentence(kernel, ACTIVITIES[first].0, percent(first));
    if percent(second) >= percent(first) * ALSO {
        let (_, _, name) = ACTIVITIES[second];
        sentence += &format!("; then {name} ({:.0} %)", percent(second));
    }
    Bound {
        by: Some(ACTIVITIES[first].1),
        sentence,
    }
}

fn first_sentence(kernel: &KernelProfile, activity: Activity, percent: f64) -> String {
    let (memory, rate) = busiest_memory(kernel);
    let use_of_memory = format!("{memory} is used at {:.0} % of its bandwidth", rate.percent);
    let busy = rate.percent >= BUSY;
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
            units::bytes(kernel.dma_bytes / kernel.dma_transfers.max(1))
        ),
        Activity::LockWait => format!(
            "bound by hardware locks: {percent:.0} % of the time waits for one of {} locks taken",
            units::count(kernel.locks)
        ),
        Activity::Barrier => {
            format!("bound by barriers: {percent:.0} % of the time drains pipelines at them")
        }
        Activity::Launch => format!(
            "bound by launching: {percent:.0} % of the time starts arrays and tells of their end; a launch lasts {}",
            units::time(kernel.time_ns / timed(kernel))
        ),
        Activity::Idle => format!(
            "bound by idle arrays: {percent:.0} % of the arrays' time has nothing to do; {}",
            why_idle(kernel)
        ),
    }
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

/// The memory outside the arrays that is closest to its bandwidth.
fn busiest_memory(kernel: &KernelProfile) -> (&'static str, Rate) {
    let bandwidth = &kernel.bandwidth;
    // The last of equals is the answer.
    let memories = [
        ("GSM", bandwidth.gsm),
        ("HBSM", bandwidth.hbsm),
        ("DDR", bandwidth.ddr),
    ];
    let busiest =
        |one: &(&str, Rate), other: &(&str, Rate)| one.1.percent.total_cmp(&other.1.percent);
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
