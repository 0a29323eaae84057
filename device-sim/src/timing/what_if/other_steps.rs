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

/// `value` times `part` of `whole`, rounded down; 0 of nothing.
pub fn scaled(value: u64, part: u64, whole: u64) -> u64 {
    let product = u128::from(value) * u128::from(part);
    let quotient = product.checked_div(whole.into()).unwrap_or(0);
    u64::try_from(quotient).unwrap_or(u64::MAX)
}
