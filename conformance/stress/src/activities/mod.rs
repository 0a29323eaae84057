//! The activities that the threads repeat: each creates objects, uses them together with shared
//! ones, and compares the results with the expected ones.

mod callbacks;
mod graph;
mod images;
mod maps;
mod objects;
mod pipeline;
mod programs;
mod sharing;

use crate::world::World;
use anyhow::Result;
use fastrand::Rng;

/// Runs an activity once, in the thread with this number.
type Run = fn(&World, &mut Rng, usize) -> Result<()>;

/// An activity.
pub struct Activity {
    /// Its name in the watchdog's reports.
    pub name: &'static str,
    /// Relative frequency.
    weight: u32,
    /// Runs the activity once.
    pub run: Run,
}

const fn activity(name: &'static str, weight: u32, run: Run) -> Activity {
    Activity { name, weight, run }
}

/// All activities. Those that compile are rare, because they are slow.
const ALL: &[Activity] = &[
    activity("pipeline", 30, pipeline::run),
    activity("graph", 12, graph::run),
    activity("failing graph", 6, graph::run_failing),
    activity("callbacks", 10, callbacks::run),
    activity("destructors", 8, callbacks::destructors),
    activity("images", 12, images::run),
    activity("objects", 8, objects::run),
    activity("a context of its own", 4, objects::own_context),
    activity("sub-devices", 2, objects::sub_devices),
    activity("parcels", 14, sharing::parcels),
    activity("counters", 14, sharing::counters),
    activity("maps", 10, maps::run),
    activity("programs", 1, programs::run),
];

/// A random activity, by weight.
pub fn any(random: &mut Rng) -> &'static Activity {
    let all: u32 = ALL.iter().map(|activity| activity.weight).sum();
    let mut place = random.u32(..all);
    ALL.iter()
        .find(|activity| match place.checked_sub(activity.weight) {
            None => true,
            Some(rest) => {
                place = rest;
                false
            }
        })
        .expect("the place is below the sum")
}
