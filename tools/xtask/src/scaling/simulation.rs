//! One simulated run of a program.

use crate::command;
use crate::platform::{self, Platform};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What a run took.
pub struct Run {
    /// Nodes, with one rank each.
    pub nodes: u32,
    /// Simulated time, nanoseconds.
    pub time: f64,
    /// The mean node's time in kernels, in transfers, and outside of OpenCL's functions, nanoseconds.
    /// Kernels that run while the program is in MPI count in both.
    pub parts: Parts,
    /// The host's time, and that of its processors, seconds.
    pub wall_seconds: f64,
    pub seconds: f64,
    /// The host's memory, bytes.
    pub memory: f64,
}

/// Where the mean node's time goes, nanoseconds.
#[derive(Default)]
pub struct Parts {
    pub kernels: f64,
    pub transfers: f64,
    pub mpi: f64,
}

/// Compiles a program of `examples/mpi` into the folder.
///
/// # Errors
/// smpicc is missing, or fails.
pub fn compile(name: &str, folder: &Path) -> Result<()> {
    let source = platform::root().join(format!("examples/mpi/{name}.c"));
    command::run(
        Command::new("smpicc")
            .arg("-O2")
            .arg(source)
            .args(["-lOpenCL", "-lm", "-o"])
            .arg(folder.join(name)),
    )
}

/// Runs a program of the folder on that many nodes. `recorded`: also finds out where time goes.
///
/// # Errors
/// The program fails.
pub fn run(
    folder: &Path,
    nodes: u32,
    (name, arguments): (&str, &[String]),
    options: &[&str],
    recorded: bool,
) -> Result<Run> {
    let mocl3 = platform::library_folder().join("mocl3");
    let (summary, statistics) = (folder.join("mpi.json"), folder.join("stat.json"));
    let mut command = Command::new(&mocl3);
    if recorded {
        command
            .args(["stat", &format!("--json={}", statistics.display()), "--"])
            .arg(&mocl3);
    }
    command
        .args(["mpi", "-n", &nodes.to_string()])
        .arg(format!("--json={}", summary.display()))
        .args(options)
        .arg("--")
        .arg(folder.join(name))
        .args(arguments)
        .current_dir(folder);
    Platform::Ours.point(&mut command);
    let output = command::output(&mut command)?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{name} on {nodes} nodes: {}\n{errors}", output.status);
    }
    let summary = read(&summary)?;
    let number = |value: &Value| value.as_f64().context("a number is missing");
    let time = number(&summary["time"])?;
    let mut parts = Parts {
        mpi: time - number(&summary["opencl"][0])?,
        ..Parts::default()
    };
    if recorded {
        let statistics = read(&statistics)?;
        let clusters = statistics["simulated"]["clusters"]
            .as_array()
            .context("there are no clusters")?;
        for cluster in clusters {
            parts.kernels += number(&cluster["kernels_ns"])? / f64::from(nodes);
            parts.transfers += number(&cluster["transfers_ns"])? / f64::from(nodes);
        }
    }
    Ok(Run {
        nodes,
        time,
        parts,
        wall_seconds: number(&summary["host"]["seconds"])?,
        seconds: number(&summary["host"]["processor_seconds"])?,
        memory: number(&summary["host"]["memory"])?,
    })
}

fn read(path: &Path) -> Result<Value> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is no JSON", path.display()))
}
