//! What an array has done with its cycles.

use super::activity_timeline::ActivityTimeline;
use crate::timing::launch_timing::{Activity, CyclesByActivity};

/// What an array has done with its cycles since it began.
#[derive(Debug, Default)]
pub struct CycleAccount {
    pub shares: CyclesByActivity,
    pub timeline: Option<ActivityTimeline>,
}

impl CycleAccount {
    /// From one time to another the array did this; the shares add up to the time.
    pub fn spend(&mut self, begin: u64, end: u64, spent: &CyclesByActivity) {
        for (sum, cycles) in self.shares.iter_mut().zip(spent) {
            *sum += cycles;
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.add(begin, end, spent);
        }
    }
}

/// Cycles of one activity.
pub fn spent(activity: Activity, cycles: u64) -> CyclesByActivity {
    let mut shares = CyclesByActivity::default();
    shares[activity as usize] = cycles;
    shares
}
