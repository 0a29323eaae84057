//! `cargo xtask scaling`: the programs of `examples/mpi` on 1 to 1,024 simulated nodes, and what their
//! simulation costs.

mod model;
mod page;
mod programs;
mod simulation;

use crate::{command, packages, platform};
use anyhow::{Context, Result};
use page::Page;
use programs::{COSTS, Growth, PROGRAMS};
use std::path::Path;

/// Arguments of `cargo xtask scaling`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Also write the page to docs/generated/scaling.md.
    #[arg(long)]
    write: bool,
    /// Measure only what simulation costs.
    #[arg(long, conflicts_with = "write")]
    costs: bool,
    /// Most nodes of the programs; those that show costs have four times as many.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(4..=4096))]
    nodes: u32,
}

/// Numbers of nodes for which costs are extrapolated.
const EXTRAPOLATED: [u32; 2] = [16_384, 100_000];

/// Fewest nodes of runs that show costs: with fewer, the program's start takes most of the time.
const FEWEST: u32 = 64;

/// The powers of 4 from `first` to `last`.
fn powers(first: u32, last: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), |nodes| nodes.checked_mul(4))
        .take_while(move |nodes| *nodes <= last)
}

/// Runs the programs and prints the page.
///
/// # Errors
/// A program cannot be compiled, or fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(&["libsimgrid-dev"])?;
    platform::build()?;
    command::run(platform::cargo().args(["build", "--release", "--package", "mocl3"]))?;
    let folder = tempfile::tempdir()?;
    for program in &PROGRAMS {
        simulation::compile(program.name, folder.path())?;
    }
    let mut page = Page::new();
    if !arguments.costs {
        add_scaling(&mut page, folder.path(), arguments.nodes)?;
    }
    add_costs(&mut page, folder.path(), arguments.nodes)?;
    print!("{}", page.text());
    if arguments.write {
        let path = platform::root().join("docs/generated/scaling.md");
        std::fs::write(&path, page.text())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Strong and weak scaling of the programs.
fn add_scaling(page: &mut Page, folder: &Path, most: u32) -> Result<()> {
    for program in &PROGRAMS {
        for growth in [Growth::Strong, Growth::Weak] {
            let mut runs = Vec::new();
            for nodes in powers(1, most) {
                eprintln!("{}, {growth:?} scaling, {nodes} nodes", program.name);
                let given = (program.arguments)(growth, nodes);
                let program = (program.name, &given[..]);
                runs.push(simulation::run(folder, nodes, program, &[], true)?);
            }
            page.add_scaling(program, growth, &runs);
        }
    }
    Ok(())
}

/// What simulation costs, with up to four times as many nodes.
fn add_costs(page: &mut Page, folder: &Path, most: u32) -> Result<()> {
    page.begin_costs(std::thread::available_parallelism()?.get());
    for cost in &COSTS {
        let options: &[&str] = if cost.shares {
            &["--share-launches"]
        } else {
            &[]
        };
        let mut runs = Vec::new();
        for nodes in powers(FEWEST.min(most), 4 * most) {
            eprintln!("{}, {nodes} nodes", cost.what);
            let given = (cost.arguments)(nodes);
            let program = (cost.program, &given[..]);
            runs.push(simulation::run(folder, nodes, program, options, false)?);
        }
        page.add_costs(cost, &runs, &EXTRAPOLATED);
    }
    Ok(())
}
