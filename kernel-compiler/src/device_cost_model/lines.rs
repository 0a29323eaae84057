//! Which lines of the source have which part in a block's cycles.

use super::code::Code;
use super::graph::Graph;
use super::instruction_costs::WHOLE;
use crate::ir;
use device_sim::timing::cost::{LineShare, SourceFile};
use std::collections::{BTreeMap, HashMap};

/// Files, and shares block by block.
#[derive(Default)]
pub struct Lines {
    pub files: Vec<SourceFile>,
    numbers: HashMap<ir::SourceFile, u32>,
    pub shares: Vec<LineShare>,
}

impl Lines {
    /// Adds a block's: a line has as large a part as its operations keep units, in all. What has no
    /// line of its own belongs to the one before.
    pub fn add(&mut self, code: &Code<'_>, block: usize, graph: &Graph) {
        let mut weights: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let mut here = None;
        let mut early = 0;
        for (instruction, work) in code.instructions[block].iter().zip(&graph.work) {
            if let Some((file, line)) = ir::SourceFile::of(*instruction) {
                here = Some((self.file(file), line));
            }
            let chain: u64 = work.chain.iter().map(|one| u64::from(one.busy)).sum();
            let weight = chain * u64::from(work.times) + work.stall / WHOLE;
            match here {
                Some(line) => *weights.entry(line).or_default() += weight,
                None => early += weight,
            }
        }
        if let Some(weight) = weights.values_mut().next() {
            *weight += early;
        }
        let all: u64 = weights.values().sum();
        if all == 0 {
            return;
        }
        for ((file, line), weight) in weights {
            let share = (weight * WHOLE / all) as u32;
            if share > 0 {
                self.shares.push(LineShare {
                    block: block as u32,
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
