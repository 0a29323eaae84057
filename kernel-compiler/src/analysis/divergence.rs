//! Which values differ between the lanes of a vector, and where lanes take different paths.
//!
//! Lanes run in lock-step, on control flow in compact order; [`super::uniformity`] makes neither
//! assumption, and knows less.

use super::addressing::Addressing;
use super::compact_cfg::CompactCfg;
use super::lane_shape::{self, Shape, ShapeContext};
use crate::ir::{Block, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// The divergence of a loop's body whose iterations become lanes.
pub struct Divergence {
    shapes: HashMap<Value, Shape>,
    /// By block: whether lanes take its branch differently.
    pub divergent_branches: Vec<bool>,
    /// By block: whether only some lanes may run it.
    pub masked: Vec<bool>,
    /// By block: whether lanes that took different paths meet in it.
    pub joins: Vec<bool>,
    /// By loop: whether lanes leave it in different iterations.
    pub divergent_loops: Vec<bool>,
}

impl Divergence {
    /// Propagates shapes to a fixed point. `blocks` are those of `cfg` by number; `seeds` are the
    /// shapes that are known, of values in the body or outside it.
    pub fn find(
        blocks: &[Block],
        cfg: &CompactCfg,
        seeds: HashMap<Value, Shape>,
        addressing: Addressing,
        lanes: u32,
    ) -> Self {
        let known: HashSet<Value> = seeds.keys().copied().collect();
        let mut found = Self {
            shapes: seeds,
            divergent_branches: vec![false; cfg.len()],
            masked: vec![false; cfg.len()],
            joins: vec![false; cfg.len()],
            divergent_loops: vec![false; cfg.loops.len()],
        };
        let instructions: Vec<Vec<Value>> = blocks.iter().map(|b| b.instructions()).collect();
        for instruction in instructions.iter().flatten() {
            found.shapes.entry(*instruction).or_insert(Shape::Unknown);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (number, block) in instructions.iter().enumerate() {
                for &instruction in block {
                    if known.contains(&instruction) {
                        continue;
                    }
                    let before = found.shapes[&instruction];
                    let after = before.join(found.transfer(instruction, number, addressing, lanes));
                    if after != before {
                        found.shapes.insert(instruction, after);
                        changed = true;
                    }
                }
                let terminator = block.last().expect("a block has a terminator");
                if number + 1 < cfg.len()
                    && cfg.successors[number].len() > 1
                    && !found.divergent_branches[number]
                    && !found.shape(terminator.operand(0)).is_uniform()
                {
                    found.divergent_branches[number] = true;
                    found.diverge(number, cfg);
                    changed = true;
                }
            }
        }
        found
    }

    /// A value's shape; values from outside the loop are uniform.
    pub fn shape(&self, value: Value) -> Shape {
        match self.shapes.get(&value) {
            Some(Shape::Unknown) | None => Shape::Uniform,
            Some(shape) => *shape,
        }
    }

    fn shape_so_far(&self, value: Value) -> Shape {
        self.shapes.get(&value).copied().unwrap_or(Shape::Uniform)
    }

    /// Records that lanes take the branch at the end of `block` differently.
    fn diverge(&mut self, block: usize, cfg: &CompactCfg) {
        let influence = cfg.influence(block);
        for &influenced in &influence.blocks {
            self.masked[influenced] = true;
        }
        for &join in &influence.joins {
            self.joins[join] = true;
        }
        for (number, l) in cfg.loops.iter().enumerate() {
            let leaves =
                |&(from, _): &(usize, usize)| from == block || influence.blocks.contains(&from);
            if l.contains(block) && l.exits.iter().any(leaves) {
                self.divergent_loops[number] = true;
                for inside in l.header..=l.latch {
                    self.masked[inside] = true;
                }
                for exit in l.exit_blocks() {
                    self.joins[exit] = true;
                }
            }
        }
    }

    /// The shape that an instruction has by what is known of its operands so far.
    fn transfer(
        &self,
        instruction: Value,
        block: usize,
        addressing: Addressing,
        lanes: u32,
    ) -> Shape {
        match instruction.opcode() {
            Opcode::LLVMPHI if self.joins[block] => Shape::Varying,
            _ => {
                let context = ShapeContext {
                    addressing,
                    lanes,
                    masked: self.masked[block],
                };
                lane_shape::transfer(instruction, context, &|operand| self.shape_so_far(operand))
            }
        }
    }
}
