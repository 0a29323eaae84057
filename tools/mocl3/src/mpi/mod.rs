//! `mocl3 mpi`: runs an MPI program on many simulated nodes, with SimGrid.

mod host_cost;
mod platform_file;
mod ranks;
mod settings;
mod simgrid;

use crate::json_option::JsonOption;
use crate::record_run::exit_code;
use anyhow::{Context, Result, bail};
use clap::value_parser;
use device_sim::machine::{Network, Topology};
use environment::{MPI_REPORT, SHARE_LAUNCHES};
use host_cost::HostCost;
use mocl3_shared::arguments::machine::MachineOptions;
use platform_file::Shape;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use tempfile::TempDir;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  smpicc -O2 program.c -lOpenCL -o program
  mocl3 mpi -n 16 -- ./program its arguments
  mocl3 mpi -n 64 --ranks-per-node 4 --set network.bandwidth=25GB/s -- ./program
  mocl3 mpi -n 27 --topology torus -- ./program";

/// Most ranks: SimGrid runs all of them in one process.
const MOST_RANKS: i64 = 65_536;

/// Arguments of `mocl3 mpi`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of ranks.
    #[arg(short = 'n', long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..=MOST_RANKS))]
    ranks: u32,
    /// Ranks on each node: the first node has the first ranks.
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = value_parser!(u32).range(1..=MOST_RANKS))]
    ranks_per_node: u32,
    /// How nodes are connected, other than the machine file says: fat_tree or torus.
    #[arg(long, value_name = "TOPOLOGY", value_parser = parse_topology)]
    topology: Option<Topology>,
    #[command(flatten)]
    machine: MachineOptions,
    /// Execute one launch of those that are equal; the others take as long and compute nothing, so that results are wrong.
    #[arg(long)]
    share_launches: bool,
    /// Give SimGrid a setting, such as smpi/coll-selector:ompi; may be repeated.
    #[arg(long = "simgrid", value_name = "NAME:VALUE")]
    simgrid: Vec<String>,
    /// Keep SimGrid's platform and host files in this folder.
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
    /// The program, compiled with smpicc or smpicxx, and its arguments.
    #[arg(trailing_var_arg = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,
}

fn parse_topology(name: &str) -> Result<Topology, String> {
    match name {
        "fat_tree" => Ok(Topology::FatTree),
        "torus" => Ok(Topology::Torus),
        _ => Err("neither fat_tree nor torus".into()),
    }
}

/// Runs the program and prints the simulated time. The exit code is the program's, or 1 if that is 0
/// but the program was aborted, or did not use OpenCL.
///
/// # Errors
/// SimGrid is missing, the machine has no network, a setting makes times wrong, or the program
/// cannot be run.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    settings::check(&arguments.simgrid)?;
    settings::check_arguments(&arguments.program)?;
    let mut network = network(&arguments.machine)?;
    if let Some(topology) = arguments.topology {
        network.topology = topology;
    }
    let smpirun = simgrid::find_smpirun()?;
    let program = simgrid::find_program(&arguments.program[0])?;
    let layer = simgrid::find_layer()?;
    let variables = arguments.machine.variables()?;
    let nodes = arguments.ranks.div_ceil(arguments.ranks_per_node);

    let temporary = TempDir::new().context("cannot create a folder for SimGrid's files")?;
    let folder = match &arguments.files {
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            folder
        }
        None => temporary.path(),
    };
    let platform = folder.join("platform.xml");
    let hosts = folder.join("hosts.txt");
    let shape = Shape::new(&network, nodes);
    write(
        &platform,
        &platform_file::platform(&network, &shape, arguments.ranks_per_node),
    )?;
    write(
        &hosts,
        &platform_file::hosts(arguments.ranks, arguments.ranks_per_node),
    )?;
    let report = temporary.path().join("ranks.txt");
    File::create(&report).context("cannot create a file for the ranks' times")?;

    let mut command = Command::new(smpirun);
    command
        .args(["-np", &arguments.ranks.to_string()])
        .arg("-platform")
        .arg(&platform)
        .arg("-hostfile")
        .arg(&hosts)
        .args(settings::arguments(&network, &arguments.simgrid))
        .args(["-quiet", "--log=root.thresh:warning"])
        .arg(program)
        .args(&arguments.program[1..])
        .envs(variables)
        .env("MOCL3_NODES", nodes.to_string())
        .env("OPENCL_LAYERS", layers(&layer))
        .env(MPI_REPORT.name, &report);
    if arguments.share_launches {
        command.env(SHARE_LAUNCHES.name, "1");
    }
    let start = Instant::now();
    let status = command.status().context("cannot run smpirun")?;
    let host = HostCost::of_children(start.elapsed());
    if status.signal().is_some() {
        eprintln!("smpirun ended with {status}");
    }
    let ranks = ranks::read(&report)?;
    let summary = ranks::Summary::new(&ranks, nodes, &shape, host);
    if arguments.json.write(&summary)? {
        eprint!("{}", summary.text());
    }
    let code = exit_code(status);
    Ok(ExitCode::from(code.max(u8::from(summary.has_failed()))))
}

/// The machine's network.
fn network(machine: &MachineOptions) -> Result<Network> {
    let machine = machine.description()?.machine()?;
    match machine.network {
        Some(network) => Ok(network),
        None => bail!(
            "{} has no table [network]: docs/mpi.md lists its numbers",
            machine.name
        ),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The layers of the program: those of the environment, then ours, which is called first.
fn layers(layer: &Path) -> OsString {
    let mut all = std::env::var_os("OPENCL_LAYERS").unwrap_or_default();
    if !all.is_empty() {
        all.push(":");
    }
    all.push(layer);
    all
}
