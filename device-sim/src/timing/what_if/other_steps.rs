//! Records with other steps.

use crate::timing::launch_record::{GroupStep, LaunchRecord, SegmentWork};

/// The record with other steps.
pub fn map_steps(
    record: &LaunchRecord,
    mut change: impl FnMut(&[GroupStep]) -> Vec<GroupStep>,
) -> LaunchRecord {
    let mut changed = record.clone();
    for (steps, _) in changed.arrays.iter_mut().flat_map(|array| &mut array.steps) {
        *steps = change(steps).into();
    }
    changed
}

/// The record with other code.
pub fn map_code(record: &LaunchRecord, change: impl Fn(&mut SegmentWork)) -> LaunchRecord {
    map_steps(record, |steps| {
        let mut steps = steps.to_vec();
        for step in &mut steps {
            match step {
                GroupStep::Run(work) => change(work),
                GroupStep::Transfer { between, .. } => change(between),
                GroupStep::Wait { .. } | GroupStep::Spend { .. } => {}
            }
        }
        steps
    })
}

/// Whether a step moves data to local memory.
pub fn is_load(step: &GroupStep) -> bool {
    matches!(
        step,
        GroupStep::Transfer {
            to_scratchpad: true,
            ..
        }
    )
}

/// Adds the work of other code, but for its barriers.
pub fn add_work(work: &mut SegmentWork, other: &SegmentWork) {
    work.compute = work.compute.saturating_add(other.compute);
    work.scratchpad = work.scratchpad.saturating_add(other.scratchpad);
    work.outside = work.outside.saturating_add(other.outside);
    for (bytes, others) in work.traffic.iter_mut().zip(other.traffic) {
        *bytes = bytes.saturating_add(others);
    }
    for (lock, taken) in &other.locks {
        match work.locks.iter_mut().find(|(own, _)| own == lock) {
            Some((_, all)) => *all = all.saturating_add(*taken),
            None => work.locks.push((*lock, *taken)),
        }
    }
}

/// `value` times `part` of `whole`, rounded down; 0 of nothing.
pub fn scaled(value: u64, part: u64, whole: u64) -> u64 {
    let product = u128::from(value) * u128::from(part);
    let quotient = product.checked_div(whole.into()).unwrap_or(0);
    u64::try_from(quotient).unwrap_or(u64::MAX)
}

/// A part of code, of which `part` gives that of each sum.
pub fn part_of(work: &SegmentWork, part: impl Fn(u64) -> u64) -> SegmentWork {
    SegmentWork {
        compute: part(work.compute),
        scratchpad: part(work.scratchpad),
        outside: part(work.outside),
        barrier: part(work.barrier),
        traffic: work.traffic.map(&part),
        locks: work
            .locks
            .iter()
            .map(|(lock, taken)| (*lock, part(*taken)))
            .collect(),
    }
}
