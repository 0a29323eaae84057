//! How the cycles of a block are attributed to lines of the source.

use super::code::Code;
use super::dependence_graph::Graph;
use super::operation::WHOLE;
use crate::ir;
use device_sim::timing::cost::{LineShare, SourceFile};
use std::collections::{BTreeMap, HashMap};

/// Source files, and the shares of their lines, block by block.
#[derive(Default)]
pub struct SourceLines {
    pub files: Vec<SourceFile>,
    numbers: HashMap<ir::SourceFile, u32>,
    pub shares: Vec<LineShare>,
}

impl SourceLines {
    /// Adds the shares of a block and of its predicated sections: each line's part of the cycles for
    /// which operations occupy units. Instructions without a line count for the line before.
    pub fn add(&mut self, code: &Code<'_>, block: usize, graph: &Graph) {
        let sections = code.sections.in_block(block);
        for position in 0..=sections.len() {
            let number = match position {
                0 => block,
                _ => code.cfg.blocks.len() + sections.start + position - 1,
            };
            let weights = self.weights(code, block, position, graph);
            self.add_shares(number, weights);
        }
    }

    /// The cycles for which operations of the lines occupy units in one section of a block.
    fn weights(
        &mut self,
        code: &Code<'_>,
        block: usize,
        position: usize,
        graph: &Graph,
    ) -> BTreeMap<(u32, u32), u64> {
        let mut weights: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let mut here = None;
        let mut early = 0;
        for (instruction, cost) in code.instructions[block].iter().zip(&graph.costs) {
            if let Some((file, line)) = ir::SourceFile::of(*instruction) {
                here = Some((self.file(file), line));
            }
            if code.sections.position(*instruction) != position {
                continue;
            }
            let chain: u64 = cost.chain.iter().map(|one| u64::from(one.busy)).sum();
            let weight = chain * u64::from(cost.instances) + cost.stall / WHOLE;
            match here {
                Some(line) => *weights.entry(line).or_default() += weight,
                None => early += weight,
            }
        }
        if let Some(weight) = weights.values_mut().next() {
            *weight += early;
        }
        weights
    }

    fn add_shares(&mut self, number: usize, weights: BTreeMap<(u32, u32), u64>) {
        let all: u64 = weights.values().sum();
        if all == 0 {
            return;
        }
        for ((file, line), weight) in weights {
            let share = (weight * WHOLE / all) as u32;
            if share > 0 {
                self.shares.push(LineShare {
                    block: number as u32,
                    file,
                    line,
                    share,
                });
            }
        }
    }

    fn file(&mut self, file: ir::SourceFile) -> u32 {
        *self.numbers.entry(file).or_insert_with(|| {
            let file = SourceFile {
                name: file.name(),
                text: file.text().unwrap_or_default(),
            };
            let known = self.files.iter().position(|known| *known == file);
            let number = known.unwrap_or_else(|| {
                self.files.push(file);
                self.files.len() - 1
            });
            number as u32
        })
    }
}
