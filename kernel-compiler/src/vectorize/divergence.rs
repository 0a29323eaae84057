//! Which values differ from lane to lane, and where lanes go different ways.

use super::cfg::Cfg;
use super::private_arrays;
use super::shape::{self, Shape};
use super::work_item_loop::WorkItemLoop;
use crate::ir::{Block, DataLayout, Opcode, Value};
use std::collections::HashMap;

/// What is known of the body of a loop over work-items when its iterations run as lanes.
pub struct Divergence {
    shapes: HashMap<Value, Shape>,
    /// Blocks whose branch goes different ways for different lanes.
    pub divergent_branches: Vec<bool>,
    /// Blocks that run with some lanes only, as a rule.
    pub masked: Vec<bool>,
    /// Blocks where lanes meet that have gone different ways.
    pub joins: Vec<bool>,
    /// Loops that lanes leave at different times.
    pub divergent_loops: Vec<bool>,
}

impl Divergence {
    /// Finds it; `blocks` by their numbers in `cfg`. Comparisons that are `known` have the
    /// same outcome for all lanes.
    pub fn find(
        work_items: &WorkItemLoop,
        blocks: &[Block],
        cfg: &Cfg,
        known: &HashMap<Value, bool>,
        private: &[private_arrays::ArrayLayout],
        layout: DataLayout,
    ) -> Self {
        let mut shapes = HashMap::from([(work_items.induction, Shape::COUNTING)]);
        for (array, lies) in work_items.private_arrays.iter().zip(private) {
            shapes.insert(*array, Shape::addresses(lies.lane_stride));
        }
        shapes.extend(known.keys().map(|value| (*value, Shape::Uniform)));
        let mut found = Self {
            shapes,
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
                    if instruction == work_items.induction || known.contains_key(&instruction) {
                        continue;
                    }
                    let before = found.shapes[&instruction];
                    let after = before.join(found.transfer(instruction, number, layout));
                    if after != before {
                        found.shapes.insert(instruction, after);
                        changed = true;
                    }
                }
                let terminator = block.last().expect("a block has a terminator");
                if number + 1 < cfg.len()
                    && cfg.successors[number].len() > 1
                    && !found.divergent_branches[number]
                    && !found.of(terminator.operand(0)).is_uniform()
                {
                    found.divergent_branches[number] = true;
                    found.diverge(number, cfg);
                    changed = true;
                }
            }
        }
        found
    }

    /// A value's shape. What is made outside the loop is uniform.
    pub fn of(&self, value: Value) -> Shape {
        match self.shapes.get(&value) {
            Some(Shape::Unknown) | None => Shape::Uniform,
            Some(shape) => *shape,
        }
    }

    fn of_so_far(&self, value: Value) -> Shape {
        self.shapes.get(&value).copied().unwrap_or(Shape::Uniform)
    }

    fn diverge(&mut self, block: usize, cfg: &Cfg) {
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

    fn transfer(&self, instruction: Value, block: usize, layout: DataLayout) -> Shape {
        match instruction.opcode() {
            Opcode::LLVMPHI if self.joins[block] => Shape::Varying,
            _ => shape::of(instruction, layout, self.masked[block], &|operand| {
                self.of_so_far(operand)
            }),
        }
    }
}
