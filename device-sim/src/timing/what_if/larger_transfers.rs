//! Transfers of another size: several iterations of a loop over parts of the data become one with parts
//! as many times as large, or several groups one group.

use super::other_steps::{add_work, is_load};
use crate::timing::launch_record::{GroupStep, GroupSteps, LaunchRecord};
use crate::timing::launch_sizes::LaunchSizes;
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of steps of an iteration.
const MAX_PERIOD: usize = 8;

/// Most by which parts are enlarged.
const MAX_FACTOR: u64 = 64;

/// By how much parts may be larger: powers of 2 with which local memory still fits the array.
pub fn factors(sizes: &LaunchSizes) -> impl Iterator<Item = u64> + use<> {
    let unused = sizes
        .private_memory_limit
        .saturating_sub(sizes.private_memory);
    let more = unused.0.checked_div(sizes.local_memory.0).unwrap_or(0);
    let most = more.saturating_add(1).min(MAX_FACTOR);
    (1..)
        .map(|power| 1 << power)
        .take_while(move |factor| *factor <= most)
}

/// The launch with `factor` times as large parts, which is at least 2. None if nothing that loads to local
/// memory is repeated as often.
pub fn larger_transfers(record: &LaunchRecord, factor: u64) -> Option<LaunchRecord> {
    let mut changed = record.clone();
    let mut is_changed = false;
    for array in &mut changed.arrays {
        let mut sequences = Vec::new();
        for (steps, times) in std::mem::take(&mut array.steps) {
            if let Some(merged) = merged_iterations(&steps, factor as usize) {
                sequences.push((GroupSteps::from(merged), times));
                is_changed = true;
            } else if times >= factor && steps.iter().any(is_load) {
                let same = vec![&*steps; factor as usize];
                let merged = merged(&same);
                sequences.push((GroupSteps::from(merged), times / factor));
                if times % factor > 0 {
                    sequences.push((steps, times % factor));
                }
                is_changed = true;
            } else {
                sequences.push((steps, times));
            }
        }
        array.steps = sequences;
    }
    is_changed.then_some(changed)
}

/// The steps with `factor` iterations of a loop at a time; none without such a loop.
fn merged_iterations(steps: &[GroupStep], factor: usize) -> Option<Vec<GroupStep>> {
    let (period, iterations) = (1..=MAX_PERIOD).find_map(|period| {
        let repeated = repeated(steps, period);
        let is_loop =
            repeated.len() >= factor * period && steps[repeated.clone()].iter().any(is_load);
        is_loop.then_some((period, repeated))
    })?;
    let mut all = steps[..iterations.start].to_vec();
    // The events of transfers that are part of another one.
    let mut replaced = HashMap::new();
    let (mut last, end) = (iterations.start, iterations.end);
    while end - last >= factor * period {
        let parts: Vec<&[GroupStep]> = steps[last..].chunks(period).take(factor).collect();
        for (at, first) in parts[0].iter().enumerate() {
            if let GroupStep::Transfer { event: first, .. } = first {
                for part in &parts {
                    if let GroupStep::Transfer { event, .. } = part[at] {
                        replaced.insert(event, *first);
                    }
                }
            }
        }
        all.extend(merged(&parts));
        last += factor * period;
    }
    all.extend_from_slice(&steps[last..]);
    for step in &mut all {
        if let GroupStep::Wait { event, .. } = step {
            *event = *replaced.get(event).unwrap_or(event);
        }
    }
    Some(all)
}

/// The longest range in which steps are like those `period` places before, without its rest that is less
/// than a period.
fn repeated(steps: &[GroupStep], period: usize) -> Range<usize> {
    let mut longest = 0..0;
    let mut start = 0;
    for end in period..=steps.len() {
        let is_alike = steps
            .get(end)
            .is_some_and(|step| is_alike(step, &steps[end - period]));
        if is_alike {
            continue;
        }
        let length = (end - start) / period * period;
        if length > longest.len() && length > period {
            longest = start..start + length;
        }
        start = (end + 1).saturating_sub(period).max(start);
    }
    longest
}

/// Whether two steps may be those of two iterations.
fn is_alike(one: &GroupStep, other: &GroupStep) -> bool {
    match (one, other) {
        (GroupStep::Run(_), GroupStep::Run(_)) => true,
        (GroupStep::Wait { site: one, .. }, GroupStep::Wait { site: other, .. }) => one == other,
        (
            GroupStep::Transfer {
                times,
                rows,
                row_bytes,
                to_scratchpad,
                memory,
                sites,
                ..
            },
            GroupStep::Transfer {
                times: other_times,
                rows: other_rows,
                row_bytes: other_bytes,
                to_scratchpad: other_direction,
                memory: other_memory,
                sites: other_sites,
                ..
            },
        ) => {
            (times, rows, row_bytes, to_scratchpad, memory, sites)
                == (
                    other_times,
                    other_rows,
                    other_bytes,
                    other_direction,
                    other_memory,
                    other_sites,
                )
        }
        _ => false,
    }
}

/// Sequences of like steps as one. Code is that of all, but for its barriers; transfers are as many times
/// as large, or as many times more where code starts one after another, such as one for each row.
fn merged(parts: &[&[GroupStep]]) -> Vec<GroupStep> {
    let factor = parts.len() as u64;
    let merge = |at: usize| {
        let mut step = parts[0][at].clone();
        match &mut step {
            GroupStep::Run(work) => {
                for part in &parts[1..] {
                    if let GroupStep::Run(other) = &part[at] {
                        add_work(work, other);
                    }
                }
            }
            GroupStep::Transfer { times, between, .. } if *times > 1 => {
                *times = times.saturating_mul(factor);
                let one = between.clone();
                for _ in 1..factor {
                    add_work(between, &one);
                }
            }
            GroupStep::Transfer {
                rows, row_bytes, ..
            } => {
                let size = if *rows == 1 { row_bytes } else { rows };
                *size = size.saturating_mul(factor);
            }
            GroupStep::Wait { .. } | GroupStep::Spend { .. } => {}
        }
        step
    };
    (0..parts[0].len()).map(merge).collect()
}
