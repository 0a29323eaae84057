//! `mocl3 mpi`: runs an MPI program on many simulated nodes, with SimGrid.

mod host_cost;
mod mpi_calls;
mod platform_file;
mod ranks;
mod settings;
mod setup;
mod simgrid;
mod trace;

use crate::json_option::JsonOption;
use crate::record_run::exit_code;
use anyhow::{Context, Result, bail};
use clap::value_parser;
use device_sim::machine::Topology;
use environment::{MPI_REPORT, SHARE_LAUNCHES};
use host_cost::HostCost;
use mocl3_shared::arguments::machine::MachineOptions;
use mpi_calls::MpiCalls;
use ranks::{Replayed, Summary};
use settings::Purpose;
use setup::Setup;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use trace::Trace;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  smpicc -O2 program.c -lOpenCL -o program
  mocl3 mpi -n 16 -- ./program its arguments
  mocl3 mpi -n 64 --ranks-per-node 4 --set network.bandwidth=25GB/s -- ./program
  mocl3 mpi -n 27 --topology torus -- ./program
  mocl3 mpi -n 16 --record-trace trace -- ./program
  mocl3 mpi --replay trace --set network.latency=2us";

/// What to look for if SimGrid was aborted: it does not say that a thread is no rank.
const FAILED: &str = "\
  if a function of MPI returned MPI_ERR_OTHER: native kernels, and callbacks other than those of events, cannot call
  MPI, since they run in no rank; if it ended with 134 or 139: larger stacks, such as --simgrid
  contexts/stack-size:16384 (KiB), may help
";

/// Most ranks: SimGrid runs all of them in one process.
const MOST_RANKS: i64 = 65_536;

/// Arguments of `mocl3 mpi`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of ranks.
    #[arg(short = 'n', long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..=MOST_RANKS), required_unless_present = "replay")]
    ranks: Option<u32>,
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
    /// Record in this folder what ranks compute and send, to replay it over other networks.
    #[arg(long, value_name = "FOLDER")]
    record_trace: Option<PathBuf>,
    /// Replay the trace of this folder instead of running a program.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["ranks", "ranks_per_node", "share_launches", "record_trace", "program"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
    /// The program, compiled with smpicc or smpicxx, and its arguments.
    #[arg(
        trailing_var_arg = true,
        value_name = "PROGRAM",
        required_unless_present = "replay"
    )]
    program: Vec<OsString>,
}

fn parse_topology(name: &str) -> Result<Topology, String> {
    match name {
        "fat_tree" => Ok(Topology::FatTree),
        "torus" => Ok(Topology::Torus),
        _ => Err("neither fat_tree nor torus".into()),
    }
}

/// Runs the program, or replays a trace, and prints the simulated time. The exit code is the
/// program's, or 1 if that is 0 but the program was aborted, or did not use OpenCL.
///
/// # Errors
/// SimGrid is missing, the machine has no network, a setting makes times wrong, or the program
/// cannot be run.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    settings::check(&arguments.simgrid)?;
    settings::check_arguments(&arguments.program)?;
    settings::check_clock()?;
    if let Some(folder) = &arguments.replay {
        return replay(arguments, &Trace::open(folder)?);
    }
    let (Some(ranks), [program, rest @ ..]) = (arguments.ranks, &arguments.program[..]) else {
        bail!("-n and a program are needed");
    };
    let setup = setup(arguments, (ranks, arguments.ranks_per_node))?;
    let program = simgrid::find_program(program)?;
    let layer = simgrid::find_layer()?;
    let report = setup.temporary().join("ranks.txt");
    File::create(&report).context("cannot create a file for the ranks' times")?;

    let mut command = match &arguments.record_trace {
        Some(folder) => {
            trace::prepare(folder)?;
            let mut command = setup.smpirun(Purpose::Record);
            command.args(trace::recording(setup.temporary()));
            command
        }
        None => setup.smpirun(Purpose::Run),
    };
    let calls = match &arguments.record_trace {
        // SimGrid writes one kind of trace at a time.
        Some(_) => None,
        None => MpiCalls::wanted(setup.temporary(), arguments.ranks_per_node),
    };
    if let Some(calls) = &calls {
        command.args(calls.arguments());
    }
    command
        .arg(program)
        .args(rest)
        .envs(arguments.machine.variables()?)
        .env("MOCL3_NODES", setup.nodes.to_string())
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
    if let Some(calls) = &calls {
        calls.add()?;
    }
    let ranks = ranks::read(&report)?;
    let summary = Summary::new(&ranks, setup.nodes, &setup.shape, host);
    if arguments.json.write(&summary)? {
        eprint!("{}", summary.text());
    }
    if !status.success() && summary.has_failed() {
        eprint!("{FAILED}");
    }
    let code = exit_code(status).max(u8::from(summary.has_failed()));
    if let (Some(folder), Some(time), 0) = (&arguments.record_trace, summary.time, code) {
        keep_trace(arguments, &setup, folder, time)?;
    }
    Ok(ExitCode::from(code))
}

/// Stores the recorded trace of a run that took that time, nanoseconds, and says how well it replays.
///
/// # Errors
/// It cannot be stored, or not be replayed.
fn keep_trace(arguments: &Arguments, setup: &Setup, folder: &Path, time: u64) -> Result<()> {
    let ranks = arguments.ranks.unwrap_or(1);
    let places = (ranks, arguments.ranks_per_node);
    Trace::store(setup.temporary(), folder, places, time)?;
    let replayed =
        Trace::open(folder)?.replay(setup.smpirun(Purpose::Replay), setup.temporary())?;
    eprintln!(
        "  the trace in {} replays in {}",
        folder.display(),
        ranks::compared(replayed, time)
    );
    Ok(())
}

/// Replays a trace and prints the simulated time.
///
/// # Errors
/// SimGrid is missing, the machine has no network, or the trace cannot be replayed.
fn replay(arguments: &Arguments, trace: &Trace) -> Result<ExitCode> {
    let setup = setup(arguments, (trace.ranks, trace.ranks_per_node))?;
    let time = trace.replay(setup.smpirun(Purpose::Replay), setup.temporary())?;
    let replayed = Replayed::new(trace, time, setup.nodes, &setup.shape);
    if arguments.json.write(&replayed)? {
        eprint!("{}", replayed.text());
    }
    Ok(ExitCode::SUCCESS)
}

/// What smpirun needs for that many ranks, and ranks on each node.
///
/// # Errors
/// The machine has no network, SimGrid is missing, or a file cannot be written.
fn setup(arguments: &Arguments, ranks: (u32, u32)) -> Result<Setup> {
    let machine = arguments.machine.description()?.machine()?;
    let Some(mut network) = machine.network else {
        bail!(
            "{} has no table [network]: docs/mpi.md lists its numbers",
            machine.name
        );
    };
    if let Some(topology) = arguments.topology {
        network.topology = topology;
    }
    Setup::new(
        network,
        &arguments.simgrid,
        arguments.files.as_deref(),
        ranks,
    )
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
