//! `cargo xtask scaling`: the programs of `examples/mpi`, and LAMMPS, on 1 to 1,024 simulated nodes, and
//! what their simulation costs.

mod model;
mod page;
mod programs;
mod simulation;

use crate::clients::lammps;
use crate::{command, packages, platform};
use anyhow::{Context, Result, bail};
use page::Page;
use programs::{COSTS, Growth, PROGRAMS, Source};
use std::path::Path;

/// Arguments of `cargo xtask scaling`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Also write the page to docs/generated/scaling.md.
    #[arg(long)]
    write: bool,
    /// Measure only what simulation costs.
    #[arg(long)]
    costs: bool,
    /// Measure only programs whose names, and costs whose titles, contain this. The page keeps the rest.
    #[arg(long, default_value = "")]
    only: String,
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
    let folder = folder.path();
    let path = platform::root().join("docs/generated/scaling.md");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let mut page = Page::new();
    if !arguments.costs {
        add_scaling(&mut page, folder, arguments)?;
    }
    add_costs(&mut page, folder, arguments)?;
    if page.is_empty() {
        bail!("nothing has `{}` in its name", arguments.only);
    }
    print!("{}", page.text());
    if arguments.write {
        page.keep(&before);
        std::fs::write(&path, page.text())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Puts the program into the folder, under its name.
///
/// # Errors
/// It cannot be compiled, or LAMMPS has not been.
fn provide(program: &str, folder: &Path) -> Result<()> {
    let known = PROGRAMS.iter().find(|known| known.name == program);
    match known.map(|known| known.source) {
        _ if folder.join(program).exists() => Ok(()),
        Some(Source::Lammps) => {
            let built = lammps::built()?;
            std::os::unix::fs::symlink(built, folder.join(program))?;
            let input = folder.join(lammps::INPUT_FILE);
            std::fs::write(input, lammps::INPUT).context("cannot write the input of LAMMPS")
        }
        _ => simulation::compile(program, folder),
    }
}

/// Strong and weak scaling of the programs.
fn add_scaling(page: &mut Page, folder: &Path, arguments: &Arguments) -> Result<()> {
    let programs = PROGRAMS.iter();
    for program in programs.filter(|program| program.name.contains(&arguments.only)) {
        provide(program.name, folder)?;
        for growth in [Growth::Strong, Growth::Weak] {
            let mut runs = Vec::new();
            for nodes in powers(1, arguments.nodes.min(program.most_nodes)) {
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
fn add_costs(page: &mut Page, folder: &Path, arguments: &Arguments) -> Result<()> {
    let most = arguments.nodes;
    let costs = COSTS.iter();
    for cost in costs.filter(|cost| cost.what.contains(&arguments.only)) {
        provide(cost.program, folder)?;
        page.begin_costs(std::thread::available_parallelism()?.get());
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
