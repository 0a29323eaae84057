//! `mocl3 doctor`: repeats the steps by which an OpenCL program finds the devices, reports the
//! one that fails, and gives advice.

mod environment;
mod findings;
mod icd_files;
mod library;
mod loader;
mod probe;
mod process;
mod smoke_test;

use crate::debug;
use anyhow::Result;
use findings::Findings;
use std::path::PathBuf;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 doctor
  mocl3 doctor --loader venv/lib/python3.11/site-packages/pyopencl/_cl.so";

#[derive(clap::Args)]
pub struct Arguments {
    /// The loader's file, for programs that contain one, as PyOpenCL from PyPI does [default: the
    /// system's loader].
    #[arg(long, value_name = "FILE")]
    loader: Option<PathBuf>,
    /// Load this library and end (used by the command itself: loading may crash).
    #[arg(long, hide = true)]
    load: Option<PathBuf>,
    /// Use the platform and end (used by the command itself).
    #[arg(long, hide = true)]
    smoke_test: bool,
}

/// Runs the examination. The exit code is 0 if programs can use the devices.
///
/// # Errors
/// The examination itself cannot be completed.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.load {
        return library::load(path);
    }
    if arguments.smoke_test {
        return smoke_test::perform(arguments.loader.as_deref());
    }
    let mut findings = Findings::default();
    environment::examine(&mut findings);
    if let Some(loader) = loader::examine(arguments.loader.as_deref(), &mut findings) {
        let libraries = icd_files::examine(&loader, &mut findings);
        let loaded = library::examine(&libraries, &mut findings)?;
        if loaded {
            smoke_test::examine(&loader, &mut findings)?;
        }
    }
    if !debug::has_gdb() {
        findings.note("gdb is not installed: only `mocl3 debug` needs it (apt-get install gdb)");
    }
    Ok(findings.conclude())
}
