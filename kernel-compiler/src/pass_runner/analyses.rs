//! Passes that analyse a kernel and print facts.

use super::error::PassError;
use super::input::{Input, Output, comments};
use crate::analysis::cfg::Cfg;
use crate::analysis::influence_regions::InfluenceRegions;
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::device_cost_model;
use crate::ir::Block;
use crate::work_group::barrier_split;
use crate::work_group::region::Regions;
use crate::work_group::report;
use crate::work_group::rotated_loop::RotatedLoop;
use device_sim::machine::Machine;
use std::collections::HashSet;
use std::fmt::{self, Write};

pub fn find_control_flow(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let cfg = Cfg::compute(kernel);
    let is_cyclic = cfg.graph.cyclic_nodes();
    let is_reachable = cfg.graph.postorder_positions();
    let names = |set: HashSet<Block>| -> String {
        let blocks = cfg.blocks.iter().filter(|block| set.contains(block));
        let names: Vec<String> = blocks.map(Block::text).collect();
        names.join(" ")
    };
    let mut facts = String::new();
    let mut write = || -> fmt::Result {
        for l in RotatedLoop::all(&cfg) {
            let [header, preheader, latch, exit] =
                [l.header, l.preheader, l.latch, l.exit].map(|block| block.text());
            writeln!(
                facts,
                "loop: preheader {preheader}, header {header}, latch {latch}, exit {exit}, blocks {}",
                names(l.blocks)
            )?;
        }
        for (number, &block) in cfg.blocks.iter().enumerate() {
            let name = block.text();
            if is_reachable[number].is_none() {
                continue;
            }
            if is_cyclic[number] {
                writeln!(facts, "{name} is in a cycle")?;
            }
            if block.successors().len() < 2 {
                continue;
            }
            let (influenced, join) = InfluenceRegions::new(&cfg.graph).next(number);
            let influenced = influenced.into_iter().map(|inside| cfg.blocks[inside]);
            let join = join.map_or("no block".into(), |join| cfg.blocks[join].text());
            writeln!(
                facts,
                "branch in {name}: influences {}; joins at {join}",
                match names(influenced.collect()) {
                    names if names.is_empty() => "nothing".into(),
                    names => names,
                }
            )?;
        }
        Ok(())
    };
    write().expect("a String accepts all text");
    Ok(comments(&facts))
}

pub fn find_uniformity(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let cfg = Cfg::compute(kernel);
    let uniformity = Uniformity::find(kernel, &cfg, has_barrier);
    let is_reachable = cfg.graph.postorder_positions();
    let mut facts = String::new();
    let mut write = || -> fmt::Result {
        for (number, block) in kernel.blocks().into_iter().enumerate() {
            let runs = if is_reachable[number].is_none() {
                "no work-item"
            } else if uniformity.is_run_by_all(block) {
                "all work-items or none"
            } else {
                "some work-items"
            };
            writeln!(facts, "{}: run by {runs}", block.text())?;
            for instruction in block.instructions() {
                let kind = if uniformity.is_uniform(instruction) {
                    "uniform"
                } else {
                    "varying"
                };
                // A switch has several lines.
                let text = instruction.text();
                let words: Vec<&str> = text.split_whitespace().collect();
                writeln!(facts, "  {kind}  {}", words.join(" "))?;
            }
        }
        Ok(())
    };
    write().expect("a String accepts all text");
    Ok(comments(&facts))
}

pub fn find_regions(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let regions = Regions::find(kernel, &barrier_split::split(kernel));
    let regions = regions.map_err(|excess| PassError::Refused(excess.to_string()))?;
    Ok(comments(&describe(&regions)))
}

pub fn find_regions_with_joins(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let regions = Regions::find_with_joins(kernel, &barrier_split::split(kernel));
    let regions = regions.map_err(|excess| PassError::Refused(excess.to_string()))?;
    input.text_with(&describe(&regions))
}

fn describe(regions: &Regions) -> String {
    let mut facts = String::new();
    report::write_regions(&mut facts, regions).expect("a String accepts all text");
    let loops = if regions.have_loops() {
        "some region has a loop within it"
    } else {
        "no region has a loop within it"
    };
    facts.push_str(loops);
    facts
}

pub fn estimate_cost(input: &Input<'_>) -> Output {
    let kernel = input.kernel()?;
    let (cost, _) = device_cost_model::cost(kernel, &Machine::mt3000(), &input.layout);
    Ok(comments(&device_cost_model::dump(kernel, &cost)))
}
