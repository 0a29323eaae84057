//! How often the blocks of a loop over work-items run, and their branches are mispredicted.

use super::group_loops::{self, ASSUMED_TRIP_COUNT};
use super::records;
use crate::analysis::all_lanes::{self, Version};
use crate::analysis::loop_mark::{LoopMark, WALKED_ITERATIONS};
use crate::ir::{Block, Opcode, Value};
use crate::vectorize::plan::VectorPlan;
use crate::vectorize::strided_expression;
use std::collections::HashSet;

/// What each doubling of the lanes adds to the iterations of a divergent loop until its last lane
/// leaves, relative to those of an average work-item.
const DIVERGENCE: f64 = 0.15;

/// Share of work-items that run what a condition guards, of those that evaluate it.
const BRANCH_PROBABILITY: f64 = 0.5;

/// Share of iterations in which a number is one of the best ones so far: of thousands in random order, a few hundredths are
/// one of the best eight.
const RECORD_PROBABILITY: f64 = 1.0 / 32.0;

/// Most nested conditions that make what they guard less frequent, in a loop within the kernel. What
/// is in none has less often a vector without a lane that runs it.
const MAX_CONDITIONS: usize = 4;

/// Share of vectors of which all lanes pass a guard.
const ALL_LANES_PROBABILITY: f64 = 0.9;

/// Average cycles of a branch that may be mispredicted.
const MISPREDICT_COST: f64 = 4.0;

/// Cycles of the mispredicted exit of a loop; the branches before it are predicted.
const LOOP_EXIT_MISPREDICT_COST: f64 = 2.0 * MISPREDICT_COST;

/// Executions of a block for each execution of the loop's body.
pub struct Frequency {
    /// By a work-item.
    pub scalar: f64,
    /// By a vector of them.
    pub vector: f64,
}

/// Shares of those that pass a guard.
struct Passing {
    /// Of the work-items.
    items: f64,
    /// Of the vectors, with all lanes.
    all_lanes: f64,
    /// Of the vectors, with some lanes.
    some_lanes: f64,
}

/// The frequencies of a plan's blocks.
pub struct Frequencies<'p, 'a> {
    plan: &'p VectorPlan<'a>,
    /// By block: the version of a guard's code that it belongs to.
    versions: Vec<Option<Version>>,
    /// By block: whether a condition moves along the row, of those in which not all work-items run it.
    is_moving: Vec<bool>,
    /// A vector's share of the row.
    share: f64,
}

impl<'p, 'a> Frequencies<'p, 'a> {
    /// Analyses the conditions of a plan for a row of `items` work-items.
    pub fn new(plan: &'p VectorPlan<'a>, items: u64) -> Self {
        Self {
            plan,
            versions: all_lanes::versions(plan.blocks(), plan.cfg()),
            is_moving: moving(plan),
            share: (f64::from(plan.lanes()) / items as f64).min(1.0),
        }
    }

    /// The version of a guard's code that a block belongs to.
    pub fn version(&self, block: usize) -> Option<Version> {
        self.versions[block]
    }

    /// The frequency of a block.
    pub fn of(&self, block: usize) -> Frequency {
        let plan = self.plan;
        let (cfg, divergence) = (plan.cfg(), plan.divergence());
        let (mut scalar, mut vector) = (1.0, 1.0);
        let mut around = cfg.innermost[block];
        while let Some(l) = around {
            let trip_count = trip_count(plan, l);
            scalar *= trip_count;
            vector *= if divergence.divergent_loops[l] {
                trip_count * divergence_factor(plan, l)
            } else {
                trip_count
            };
            around = cfg.loops[l].parent;
        }
        let (is_moving, version) = (self.is_moving[block], self.versions[block]);
        let guard = match is_moving {
            // One vector is where the condition changes; of the others, as many have it in all lanes as in none.
            true => Passing {
                items: BRANCH_PROBABILITY,
                all_lanes: BRANCH_PROBABILITY * (1.0 - self.share),
                some_lanes: self.share,
            },
            false => Passing {
                items: ALL_LANES_PROBABILITY,
                all_lanes: ALL_LANES_PROBABILITY,
                some_lanes: 1.0 - ALL_LANES_PROBABILITY,
            },
        };
        if divergence.masked[block] {
            let most = cfg.innermost[block].map_or(1, |_| MAX_CONDITIONS);
            let Conditions { records, others } = conditions(plan, block);
            let others = others.min(most) as i32;
            let probability = BRANCH_PROBABILITY.powi(others) * RECORD_PROBABILITY.powi(records);
            scalar *= probability;
            // A vector skips what none of its lanes runs.
            vector *= match is_moving && version.is_none() {
                true => guard.some_lanes + guard.all_lanes,
                false => 1.0 - (1.0 - probability).powf(plan.lanes().into()),
            };
        }
        match version {
            None => {}
            Some(Version::AllLanes) => {
                scalar *= guard.items;
                vector *= guard.all_lanes;
            }
            // Scalar code has one version.
            Some(Version::SomeLanes) => {
                scalar = 0.0;
                vector *= guard.some_lanes;
            }
        }
        Frequency { scalar, vector }
    }
}

/// By block: whether not all work-items run it because of a condition that compares ids with the counter
/// of a loop that the group runs, such as the steps of a wavefront or of a tree.
fn moving(plan: &VectorPlan<'_>) -> Vec<bool> {
    let (cfg, divergence) = (plan.cfg(), plan.divergence());
    let mut moving = vec![false; plan.blocks().len()];
    let Some(group) = plan.group_loops() else {
        return moving;
    };
    let moves = |number: usize| {
        let condition = plan.blocks()[number].terminator().operand(0);
        (divergence.divergent_branches[number]
            || condition.is_instruction() && all_lanes::is_condition(condition))
            && strided_expression::operations(plan, condition).is_some()
            && group.changes(condition, |value| plan.is_inside(value))
    };
    // Dominators have lower numbers.
    for number in 1..moving.len() {
        let dominator = cfg.dominator[number];
        moving[number] =
            moving[dominator] || !cfg.post_dominates(number, dominator) && moves(dominator);
    }
    moving
}

/// Iterations of a loop within the kernel, by its number.
fn trip_count(plan: &VectorPlan<'_>, l: usize) -> f64 {
    let latch = plan.blocks()[plan.cfg().loops[l].latch];
    match LoopMark::Remainder.is_on(latch) {
        true => 1.0,
        false => {
            let count = walked_trip_count(latch).or_else(|| group_loops::trip_count(latch));
            count.map_or(ASSUMED_TRIP_COUNT, |count| {
                // That of other loops may be much larger than is assumed.
                count.min(ASSUMED_TRIP_COUNT)
            })
        }
    }
}

/// That of the version of a loop along a row with several iterations in one, if the row's length is constant.
fn walked_trip_count(latch: Block) -> Option<f64> {
    let is_walk = LoopMark::RowWalk.is_on(latch);
    let condition = is_walk.then(|| latch.terminator().operand(0))?;
    let left = Some(condition.operand(0)).filter(|left| left.is_instruction())?;
    let count = left
        .is(Opcode::LLVMSub)
        .then(|| left.operand(0).as_integer())??;
    Some((count / WALKED_ITERATIONS) as f64)
}

/// Conditions in which not all work-items run a block.
#[derive(Default)]
struct Conditions {
    /// Comparisons with the best numbers so far: one or none.
    records: i32,
    others: usize,
}

/// The conditions in which not all work-items run a block. That they leave its loops at different times
/// does not count. Around these loops, neither do conditions on ids, in which most work-items agree,
/// and comparisons with a loop's bound, which are false for loops without an iteration.
fn conditions(plan: &VectorPlan<'_>, block: usize) -> Conditions {
    let (cfg, divergence) = (plan.cfg(), plan.divergence());
    let condition = |number: usize| plan.blocks()[number].terminator().operand(0);
    let mut before = block;
    let mut bounds = HashSet::new();
    while let Some(l) = cfg.innermost[before].filter(|l| divergence.divergent_loops[*l]) {
        let l = &cfg.loops[l];
        for (exiting, _) in &l.exits {
            bounds.extend(compared(condition(*exiting)));
        }
        // A loop is entered from one block.
        before = cfg.predecessors[l.header][0];
    }
    if !divergence.masked[before] {
        return Conditions::default();
    }
    let dominators = std::iter::successors(Some(before), |number| {
        (*number > 0).then(|| cfg.dominator[*number])
    });
    let is_exit =
        |number: usize| cfg.innermost[number].is_some_and(|l| cfg.loops[l].exits_from(number));
    let found: Vec<usize> = dominators
        .filter(|number| *number != before && !cfg.post_dominates(before, *number))
        .filter(|number| divergence.divergent_branches[*number] && !is_exit(*number))
        .filter(|number| {
            let condition = condition(*number);
            !compared(condition)
                .iter()
                .any(|value| bounds.contains(value))
                && strided_expression::operations(plan, condition).is_none()
        })
        .collect();
    if found.iter().any(|number| records::is_record(plan, *number)) {
        return Conditions {
            records: 1,
            others: found.len() - 1,
        };
    }
    Conditions {
        records: 0,
        // Outside divergent loops, conditions on ids count as one.
        others: found.len().max((before == block).into()),
    }
}

/// What a condition compares: no constants, and before extensions.
fn compared(condition: Value) -> Vec<Value> {
    if !condition.is_instruction() || !condition.is(Opcode::LLVMICmp) {
        return Vec::new();
    }
    let extended = |value: Value| match value.is_instruction().then(|| value.opcode()) {
        Some(Opcode::LLVMSExt | Opcode::LLVMZExt) => value.operand(0),
        _ => value,
    };
    let operands = condition.operands().into_iter().map(extended);
    operands.filter(|value| !value.is_constant()).collect()
}

/// Iterations of a divergent loop until its last lane leaves, relative to those of an average
/// work-item.
fn divergence_factor(plan: &VectorPlan<'_>, l: usize) -> f64 {
    let divergent = &plan.divergence().divergent_branches;
    let exits = plan.cfg().loops[l].exits.iter();
    let mut exits = exits.filter(|(exiting, _)| divergent[*exiting]);
    // Neighbours take nearly as many iterations.
    let has_steady_exits = exits.all(|(exiting, _)| {
        let condition = plan.blocks()[*exiting].terminator().operand(0);
        strided_expression::operations(plan, condition).is_some()
    });
    match has_steady_exits {
        true => 1.0,
        false => 1.0 + DIVERGENCE * f64::from(plan.lanes()).log2(),
    }
}

/// The innermost loop around a block, if lanes leave it in different iterations.
fn divergent_loop(plan: &VectorPlan<'_>, block: usize) -> Option<usize> {
    plan.cfg().innermost[block].filter(|l| plan.divergence().divergent_loops[*l])
}

/// Mispredictions of the branch at the end of a block: one in that many executions.
pub struct Misprediction {
    /// Cycles.
    pub cost: f64,
    /// By a work-item.
    pub scalar_executions: f64,
    /// By a vector of them.
    pub vector_executions: f64,
}

impl Misprediction {
    /// None for a branch that all lanes take alike, or of which one target is rare.
    pub fn estimate(plan: &VectorPlan<'_>, block: usize) -> Option<Self> {
        let cfg = plan.cfg();
        let is_predicted = plan.is_check(block) || plan.is_rare(block) || {
            let mut successors = cfg.successors[block].iter();
            successors.any(|to| plan.is_rare(*to))
        };
        if !plan.divergence().divergent_branches[block] || is_predicted {
            return None;
        }
        let is_exit = cfg.innermost[block].is_some_and(|l| cfg.loops[l].exits_from(block));
        if !is_exit {
            return Some(Self {
                cost: MISPREDICT_COST,
                scalar_executions: 1.0,
                vector_executions: 1.0,
            });
        }
        let waiting = divergent_loop(plan, block).map_or(1.0, |l| divergence_factor(plan, l));
        Some(Self {
            cost: LOOP_EXIT_MISPREDICT_COST,
            scalar_executions: ASSUMED_TRIP_COUNT,
            vector_executions: ASSUMED_TRIP_COUNT * waiting,
        })
    }
}
