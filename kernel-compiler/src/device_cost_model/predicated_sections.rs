//! Predicated sections: if-converted code within a block, which the machine is charged for only when
//! a lane is active.

use crate::ir::Value;
use crate::passes::instrumentation::counts_active_lanes;
use crate::work_items::timing_markers::{marks_active_lanes, marks_predicated_lanes};
use std::collections::HashMap;
use std::ops::Range;

/// Most sections of a block; what follows them counts as run by some lane.
const MAX_SECTIONS: usize = 16;

/// The predicated sections of a function.
#[derive(Default)]
pub struct PredicatedSections {
    /// By section: its block, and the marker at its start.
    starts: Vec<(usize, Value)>,
    /// The sections of instructions.
    of: HashMap<Value, usize>,
}

impl PredicatedSections {
    /// The sections of blocks with these instructions.
    pub fn find(blocks: &[Vec<Value>]) -> Self {
        let mut sections = Self::default();
        for (number, block) in blocks.iter().enumerate() {
            let first = sections.starts.len();
            let mut section = None;
            for &instruction in block {
                if !marks_active_lanes(instruction) {
                    // The branch at the end belongs to the block.
                    let section = section.filter(|_| !instruction.is_terminator());
                    sections
                        .of
                        .extend(section.map(|section| (instruction, section)));
                    continue;
                }
                let starts = counts_active_lanes(instruction)
                    && marks_predicated_lanes(instruction)
                    && sections.starts.len() < first + MAX_SECTIONS;
                section = starts.then(|| {
                    sections.starts.push((number, instruction));
                    sections.starts.len() - 1
                });
            }
        }
        sections
    }

    /// The markers of all sections, in order.
    pub fn markers(&self) -> impl Iterator<Item = Value> {
        self.starts.iter().map(|(_, marker)| *marker)
    }

    /// The numbers of a block's sections among those of the function.
    pub fn in_block(&self, block: usize) -> Range<usize> {
        let from = self.starts.partition_point(|(other, _)| *other < block);
        let to = self.starts.partition_point(|(other, _)| *other <= block);
        from..to
    }

    /// The section of an instruction by its position in the block, from 1; 0 for what always runs.
    pub fn position(&self, instruction: Value) -> usize {
        self.of.get(&instruction).map_or(0, |&section| {
            let (block, _) = self.starts[section];
            section - self.in_block(block).start + 1
        })
    }
}
