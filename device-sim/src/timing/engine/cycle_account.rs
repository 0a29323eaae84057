//! How an array has spent its cycles.

use super::activity_timeline::ActivityTimeline;
use crate::timing::launch_timing::CyclesByActivity;
use crate::units::Cycles;

/// How an array has spent its cycles since it began.
#[derive(Debug, Default)]
pub struct CycleAccount {
    /// Sums by activity.
    pub cycles: CyclesByActivity,
    /// The same over time, if wanted.
    pub timeline: Option<ActivityTimeline>,
}

impl CycleAccount {
    /// Adds the time from `begin` to `end`, of which `spent` is the distribution.
    pub fn spend(&mut self, begin: Cycles, end: Cycles, spent: &CyclesByActivity) {
        self.cycles += *spent;
        if let Some(timeline) = &mut self.timeline {
            timeline.add(begin, end, spent);
        }
    }
}
