//! How an array has spent its cycles.

use super::activity_timeline::ActivityTimeline;
use crate::timing::launch_timing::{Activity, CyclesByActivity};
use crate::units::Cycles;

/// How an array has spent its cycles since it began.
#[derive(Debug, Default)]
pub struct CycleAccount {
    /// Sums by activity.
    pub cycles: CyclesByActivity,
    /// Of these, waits for DMA by site of the code.
    pub dma_waits: Vec<Cycles>,
    /// The same over time, if wanted.
    pub timeline: Option<ActivityTimeline>,
}

impl CycleAccount {
    /// Adds a wait for DMA at a site of the code.
    pub fn wait_for_dma(&mut self, site: u32, begin: Cycles, end: Cycles) {
        if end > begin {
            let site = site as usize;
            if self.dma_waits.len() <= site {
                self.dma_waits.resize(site + 1, Cycles::ZERO);
            }
            self.dma_waits[site] += end - begin;
            let spent = CyclesByActivity::of(Activity::DmaWait, end - begin);
            self.spend(begin, end, &spent);
        }
    }

    /// Adds the time from `begin` to `end`, of which `spent` is the distribution.
    pub fn spend(&mut self, begin: Cycles, end: Cycles, spent: &CyclesByActivity) {
        self.cycles += *spent;
        if let Some(timeline) = &mut self.timeline {
            timeline.add(begin, end, spent);
        }
    }
}
