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
    /// Adds a wait for DMA, shared by sites of the code in proportion to their numbers.
    pub fn wait_for_dma(&mut self, sites: &[(u32, u64)], begin: Cycles, end: Cycles) {
        if end <= begin {
            return;
        }
        let all: u64 = sites.iter().map(|(_, times)| times).sum();
        let (mut counted, mut shared) = (0, 0);
        for (site, times) in sites {
            counted += times;
            let until = u128::from((end - begin).0) * u128::from(counted) / u128::from(all.max(1));
            let site = *site as usize;
            if self.dma_waits.len() <= site {
                self.dma_waits.resize(site + 1, Cycles::ZERO);
            }
            self.dma_waits[site] += Cycles(until as u64 - shared);
            shared = until as u64;
        }
        self.spend(begin, end, &[(Activity::DmaWait, end - begin)]);
    }

    /// Adds the time from `begin` to `end`, of which these cycles were spent for these activities.
    pub fn spend(&mut self, begin: Cycles, end: Cycles, spent: &[(Activity, Cycles)]) {
        for (activity, cycles) in spent {
            let sum = &mut self.cycles[*activity];
            *sum = sum.saturating_add(*cycles);
        }
        if let Some(timeline) = &mut self.timeline {
            let mut distribution = CyclesByActivity::default();
            for (activity, cycles) in spent {
                distribution[*activity] = *cycles;
            }
            timeline.add(begin, end, &distribution);
        }
    }
}
