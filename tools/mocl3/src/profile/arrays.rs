//! The activities of each array in the launches of a kernel.

use super::shares::{Percentages, serialize_cycles};
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use serde::Serialize;
use std::collections::BTreeMap;

/// An array in all launches of a kernel.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ArrayProfile {
    /// The cluster's number.
    pub device: u32,
    /// The array's number in the cluster.
    pub array: u64,
    /// Cycles in which it was neither idle nor being started.
    pub busy_cycles: u64,
    /// Shares of the activities, percent.
    pub shares: Percentages,
    /// Cycles of each activity.
    #[serde(serialize_with = "serialize_cycles")]
    pub cycles: CyclesByActivity,
}

/// Arrays' cycles, summed over launches.
#[derive(Default)]
pub struct ArrayCycles(BTreeMap<(u32, u64), CyclesByActivity>);

impl ArrayCycles {
    /// Adds the cycles of an array in launches of a device.
    pub fn add(&mut self, device: u32, array: u64, cycles: CyclesByActivity) {
        let sum = self.0.entry((device, array)).or_default();
        *sum += cycles;
    }

    /// The sums, by cluster and array.
    pub fn profiles(self) -> Vec<ArrayProfile> {
        let profile = |((device, array), cycles): ((u32, u64), CyclesByActivity)| ArrayProfile {
            device,
            array,
            busy_cycles: busy(&cycles),
            shares: Percentages::new(&cycles),
            cycles,
        };
        self.0.into_iter().map(profile).collect()
    }
}

fn busy(cycles: &CyclesByActivity) -> u64 {
    let waits = [Activity::Launch, Activity::Idle];
    let activities = cycles.iter();
    activities
        .filter(|(activity, _)| !waits.contains(activity))
        .map(|(_, cycles)| cycles.0)
        .sum()
}

/// The busiest array's cycles divided by the mean of all arrays; 1 if all have the same, or none.
pub fn imbalance(arrays: &[ArrayProfile]) -> f64 {
    let sum: u64 = arrays.iter().map(|array| array.busy_cycles).sum();
    let most = arrays.iter().map(|array| array.busy_cycles).max();
    match most {
        Some(most) if sum > 0 => most as f64 * arrays.len() as f64 / sum as f64,
        _ => 1.0,
    }
}
