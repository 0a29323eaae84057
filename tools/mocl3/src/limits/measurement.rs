//! Runs a micro-benchmark.

use crate::profile::{KernelProfile, Sums};
use crate::record_run::{Arguments, RunOptions};
use anyhow::{Context, Result, ensure};
use mocl3_shared::arguments::machine::MachineOptions;
use std::ffi::OsString;
use std::{env, fs};

/// Launches a kernel on the machine as these arguments of `mocl3 launch` say, in a process of its own: the
/// platform has one machine.
///
/// # Errors
/// It cannot be run, or not on the simulated machine.
pub fn profile(
    title: &str,
    launch: &str,
    kernels: &str,
    machine: &MachineOptions,
) -> Result<KernelProfile> {
    let about = || format!("micro-benchmark of {title}");
    let folder = tempfile::tempdir().with_context(about)?;
    let file = folder.path().join("micro-benchmarks.cl");
    fs::write(&file, kernels).with_context(about)?;
    let mut program = vec![env::current_exe()?.into(), "launch".into(), file.into()];
    program.extend(launch.split(' ').map(OsString::from));
    let recorded = Arguments::of_program(program, machine.clone())
        .record(RunOptions {
            output_is_taken: true,
            ..RunOptions::default()
        })
        .with_context(about)?;
    ensure!(recorded.exit_code == 0, "{} failed", about());
    let mut sums = Sums::new(&recorded.processes);
    recorded.commands(|process, command| sums.add(process, command))?;
    let kernel = sums.profile().kernels.into_iter().next();
    kernel
        .context("its kernel has no times")
        .with_context(about)
}
