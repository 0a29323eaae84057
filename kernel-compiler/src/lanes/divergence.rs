//! Which values differ from lane to lane, and where lanes go different ways.

use super::flow::Flow;
use super::private_arrays;
use super::shape::{self, Shape};
use super::work_item_loop::WorkItemLoop;
use crate::ir::{Block, DataLayout, Opcode, Value};
use std::collections::HashMap;

/// What is known of the body of a loop over work-items when its iterations run as lanes.
pub struct Divergence {
    shapes: HashMap<Value, Shape>,
    /// Blocks whose branch goes different ways for different lanes.
    pub branches: Vec<bool>,
    /// Blocks that run with some lanes only, as a rule.
    pub masked: Vec<bool>,
    /// Blocks where lanes meet that have gone different ways.
    pub joins: Vec<bool>,
    /// Loops that lanes leave at different times.
    pub loops: Vec<bool>,
}

impl Divergence {
    /// Finds it; `blocks` by their numbers in `flow`. Comparisons that are `known` have the
    /// same outcome for all lanes.
    pub fn find(
        work_items: &WorkItemLoop,
        blocks: &[Block],
        flow: &Flow,
        known: &HashMap<Value, bool>,
        private: &[private_arrays::Layout],
        layout: DataLayout,
    ) -> Self {
        let mut shapes = HashMap::from([(work_items.counter, Shape::COUNTING)]);
        for (array, lies) in work_items.private.iter().zip(private) {
            shapes.insert(*array, Shape::places(lies.step));
        }
        shapes.extend(known.keys().map(|value| (*value, Shape::Uniform)));
        let mut found = Self {
            shapes,
            branches: vec![false; flow.len()],
            masked: vec![false; flow.len()],
            joins: vec![false; flow.len()],
            loops: vec![false; flow.loops.len()],
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
                    if instruction == work_items.counter || known.contains_key(&instruction) {
                        continue;
                    }
                    let before = found.shapes[&instruction];
                    let after = before.or(found.shape_now(instruction, number, layout));
                    if after != before {
                        found.shapes.insert(instruction, after);
                        changed = true;
                    }
                }
                let terminator = block.last().expect("a block has a terminator");
                if number + 1 < flow.len()
                    && flow.successors[number].len() > 1
                    && !found.branches[number]
                    && !found.of(terminator.operand(0)).is_uniform()
                {
                    found.branches[number] = true;
                    found.diverge(number, flow);
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

    fn diverge(&mut self, block: usize, flow: &Flow) {
        let influence = flow.influence(block);
        for &influenced in &influence.blocks {
            self.masked[influenced] = true;
        }
        for &join in &influence.joins {
            self.joins[join] = true;
        }
        for (number, l) in flow.loops.iter().enumerate() {
            let leaves =
                |&(from, _): &(usize, usize)| from == block || influence.blocks.contains(&from);
            if l.holds(block) && l.exits.iter().any(leaves) {
                self.loops[number] = true;
                for inside in l.header..=l.latch {
                    self.masked[inside] = true;
                }
                for exit in l.exit_blocks() {
                    self.joins[exit] = true;
                }
            }
        }
    }

    fn shape_now(&self, instruction: Value, block: usize, layout: DataLayout) -> Shape {
        match instruction.opcode() {
            Opcode::LLVMPHI if self.joins[block] => Shape::Varying,
            _ => shape::of(instruction, layout, self.masked[block], &|operand| {
                self.of_so_far(operand)
            }),
        }
    }
}
