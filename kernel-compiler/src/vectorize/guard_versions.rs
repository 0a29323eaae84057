//! Versions of the code under a guard such as `if (x < width)`: one without masks for vectors of
//! which all lanes pass the guard, as nearly all do, and one under masks for the others.
//!
//! The guard's block branches on whether all lanes have its condition ([`all_lanes`]).

use super::index_ranges::IndexRange;
use super::loop_body::LoopBody;
use super::plan::VectorPlan;
use super::private_arrays::{self, ArrayLayout};
use super::strided_expression;
use super::vector_unit::VectorUnit;
use super::work_item_loop;
use crate::analysis::all_lanes;
use crate::analysis::effects::reports_finding;
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use crate::work_items::loop_descriptor::LoopKind;
use std::collections::{HashMap, HashSet};

/// Most instructions of the code under a guard that has two versions.
const MAX_INSTRUCTIONS: usize = 200;

/// Most guards of a function whose code has two versions.
const MAX_GUARDS: usize = 8;

/// Gives the code under the guards of a function's loops over work-items two versions each. The
/// simulated machine's code has one: a masked operation takes it as long as another.
pub fn add(function: Value, lanes: u32, vectors: VectorUnit) {
    if vectors.timed {
        return;
    }
    add_to_checks(function, lanes, vectors);
    let mut done = HashSet::new();
    while done.len() < MAX_GUARDS
        && let Some(guard) = next_guard(function, lanes, vectors, &done)
    {
        done.insert(guard.add_version());
    }
}

/// Gives checked accesses a version for vectors of which all lanes are within bounds.
fn add_to_checks(function: Value, lanes: u32, vectors: VectorUnit) {
    let mut guards = Vec::new();
    for (_, found) in work_item_loop::find(function, LoopKind::WorkItems) {
        let Ok(work_items) = found else {
            continue;
        };
        let Ok(body) = LoopBody::new(&work_items) else {
            continue;
        };
        if !body.blocks.iter().any(|block| reports_finding(*block)) {
            continue;
        }
        let layout = DataLayout::of_function(function);
        let arrays = private_arrays::layouts(&work_items, lanes, layout);
        let plan = plan(function, &body, lanes, vectors, &arrays);
        guards.extend((0..body.blocks.len()).filter_map(|number| Guard::of_check(&plan, number)));
    }
    for guard in guards {
        let some_lanes = guard.add_version();
        repeat_condition(some_lanes.terminator());
    }
}

/// Has a branch compute its condition again, in its own block. For the version for all lanes the
/// first and last of them suffice as a rule, so that the others' are not needed before.
fn repeat_condition(branch: Value) {
    let b = Builder::new(branch.ty().context());
    let copy_before = |value: Value, place: Value| {
        let copy = value.clone_instruction();
        b.before(place);
        b.insert(copy);
        copy
    };
    let is_comparison = |value: Value| value.is(Opcode::LLVMICmp);
    let condition = branch.operand(0);
    if is_comparison(condition) {
        branch.set_operand(0, copy_before(condition, branch));
    } else if condition.is(Opcode::LLVMAnd) {
        let both = copy_before(condition, branch);
        for (number, part) in both.operands().into_iter().enumerate() {
            if is_comparison(part) {
                both.set_operand(number as u32, copy_before(part, both));
            }
        }
        branch.set_operand(0, both);
    }
}

/// A guard of a loop that can be vectorised, without another one around it, apart from those that
/// are `done`.
fn next_guard(
    function: Value,
    lanes: u32,
    vectors: VectorUnit,
    done: &HashSet<Block>,
) -> Option<Guard> {
    let loops = work_item_loop::find(function, LoopKind::WorkItems).into_iter();
    loops
        .filter_map(|(_, found)| found.ok())
        .find_map(|work_items| {
            let body = LoopBody::new(&work_items).ok()?;
            let layout = DataLayout::of_function(function);
            let arrays = private_arrays::layouts(&work_items, lanes, layout);
            let plan = plan(function, &body, lanes, vectors, &arrays);
            (0..body.blocks.len())
                .filter(|number| !done.contains(&body.blocks[*number]))
                .find_map(|number| Guard::recognize(&plan, number))
        })
}

/// The plan of a loop over work-items as a whole.
pub fn plan<'a>(
    function: Value,
    body: &'a LoopBody<'a>,
    lanes: u32,
    vectors: VectorUnit,
    arrays: &'a [ArrayLayout],
) -> VectorPlan<'a> {
    let row = IndexRange {
        start: 0,
        end: None,
        known_comparisons: HashMap::new(),
    };
    VectorPlan::new(function, body, row, lanes, vectors, arrays)
}

/// A branch around code.
struct Guard {
    block: Block,
    /// Number of the successor that is the code's first block.
    taken: u32,
    /// The code's blocks, the first one first.
    region: Vec<Block>,
    /// The block after the code.
    after: Block,
}

impl Guard {
    /// The guard at the end of a block, if the block is run by all lanes. A guard compares ids: other
    /// conditions, such as on data, seldom hold in all lanes.
    fn recognize(plan: &VectorPlan<'_>, number: usize) -> Option<Self> {
        let (cfg, blocks) = (plan.cfg(), plan.blocks());
        let divergence = plan.divergence();
        if !divergence.divergent_branches[number]
            || divergence.masked[number]
            || cfg.innermost[number].is_some()
            || strided_expression::operations(plan, blocks[number].terminator().operand(0))
                .is_none()
        {
            return None;
        }
        let successors = blocks[number].successors();
        let numbers: Vec<usize> = successors
            .iter()
            .filter_map(|block| plan.block_number(*block))
            .collect();
        let &[first, second] = numbers.as_slice() else {
            return None;
        };
        let (taken, entry, after) = if cfg.post_dominates(second, first) {
            (0, first, second)
        } else if cfg.post_dominates(first, second) {
            (1, second, first)
        } else {
            return None;
        };
        let region = dominated(plan, entry);
        let leaves = |block: &usize| {
            let mut successors = cfg.successors[*block].iter();
            successors.any(|to| *to != after && !region.contains(to))
        };
        if cfg.dominator[entry] != number || region.iter().any(leaves) {
            return None;
        }
        let region: Vec<Block> = region.into_iter().map(|block| blocks[block]).collect();
        let instructions: Vec<Value> = region.iter().flat_map(|b| b.instructions()).collect();
        let has_masks = |instruction: &Value| {
            matches!(instruction.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore)
        };
        (instructions.len() <= MAX_INSTRUCTIONS && instructions.iter().any(has_masks)).then_some(
            Self {
                block: blocks[number],
                taken,
                region,
                after: blocks[after],
            },
        )
    }

    /// The guard at the end of a block that checks an access, if the block is run by all lanes. The
    /// code is the access.
    fn of_check(plan: &VectorPlan<'_>, number: usize) -> Option<Self> {
        let (cfg, blocks) = (plan.cfg(), plan.blocks());
        let divergence = plan.divergence();
        if !divergence.divergent_branches[number] || divergence.masked[number] {
            return None;
        }
        let successors = blocks[number].successors();
        let &[first, second] = successors.as_slice() else {
            return None;
        };
        let (taken, entry, report) = match reports_finding(second) {
            true => (0, first, second),
            false => (1, second, first),
        };
        let (entry, report) = (plan.block_number(entry)?, plan.block_number(report)?);
        let &[after] = cfg.successors[entry].as_slice() else {
            return None;
        };
        let is_check = plan.is_report(report)
            && cfg.successors[report] == [after]
            && cfg.predecessors[entry] == [number];
        is_check.then(|| Self {
            block: blocks[number],
            taken,
            region: vec![blocks[entry]],
            after: blocks[after],
        })
    }

    /// Adds the version for all lanes. Returns the block whose branch is the guard now.
    fn add_version(&self) -> Block {
        let branch = self.block.terminator();
        let b = Builder::new(branch.ty().context());
        let (blocks, values) = self.copy(&b);
        let check = self.region[0].insert_before("some_lanes");
        b.before(branch);
        let mut condition = branch.operand(0);
        if self.taken == 1 {
            condition = b.binary(Opcode::LLVMXor, condition, condition.ty().constant(1));
        }
        let every = all_lanes::have(condition, &b);
        branch.remove_from_block();
        b.at_end(check);
        b.insert(branch);
        b.at_end(self.block);
        b.branch_if(every, blocks[&self.region[0]], check);
        for phi in self.after.phis() {
            let incoming = phi.incoming();
            let phi = b.replace_incoming_block(phi, self.block, check);
            for (value, from) in incoming {
                if let Some(copy) = blocks.get(&from) {
                    phi.add_incoming(values.get(&value).copied().unwrap_or(value), *copy);
                }
            }
        }
        for phi in self.region[0].phis() {
            b.replace_incoming_block(phi, self.block, check);
        }
        check
    }

    /// Copies the code: its blocks and its values.
    fn copy(&self, b: &Builder) -> (HashMap<Block, Block>, HashMap<Value, Value>) {
        let mut blocks: HashMap<Block, Block> = HashMap::new();
        for block in &self.region {
            blocks.insert(*block, self.region[0].insert_before("all_lanes"));
        }
        let mut values = HashMap::new();
        for block in &self.region {
            b.at_end(blocks[block]);
            for instruction in block.instructions() {
                let copy = if instruction.is(Opcode::LLVMPHI) {
                    b.phi(instruction.ty(), "")
                } else {
                    let copy = instruction.clone_instruction();
                    b.insert(copy);
                    copy
                };
                values.insert(instruction, copy);
            }
        }
        for instruction in self.region.iter().flat_map(|block| block.instructions()) {
            let copy = values[&instruction];
            if instruction.is(Opcode::LLVMPHI) {
                for (value, from) in instruction.incoming() {
                    let value = values.get(&value).copied().unwrap_or(value);
                    copy.add_incoming(value, blocks.get(&from).copied().unwrap_or(from));
                }
                continue;
            }
            for (index, operand) in instruction.operands().into_iter().enumerate() {
                if let Some(value) = values.get(&operand) {
                    copy.set_operand(index as u32, *value);
                }
            }
            if !instruction.is_terminator() {
                continue;
            }
            for (index, to) in instruction.successors().into_iter().enumerate() {
                if let Some(to) = blocks.get(&to) {
                    copy.set_successor(index as u32, *to);
                }
            }
        }
        (blocks, values)
    }
}

/// The numbers of a block and of those that it dominates.
fn dominated(plan: &VectorPlan<'_>, entry: usize) -> Vec<usize> {
    let mut found = vec![entry];
    for block in entry + 1..plan.blocks().len() {
        if found.contains(&plan.cfg().dominator[block]) {
            found.push(block);
        }
    }
    found
}
