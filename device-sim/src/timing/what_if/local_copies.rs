//! Copies of arguments in local memory: a group moves the different bytes that it loads of an argument by
//! DMA before it begins, and its loads find them there. Loads are known for the whole launch, so that all
//! its code changes in proportion.

use super::launch::Launch;
use super::other_steps::{part_of, scaled};
use super::transfer_changes::unused_event;
use super::variant::{LocalCopy, Variant};
use crate::machine::SharedMemory;
use crate::timing::footprint::Footprint;
use crate::timing::launch_record::{GroupStep, GroupSteps, LaunchRecord, SegmentWork};
use crate::timing::line_cycles::with_lanes;
use crate::units::Bytes;

const DDR: usize = SharedMemory::Ddr as usize;

/// Maximum number of groups of a step whose copies are simulated one by one.
const MAX_GROUPS: u64 = 64;

/// An argument that may be copied.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    name: &'a str,
    footprint: Footprint,
    /// What its loads contribute to the cycles of code for memories outside, summed over the launch, in
    /// 1/65536. The traffic is in proportion.
    outside: u128,
    /// Additional cycles of its loads if they find the data in AM, summed over the launch.
    local: u64,
}

/// The launch with copies of each argument alone, and of those that fit together, the most loaded first.
pub fn variants<'a>(launch: Launch<'a>) -> impl Iterator<Item = Variant> + 'a {
    let sizes = launch.sizes;
    let unused = sizes
        .private_memory_limit
        .saturating_sub(sizes.private_memory);
    let mut all = candidates(launch);
    all.retain(|candidate| candidate.footprint.different <= unused.0);
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.outside));
    let mut bytes = 0;
    let together = all.iter().copied().filter(|candidate| {
        let fits = bytes + candidate.footprint.different <= unused.0;
        bytes += if fits {
            candidate.footprint.different
        } else {
            0
        };
        fits
    });
    let together: Vec<Candidate> = together.collect();
    let mut choices: Vec<Vec<Candidate>> = all.into_iter().map(|one| vec![one]).collect();
    if together.len() > 1 {
        choices.push(together);
    }
    let variant = move |copied: Vec<Candidate>| Variant {
        record: with_copies(launch, &copied),
        copies: copied.iter().map(Candidate::copy).collect(),
    };
    choices.into_iter().map(variant)
}

/// The arguments that code loads from, with known footprints.
fn candidates<'a>(launch: Launch<'a>) -> Vec<Candidate<'a>> {
    let arguments = launch.cost.loaded_arguments.iter().zip(launch.footprints);
    let known = arguments.filter_map(|(argument, footprint)| {
        let (mut all, mut local) = (0, 0);
        for share in &argument.shares {
            let block = share.block as usize;
            all += outside(launch, block) * u128::from(share.outside);
            local += launch.counts[block] * u64::from(share.local);
        }
        let candidate = Candidate {
            name: &argument.name,
            footprint: (*footprint)?,
            outside: all,
            local,
        };
        (candidate.footprint.loaded > 0 && candidate.outside > 0).then_some(candidate)
    });
    known.collect()
}

/// The cycles of a block for memories outside, over all its runs.
fn outside(launch: Launch<'_>, number: usize) -> u128 {
    let block = &launch.cost.blocks[number];
    with_lanes(block, number, launch.counts, block.outside, |work| {
        work.outside
    })
}

impl Candidate<'_> {
    fn copy(&self) -> LocalCopy {
        LocalCopy {
            argument: self.name.to_owned(),
            loaded: Bytes(self.footprint.loaded),
            different: Bytes(self.footprint.different),
        }
    }

    /// The transfers of the copies of some groups: one for each row, as OpenCL C copies them.
    fn transfers(&self, event: u32, groups: u64) -> GroupStep {
        let Footprint {
            different, rows, ..
        } = self.footprint;
        let rows = rows.max(1);
        GroupStep::Transfer {
            times: rows * groups,
            between: SegmentWork::default(),
            event,
            rows: 1,
            row_bytes: different.div_ceil(rows),
            to_scratchpad: true,
            memory: SharedMemory::Ddr,
            second: None,
            sites: [].into(),
        }
    }
}

/// The launch with copies of these arguments.
fn with_copies(launch: Launch<'_>, copied: &[Candidate]) -> LaunchRecord {
    let blocks = 0..launch.cost.blocks.len();
    let all: u128 = blocks.map(|block| outside(launch, block)).sum();
    let copied_outside: u128 = copied.iter().map(|candidate| candidate.outside).sum();
    // Of 65536.
    let rest = 65536 - copied_outside.checked_div(all).unwrap_or(0).min(65536) as u64;
    let local: u64 = copied.iter().map(|candidate| candidate.local).sum();
    let all = u64::try_from(all).unwrap_or(u64::MAX);
    let mut changed = launch.record.clone();
    for array in &mut changed.arrays {
        let sequences: u64 = array.steps.iter().map(|(_, times)| times).sum();
        // Groups without events share a step.
        let groups = array.groups.div_ceil(sequences.max(1)).max(1);
        for (steps, _) in &mut array.steps {
            let pieces = groups.min(MAX_GROUPS);
            let part = |value: u64, piece: u64| {
                scaled(value, piece + 1, pieces) - scaled(value, piece, pieces)
            };
            let event = unused_event(steps);
            let mut with_copies = Vec::new();
            for piece in 0..pieces {
                for candidate in copied {
                    with_copies.push(candidate.transfers(event, part(groups, piece)));
                }
                with_copies.push(GroupStep::Wait { event, site: 0 });
                for step in steps.iter() {
                    let mut step = step.clone();
                    if let GroupStep::Run(work) = &mut step {
                        let loads = scaled(local, work.outside, all);
                        work.scratchpad = work.scratchpad.saturating_add(loads);
                        work.outside = scaled(work.outside, rest, 65536);
                        work.traffic[DDR] = scaled(work.traffic[DDR], rest, 65536);
                        *work = part_of(work, |value| part(value, piece));
                    }
                    with_copies.push(step);
                }
            }
            *steps = GroupSteps::from(with_copies);
        }
    }
    changed
}
