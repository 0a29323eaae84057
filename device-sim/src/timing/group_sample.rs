//! Which work-groups of a launch represent all of them in a prediction.

use super::cost::GroupDependence;
use super::launch_record::{GroupStep, LaunchRecord};

/// Most groups of a sample: their mean is within a few percent where groups at the borders of the
/// index space do less.
const MOST_SAMPLED: u64 = 64;

/// Fewest groups of a class that are worth a mean of their own.
const LEAST_SAMPLED: u64 = 32;

/// At most one group of this number is sampled where groups differ, so that a prediction takes a small
/// part of the time of an execution.
const GROUPS_PER_SAMPLED: u64 = 8;

/// Groups differ if the standard deviation of their cost is a larger part of the mean.
const EVEN: f64 = 0.1;

/// The numbers of the groups of a launch that a sample has: few, and spread evenly over all dimensions
/// of the index space.
pub fn sampled_groups(groups: u64, dependence: GroupDependence) -> Vec<u64> {
    match dependence {
        GroupDependence::None => (0..groups.min(1)).collect(),
        GroupDependence::GroupId => spread(groups, MOST_SAMPLED).collect(),
    }
}

/// At most `count` numbers below `end`, which are spread evenly: all, if these are not more.
fn spread(end: u64, count: u64) -> impl Iterator<Item = u64> {
    (0..count.min(end)).map(move |place| {
        if end <= count {
            return place;
        }
        // Multiples of the golden ratio: no period of the index space coincides with their distances.
        let fraction = place
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(1 << 63);
        ((u128::from(fraction) * u128::from(end)) >> 64) as u64
    })
}

/// Classes of groups: group number `n` is of class `n` modulo their number.
///
/// Group `n` runs on array `n` modulo the number of arrays. Where the length of the index space's rows has a common
/// divisor with that number, an array runs groups of some columns only, and its work differs from
/// that of others if columns differ. Arrays with the same columns have groups of the same class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupClasses {
    groups: u64,
    count: u64,
    /// Groups to sample of each class.
    sampled: u64,
}

impl GroupClasses {
    /// The classes of a launch with these groups in each dimension, on this number of arrays. None if each array runs
    /// groups of all columns, or classes are too small to be sampled.
    pub fn new(group_count: [u64; 3], arrays: u64) -> Option<Self> {
        let last = group_count.iter().rposition(|count| *count > 1)?;
        let row: u64 = group_count[..last].iter().product();
        let groups = row * group_count[last];
        let most = groups / GROUPS_PER_SAMPLED;
        let common = gcd(row, arrays);
        let count = (2..=common)
            .rev()
            .find(|count| common.is_multiple_of(*count) && most / count >= LEAST_SAMPLED)?;
        Some(Self {
            groups,
            count,
            sampled: MOST_SAMPLED.min(most / count),
        })
    }

    /// Their number.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Number of the groups of a class.
    pub fn groups(self, class: u64) -> u64 {
        (self.groups - class).div_ceil(self.count)
    }

    /// The numbers of the groups of a class that a sample has.
    pub fn sampled_groups(self, class: u64) -> Vec<u64> {
        spread(self.groups(class), self.sampled)
            .map(|member| class + member * self.count)
            .collect()
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}

/// Whether the groups of a record differ in cycles or bytes.
pub fn differ(record: &LaunchRecord) -> bool {
    let groups = || {
        let steps = record.arrays.iter().flat_map(|array| &array.steps);
        steps.map(|(steps, times)| (amounts(steps), *times as f64))
    };
    let is_uneven = |of: fn([f64; 2]) -> f64| {
        let all: f64 = groups().map(|(_, times)| times).sum();
        let sum: f64 = groups().map(|(amounts, times)| of(amounts) * times).sum();
        let mean = sum / all;
        let squares = groups().map(|(amounts, times)| (of(amounts) - mean).powi(2) * times);
        let deviation = (squares.sum::<f64>() / all).sqrt();
        deviation > EVEN * mean
    };
    is_uneven(|[cycles, _]| cycles) || is_uneven(|[_, bytes]| bytes)
}

/// Cycles of the code of steps, and bytes that they move.
fn amounts(steps: &[GroupStep]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for step in steps {
        let (work, transferred) = match step {
            GroupStep::Run(work) => (work, 0),
            GroupStep::Transfer {
                between,
                times,
                rows,
                row_bytes,
                ..
            } => (
                between,
                times.saturating_mul(*rows).saturating_mul(*row_bytes),
            ),
            GroupStep::Wait { .. } | GroupStep::Spend { .. } => continue,
        };
        sums[0] += work.cycles() as f64;
        sums[1] += transferred as f64 + work.traffic.iter().map(|b| *b as f64).sum::<f64>();
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_record::{ArrayRecord, GroupSteps};
    use crate::timing::test_steps::compute;

    #[test]
    fn samples_are_spread_over_all_dimensions() {
        assert_eq!(sampled_groups(0, GroupDependence::None), []);
        assert_eq!(sampled_groups(9, GroupDependence::None), [0]);
        assert_eq!(sampled_groups(3, GroupDependence::GroupId), [0, 1, 2]);
        for (columns, rows) in [(64, 64), (1000, 1), (3, 1000), (1 << 20, 1 << 20)] {
            let groups = sampled_groups(columns * rows, GroupDependence::GroupId);
            let mean = |of: &dyn Fn(u64) -> f64| {
                groups.iter().map(|group| of(*group)).sum::<f64>() / groups.len() as f64
            };
            for mean in [
                mean(&|group| ((group % columns) as f64 + 0.5) / columns as f64),
                mean(&|group| ((group / columns) as f64 + 0.5) / rows as f64),
            ] {
                assert!((mean - 0.5).abs() < 0.04, "{columns} x {rows}: {mean}");
            }
        }
    }

    #[test]
    fn arrays_with_the_same_columns_are_of_one_class() {
        // 24 arrays, rows of 4 groups: array n runs column n modulo 4.
        let classes = GroupClasses::new([4, 1024, 1], 24).unwrap();
        assert_eq!(classes.count(), 4);
        for class in 0..4 {
            let sampled = classes.sampled_groups(class);
            assert_eq!((sampled.len(), classes.groups(class)), (64, 1024));
            assert!(sampled.iter().all(|group| group % 4 == class));
        }
        // As many classes as can be sampled: 1,024 groups allow 128.
        let classes = GroupClasses::new([32, 32, 1], 24).unwrap();
        assert_eq!((classes.count(), classes.sampled), (4, 32));
        let classes = GroupClasses::new([24, 30, 1], 24).unwrap();
        assert_eq!((classes.count(), classes.sampled), (2, 45));
        for none in [[4096, 1, 1], [25, 1000, 1], [4, 30, 1], [1, 1, 1]] {
            assert_eq!(GroupClasses::new(none, 24), None, "{none:?}");
        }
    }

    #[test]
    fn equal_groups_do_not_differ() {
        let record = |cycles: &[u64]| LaunchRecord {
            arrays: vec![ArrayRecord {
                steps: cycles
                    .iter()
                    .map(|cycles| (GroupSteps::One(compute(*cycles)), 3))
                    .collect(),
                ..ArrayRecord::default()
            }],
            code_bytes: 0,
        };
        assert!(!differ(&record(&[])));
        assert!(!differ(&record(&[100, 105, 95])));
        assert!(differ(&record(&[100, 300])));
    }
}
