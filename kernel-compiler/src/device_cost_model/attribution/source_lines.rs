//! How the cycles of a block are attributed to lines of the source.

use super::weights::{Weights, of_instruction};
use crate::device_cost_model::addressing::device_functions::DeviceFunction;
use crate::device_cost_model::code::Code;
use crate::device_cost_model::dependence_graph::Graph;
use crate::device_cost_model::operation::WHOLE;
use crate::intrinsics;
use crate::ir::{self, Value};
use device_sim::timing::cost::{LineShare, SourceFile, SourceLine};
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
    /// which operations occupy units and wait for memories. Instructions without a line count for the
    /// line before.
    pub fn add(&mut self, code: &Code<'_>, block: usize, graph: &Graph) {
        for (position, number) in code.costs_of(block) {
            let weights = self.weights(code, block, position, graph);
            self.add_shares(number, weights);
        }
    }

    /// The line of an instruction, or of the closest one before it in its block that has one.
    pub fn at(&mut self, instructions: &[Value], position: usize) -> Option<SourceLine> {
        let before = instructions[..=position].iter().rev();
        let (file, line) = before.copied().find_map(ir::SourceFile::at)?;
        let file = self.file(file);
        Some(SourceLine { file, line })
    }

    /// The weights of the lines in one section of a block.
    fn weights(
        &mut self,
        code: &Code<'_>,
        block: usize,
        section: usize,
        graph: &Graph,
    ) -> BTreeMap<SourceLine, Weights> {
        let mut weights: BTreeMap<SourceLine, Weights> = BTreeMap::new();
        let mut early = Weights::default();
        let instructions = &code.instructions[block];
        for (position, (instruction, cost)) in instructions.iter().zip(&graph.costs).enumerate() {
            if code.sections.position(*instruction) != section {
                continue;
            }
            let sums = match self.at(instructions, position) {
                Some(line) => weights.entry(line).or_default(),
                None => &mut early,
            };
            add_each(sums, of_instruction(cost, code.params.line));
        }
        if let Some(first) = weights.values_mut().next() {
            add_each(first, early);
        }
        weights
    }

    fn add_shares(&mut self, number: usize, weights: BTreeMap<SourceLine, Weights>) {
        let mut sums = Weights::default();
        for of_line in weights.values() {
            add_each(&mut sums, *of_line);
        }
        let all: u64 = sums.iter().sum();
        for (line, of_line) in weights {
            let of_all = of_line.iter().sum::<u64>();
            // Cycles of a kind that no operation causes by itself are shared like the others.
            let share = |place: usize| match (sums[place], all) {
                (0, 0) => 0,
                (0, all) => (of_all * WHOLE / all) as u32,
                (sum, _) => (of_line[place] * WHOLE / sum) as u32,
            };
            let [compute, scratchpad, outside, barrier] = [0, 1, 2, 3].map(share);
            if [compute, scratchpad, outside, barrier] != [0; 4] {
                self.shares.push(LineShare {
                    block: number as u32,
                    line,
                    compute,
                    scratchpad,
                    outside,
                    barrier,
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

fn add_each(sums: &mut Weights, numbers: Weights) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// The calls that start or wait for DMA transfers, numbered by their lines.
pub struct DmaSites {
    /// By number; the first one is that of calls without a line.
    pub lines: Vec<Option<SourceLine>>,
    pub numbers: HashMap<Value, u32>,
}

impl DmaSites {
    pub fn collect(code: &Code<'_>, lines: &mut SourceLines) -> Self {
        let mut sites = Self {
            lines: vec![None],
            numbers: HashMap::new(),
        };
        for instructions in &code.instructions {
            for (position, &call) in instructions.iter().enumerate() {
                let is_dma = DeviceFunction::called(call).is_some_and(DeviceFunction::is_dma);
                if !intrinsics::is_collective(call) && !is_dma {
                    continue;
                }
                let line = lines.at(instructions, position);
                let known = sites.lines.iter().position(|known| *known == line);
                let number = known.unwrap_or_else(|| {
                    sites.lines.push(line);
                    sites.lines.len() - 1
                });
                sites.numbers.insert(call, number as u32);
            }
        }
        sites
    }
}
