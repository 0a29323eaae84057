//! Predicated sections: if-converted code within a block, which the machine is charged for only when
//! a lane is active.

use crate::ir::Value;
use crate::passes::instrumentation::counts_active_lanes;
use crate::work_items::timing_markers::marks_predicated_lanes;
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
    /// The sections of blocks with these instructions, of which some have `markers` of their lanes.
    pub fn find(blocks: &[Vec<Value>], markers: &HashMap<Value, Value>) -> Self {
        let mut sections = Self::default();
        for (number, block) in blocks.iter().enumerate() {
            let starts = block
                .iter()
                .filter(|&&start| counts_active_lanes(start) && marks_predicated_lanes(start))
                .take(MAX_SECTIONS);
            let first = sections.starts.len();
            sections
                .starts
                .extend(starts.map(|&marker| (number, marker)));
            let of_marker: HashMap<Value, usize> = (first..)
                .zip(&sections.starts[first..])
                .map(|(section, (_, marker))| (*marker, section))
                .collect();
            // The branch at the end belongs to the block.
            let predicated = block.iter().filter(|last| !last.is_terminator());
            sections.of.extend(predicated.filter_map(|instruction| {
                let marker = markers.get(instruction)?;
                Some((*instruction, *of_marker.get(marker)?))
            }));
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
