//! Which values are the same for all work-items of a group, and which blocks all of them run
//! together.
//!
//! The answer holds from one barrier to the next, on any control flow. Lanes of a vector, which
//! run in lock-step, have more in common: they load the same from one address at one time.
//!
//! A divergent branch with a barrier in its influence region may separate work-items: some are at
//! the barrier, others run on or have returned. OpenCL forbids that; a kernel that does it must not
//! share values, so nothing that can be reached from such a branch is run by all.

use super::cfg::Cfg;
use super::effects::is_pure;
use super::influence_regions::InfluenceRegions;
use crate::intrinsics::{ONCE, Query, address_space, ends_region, is_collective};
use crate::ir::{Block, Opcode, Value};
use crate::work_items::group_variable;
use std::collections::HashSet;

/// The instructions whose values may differ between work-items, and the blocks that not all
/// work-items may run. Everything else is uniform.
pub struct Uniformity {
    varying: HashSet<Value>,
    divergent: HashSet<Block>,
    separating: HashSet<Block>,
}

impl Uniformity {
    /// The uniformity of a kernel's values.
    pub fn find(kernel: Value, cfg: &Cfg, is_barrier: impl Fn(Block) -> bool) -> Self {
        let mut found = Self {
            varying: HashSet::new(),
            divergent: HashSet::new(),
            separating: HashSet::new(),
        };
        let barriers: Vec<bool> = cfg.blocks.iter().map(|block| is_barrier(*block)).collect();
        let has_barriers = barriers.contains(&true);
        let mut separated: HashSet<usize> = HashSet::new();
        let mut influence = InfluenceRegions::new(&cfg.graph);
        let mut reconverging: HashSet<usize> = HashSet::new();
        let mut pending = kernel.instructions();
        pending.retain(|instruction| found.differs(*instruction));
        while let Some(instruction) = pending.pop() {
            if !found.varying.insert(instruction) {
                continue;
            }
            if instruction.is_terminator() {
                let block = instruction.block();
                let branch = cfg.number(block);
                let (mut divergent, end) = influence.next(branch);
                let has_barrier =
                    has_barriers && influence.contains(branch, |inside| barriers[inside]);
                if has_barrier && !is_run_once(block) {
                    found.separating.insert(block);
                    divergent.extend(reachable(cfg, branch, &mut separated));
                }
                for number in divergent {
                    if found.divergent.insert(cfg.blocks[number]) {
                        pending.extend(cfg.blocks[number].phis());
                    }
                }
                let reconverges = end.filter(|end| reconverging.insert(*end));
                pending.extend(
                    reconverges
                        .into_iter()
                        .flat_map(|end| cfg.blocks[end].phis()),
                );
            }
            // A φ has any number of operands, and is looked at for one of them only.
            let users = instruction.users().into_iter();
            let users = users.filter(|user| user.is_instruction() && !found.varying.contains(user));
            pending.extend(users.filter(|user| found.differs(*user)));
        }
        found
    }

    /// Whether a value is the same for all work-items.
    pub fn is_uniform(&self, value: Value) -> bool {
        !self.varying.contains(&value)
    }

    /// Whether either all work-items run a block, or none.
    pub fn is_run_by_all(&self, block: Block) -> bool {
        !self.divergent.contains(&block)
    }

    /// The blocks whose branches may separate work-items.
    pub fn separating(&self) -> &HashSet<Block> {
        &self.separating
    }

    /// Whether an instruction's value differs, by what is known of its operands.
    fn differs(&self, instruction: Value) -> bool {
        let of_operands = || {
            let operands = instruction.operands();
            operands
                .iter()
                .any(|operand| self.varying.contains(operand))
        };
        match instruction.opcode() {
            Opcode::LLVMCall if is_collective(instruction) => false,
            Opcode::LLVMCall => match instruction
                .called_function()
                .map(|f| Query::parse(&f.name()))
            {
                Some(Some(Query::LocalId | Query::GlobalId)) => true,
                Some(Some(_)) => false,
                _ if is_pure(instruction) => of_operands(),
                _ => true,
            },
            Opcode::LLVMLoad if group_variable::is_load(instruction) => false,
            // Constant memory does not change while a kernel runs.
            Opcode::LLVMLoad => {
                instruction.operand(0).ty().address_space() != address_space::CONSTANT
                    || of_operands()
            }
            Opcode::LLVMPHI | Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet => {
                of_operands()
            }
            _ if is_pure(instruction) => of_operands(),
            _ => true,
        }
    }
}

/// Whether the group runs a block once.
fn is_run_once(block: Block) -> bool {
    block.instructions().iter().any(|i| i.calls(ONCE))
}

/// Whether a block of a kernel that has not been split contains a barrier.
pub fn has_barrier(block: Block) -> bool {
    block.instructions().into_iter().any(ends_region)
}

/// The numbers of the blocks that can be reached from the end of `block` and are not in `known`; adds them there.
fn reachable(cfg: &Cfg, block: usize, known: &mut HashSet<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut pending = cfg.successors(block).to_vec();
    while let Some(next) = pending.pop() {
        if known.insert(next) {
            found.push(next);
            pending.extend(cfg.successors(next));
        }
    }
    found
}
