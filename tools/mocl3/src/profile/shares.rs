//! Shares of activities in cycles.

use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::Cycles;
use serde::{Serialize, Serializer};

/// Activities with their keys in JSON and their names in reports.
pub const ACTIVITIES: [(Activity, &str, &str); 8] = [
    (Activity::Compute, "compute", "compute"),
    (Activity::Scratchpad, "scratchpad", "SM/AM"),
    (Activity::Memory, "memory", "memory"),
    (Activity::DmaWait, "dma_wait", "DMA wait"),
    (Activity::LockWait, "lock_wait", "lock wait"),
    (Activity::Barrier, "barrier", "barrier"),
    (Activity::Launch, "launch", "launch"),
    (Activity::Idle, "idle", "idle"),
];

/// Shares in tenths of a percent. Their sum is 1000, or 0 without cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentages(pub [u32; 8]);

impl Percentages {
    /// Rounds by the largest-remainder method, which keeps the sum exact.
    pub fn new(cycles: &CyclesByActivity) -> Self {
        let sum: u128 = cycles.0.iter().map(|cycles| u128::from(cycles.0)).sum();
        if sum == 0 {
            return Self::default();
        }
        let exact = cycles.0.map(|cycles| u128::from(cycles.0) * 1000);
        let mut tenths = exact.map(|exact| u32::try_from(exact / sum).unwrap_or(1000));
        let mut order: Vec<usize> = (0..exact.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(exact[place] % sum));
        let missing = 1000 - tenths.iter().sum::<u32>();
        for &place in order.iter().take(missing as usize) {
            tenths[place] += 1;
        }
        Self(tenths)
    }

    /// Percent, in the order of `ACTIVITIES`.
    pub fn percent(&self, place: usize) -> f64 {
        f64::from(self.0[place]) / 10.0
    }
}

impl Serialize for Percentages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            ACTIVITIES
                .iter()
                .enumerate()
                .map(|(place, (_, key, _))| (key, self.percent(place))),
        )
    }
}

/// The cycles of a number of equal launches.
pub fn times(cycles: &CyclesByActivity, launches: u64) -> CyclesByActivity {
    CyclesByActivity(cycles.0.map(|cycles| Cycles(cycles.0 * launches)))
}

/// Writes cycles by activity as an object.
pub fn serialize_cycles<S: Serializer>(
    cycles: &CyclesByActivity,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let keys = ACTIVITIES.iter().map(|(_, key, _)| key);
    serializer.collect_map(keys.zip(cycles.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::units::Cycles;

    #[test]
    fn the_order_is_that_of_shares() {
        assert_eq!(ACTIVITIES.map(|(activity, ..)| activity), Activity::ALL);
        for (activity, key, _) in ACTIVITIES {
            assert_eq!(serde_json::to_value(activity).expect("a name"), key);
        }
    }

    #[test]
    fn percentages_add_up() {
        cases(|cycles| {
            let tenths = Percentages::new(cycles).0;
            assert_eq!(tenths.iter().sum::<u32>(), 1000, "{cycles:?}");
            let sum: f64 = cycles.0.iter().map(|cycles| cycles.0 as f64).sum();
            for (&tenths, cycles) in tenths.iter().zip(cycles.0) {
                let exact = cycles.0 as f64 * 1000.0 / sum;
                assert!((f64::from(tenths) - exact).abs() < 1.0 + 1e-6);
            }
        });
        assert_eq!(
            Percentages::new(&CyclesByActivity([1, 1, 1, 0, 0, 0, 0, 0].map(Cycles))).0,
            [334, 333, 333, 0, 0, 0, 0, 0]
        );
        assert_eq!(Percentages::new(&CyclesByActivity::default()).0, [0; 8]);
        assert_eq!(
            Percentages::new(&CyclesByActivity([Cycles::MAX; 8])).0,
            [125; 8]
        );
    }

    /// Pseudo-random numbers of very different sizes.
    fn cases(check: impl Fn(&CyclesByActivity)) {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let bits = state >> 33;
            bits >> (bits % 31)
        };
        for _ in 0..1000 {
            let cycles = CyclesByActivity(std::array::from_fn(|_| Cycles(next())));
            if cycles != CyclesByActivity::default() {
                check(&cycles);
            }
        }
    }
}
