//! What an array has done with its cycles.

use super::timeline::Timeline;
use crate::timing::outcome::{Activity, Shares};

/// What an array has done with its cycles since it began.
#[derive(Debug, Default)]
pub struct Account {
    pub shares: Shares,
    pub timeline: Option<Timeline>,
}

impl Account {
    /// From one time to another the array did this; the shares add up to the time.
    pub fn spend(&mut self, begin: u64, end: u64, spent: &Shares) {
        for (sum, cycles) in self.shares.iter_mut().zip(spent) {
            *sum += cycles;
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.add(begin, end, spent);
        }
    }
}

/// Cycles of one activity.
pub fn spent(activity: Activity, cycles: u64) -> Shares {
    let mut shares = Shares::default();
    shares[activity as usize] = cycles;
    shares
}
