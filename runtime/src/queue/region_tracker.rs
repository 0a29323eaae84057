//! What the tasks of an out-of-order queue on accelerators wait for besides events: earlier ones that write
//! what they read, read what they write, or write what they write. The hardware task scheduler does the same
//! with the regions of its tasks (HTS paper, section IV.B).

use crate::command::AccessedRegion;
use crate::event::Event;
use crate::time::simulated_command::SimulatedCommand;
use std::sync::{Arc, Weak};

/// A task in the host's order and, if it is timed, in simulated time.
#[derive(Clone)]
pub(super) struct TrackedTask {
    pub event: Weak<Event>,
    pub simulated: Option<Arc<SimulatedCommand>>,
}

impl TrackedTask {
    /// Whether no later task needs to wait for it.
    fn has_ended(&self) -> bool {
        let is_running = |event: Arc<Event>| !event.status().has_ended();
        let on_host = !self.event.upgrade().is_some_and(is_running);
        let timed = self.simulated.as_ref();
        on_host && timed.is_none_or(|simulated| simulated.end().is_some())
    }
}

/// The tasks that have not ended.
#[derive(Default)]
pub(super) struct RegionTracker {
    tasks: Vec<(Vec<AccessedRegion>, TrackedTask)>,
}

impl RegionTracker {
    /// Adds a task; returns those that it waits for.
    pub fn add(&mut self, regions: Vec<AccessedRegion>, task: TrackedTask) -> Vec<TrackedTask> {
        if regions.is_empty() {
            return Vec::new();
        }
        let conflicts = |earlier: &[AccessedRegion]| {
            let mut pairs = earlier
                .iter()
                .flat_map(|one| regions.iter().map(move |other| (one, other)));
            pairs.any(|(one, other)| one.conflicts_with(other))
        };
        let earlier = self.tasks.iter();
        let earlier = earlier.filter(|(earlier, _)| conflicts(earlier));
        let waits_for = earlier.map(|(_, task)| task.clone()).collect();
        // Later tasks that conflict with one whose memory is overwritten wait for this one.
        self.tasks.retain(|(earlier, _)| {
            let is_overwritten =
                |one: &AccessedRegion| regions.iter().any(|new| new.overwrites(one));
            !earlier.iter().all(is_overwritten)
        });
        if self.tasks.len() == self.tasks.capacity() {
            self.tasks.retain(|(_, task)| !task.has_ended());
            // Room for as many as are left, so that the next pruning is not soon.
            self.tasks.reserve(self.tasks.len().max(16));
        }
        self.tasks.push((regions, task));
        waits_for
    }
}
