//! The body of a loop over work-items and its control flow.

use super::cost::group_loops::GroupLoops;
use super::rejection::Rejection;
use super::work_item_loop::WorkItemLoop;
use crate::analysis::compact_cfg::CompactCfg;
use crate::ir::{Block, Opcode, Value};
use std::collections::HashMap;

/// Most instructions of a loop that is vectorised.
const MAX_INSTRUCTIONS: usize = 6000;

/// Most blocks of a loop that is vectorised.
const MAX_BLOCKS: usize = 600;

/// A block is rare if it runs in less than one of that many executions of the branch to it.
const RARE: u64 = 64;

/// A loop over work-items with the control flow graph of one iteration.
pub struct LoopBody<'a> {
    /// The loop.
    pub work_items: &'a WorkItemLoop,
    /// Control flow of one iteration.
    pub cfg: CompactCfg,
    /// The loop's blocks by their numbers in `cfg`.
    pub blocks: Vec<Block>,
    /// Whether each block runs seldom, by the weights of branches: the rare cases of builtin functions,
    /// and what a program says by `__builtin_expect`.
    pub rare: Vec<bool>,
    /// The loops of the group around it, where costs are estimated.
    pub group_loops: Option<GroupLoops>,
}

impl<'a> LoopBody<'a> {
    /// Analyses a loop's control flow.
    ///
    /// # Errors
    /// The loop is too long, or its control flow cannot be vectorised.
    pub fn new(work_items: &'a WorkItemLoop) -> Result<Self, Rejection> {
        let instructions = work_items.blocks.iter().map(|b| b.instructions().len());
        if work_items.blocks.len() > MAX_BLOCKS || instructions.sum::<usize>() > MAX_INSTRUCTIONS {
            return Err(Rejection::LongLoop);
        }
        let is_header = |block: &&Block| **block == work_items.header;
        let others = work_items.blocks.iter().filter(|b| !is_header(b)).copied();
        let order: Vec<Block> = std::iter::once(work_items.header).chain(others).collect();
        let index: HashMap<Block, usize> = order.iter().copied().zip(0..).collect();
        let mut successors = Vec::new();
        for block in &order {
            if !block.terminator().is(Opcode::LLVMBr) {
                return Err(Rejection::UnsupportedTerminator);
            }
            successors.push(if *block == work_items.latch {
                Vec::new()
            } else {
                block.successors().iter().map(|to| index[to]).collect()
            });
        }
        let cfg = CompactCfg::compute(&successors, index[&work_items.latch])?;
        let mut blocks = vec![work_items.header; order.len()];
        for (block, &number) in order.iter().zip(&cfg.block_numbers) {
            blocks[number] = *block;
        }
        Ok(Self {
            work_items,
            rare: rare_blocks(&cfg, &blocks),
            cfg,
            blocks,
            group_loops: None,
        })
    }
}

fn rare_blocks(cfg: &CompactCfg, blocks: &[Block]) -> Vec<bool> {
    let mut rare = vec![false; blocks.len()];
    // Dominators have lower numbers.
    for number in 1..blocks.len() {
        let is_unlikely = match cfg.predecessors[number][..] {
            [from] => is_unlikely(blocks[from].terminator(), blocks[number]),
            _ => false,
        };
        rare[number] = is_unlikely || rare[cfg.dominator[number]];
    }
    rare
}

/// Whether a branch goes to a block seldom.
fn is_unlikely(branch: Value, to: Block) -> bool {
    let Some(weights) = branch.branch_weights() else {
        return false;
    };
    let all: u64 = weights.iter().sum();
    let taken = branch.block().successors().into_iter().zip(weights);
    let taken: u64 = taken.filter(|(block, _)| *block == to).map(|of| of.1).sum();
    taken.saturating_mul(RARE) < all
}
