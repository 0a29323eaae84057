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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::device::platform::Platform;
    use std::ops::Range;

    /// An access to bytes of one data store.
    fn region(bytes: Range<usize>, writes: bool) -> AccessedRegion {
        AccessedRegion::new(1, bytes, writes)
    }

    /// A tracker with events that have not ended.
    struct Tracked {
        tracker: RegionTracker,
        context: Arc<Context>,
        events: Vec<Arc<Event>>,
    }

    impl Tracked {
        fn new() -> Self {
            let device = Arc::clone(&Platform::get().devices()[0]);
            Self {
                tracker: RegionTracker::default(),
                context: Context::new(vec![device], None).unwrap(),
                events: Vec::new(),
            }
        }

        /// Adds a task; the places of those that it waits for.
        fn add(&mut self, regions: Vec<AccessedRegion>) -> Vec<usize> {
            let event = Event::user(&self.context);
            let task = TrackedTask {
                event: Arc::downgrade(&event),
                simulated: None,
            };
            self.events.push(event);
            let waits_for = self.tracker.add(regions, task);
            let place = |task: &TrackedTask| {
                let of = |event: &Arc<Event>| std::ptr::eq(Arc::as_ptr(event), task.event.as_ptr());
                self.events.iter().position(of).unwrap()
            };
            waits_for.iter().map(place).collect()
        }
    }

    #[test]
    fn tasks_wait_for_conflicts() {
        let mut tracked = Tracked::new();
        assert_eq!(tracked.add(vec![region(0..8, false)]), [0; 0]);
        assert_eq!(tracked.add(vec![region(0..8, false)]), [0; 0]);
        // WAR, of both.
        assert_eq!(tracked.add(vec![region(4..12, true)]), [0, 1]);
        // RAW.
        assert_eq!(tracked.add(vec![region(11..20, false)]), [2]);
        // WAW, and WAR of the last.
        assert_eq!(tracked.add(vec![region(8..12, true)]), [2, 3]);
        assert_eq!(tracked.add(vec![region(20..30, true)]), [0; 0]);
        assert_eq!(tracked.add(Vec::new()), [0; 0]);
    }

    #[test]
    fn what_is_overwritten_is_forgotten() {
        let mut tracked = Tracked::new();
        tracked.add(vec![region(0..8, true)]);
        tracked.add(vec![region(8..16, false)]);
        assert_eq!(tracked.add(vec![region(0..16, true)]), [0, 1]);
        // It waits for the last one only, which waits for the others.
        assert_eq!(tracked.add(vec![region(0..16, false)]), [2]);
    }

    #[test]
    fn ended_tasks_are_removed() {
        let mut tracked = Tracked::new();
        for place in 0..10_000 {
            tracked.add(vec![region(place..place + 1, true)]);
            let event = tracked.events.last().unwrap();
            event
                .set_user_status(crate::event::ExecutionStatus::Complete)
                .unwrap();
        }
        assert!(tracked.tracker.tasks.len() < 100);
    }
}
