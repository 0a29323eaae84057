//! Other distributions of work among the arrays.

use super::other_steps::scaled;
use crate::timing::launch_record::{GroupStep, GroupSteps, LaunchRecord, SegmentWork};

/// Each array does the same part of all steps. None if there is one array.
pub fn balanced(record: &LaunchRecord) -> Option<LaunchRecord> {
    let arrays = record.arrays.len() as u64;
    let all: Vec<&(GroupSteps, u64)> = record.arrays.iter().flat_map(|a| &a.steps).collect();
    let groups: u64 = record.arrays.iter().map(|array| array.groups).sum();
    if arrays < 2 || all.is_empty() {
        return None;
    }
    let mut steps = Vec::new();
    for (group, times) in all {
        if times / arrays > 0 {
            steps.push((GroupSteps::clone(group), times / arrays));
        }
        if times % arrays > 0 {
            let part = group.iter().map(|step| part(step, times % arrays, arrays));
            steps.push((part.collect::<Vec<_>>().into(), 1));
        }
    }
    let mut changed = record.clone();
    for array in &mut changed.arrays {
        array.steps.clone_from(&steps);
        array.groups = groups.div_ceil(arrays);
    }
    Some(changed)
}

/// `share` of `whole` of a step; transfers have at least one row.
fn part(step: &GroupStep, share: u64, whole: u64) -> GroupStep {
    let of = |work: &SegmentWork| SegmentWork {
        compute: scaled(work.compute, share, whole),
        scratchpad: scaled(work.scratchpad, share, whole),
        outside: scaled(work.outside, share, whole),
        barrier: scaled(work.barrier, share, whole),
        traffic: work.traffic.map(|bytes| scaled(bytes, share, whole)),
        locks: work
            .locks
            .iter()
            .map(|(lock, taken)| (*lock, scaled(*taken, share, whole)))
            .filter(|(_, taken)| *taken > 0)
            .collect(),
    };
    let mut step = step.clone();
    match &mut step {
        GroupStep::Run(work) => *work = of(work),
        GroupStep::Transfer {
            between,
            rows,
            row_bytes,
            ..
        } => {
            *between = of(between);
            match *rows {
                1 => *row_bytes = scaled(*row_bytes, share, whole).max(1),
                _ => *rows = scaled(*rows, share, whole).max(1),
            }
        }
        GroupStep::Wait { .. } | GroupStep::Spend { .. } => {}
    }
    step
}
