//! `mocl3 doctor`: follows the way of an OpenCL program to the devices, step by step, and
//! says where it ends and what to do about it.

mod environment;
mod findings;
mod library;
mod loader;
mod process;
mod trial;
mod vendors;

use anyhow::Result;
use findings::Findings;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

#[derive(clap::Args)]
pub struct Arguments {
    /// The loader's file, for programs that bring their own, as PyOpenCL from PyPI does; the
    /// system's without.
    #[arg(long, value_name = "FILE")]
    loader: Option<PathBuf>,
    /// Load this library and end (used by the command itself: loading may crash).
    #[arg(long, hide = true)]
    load: Option<PathBuf>,
    /// Use the platform and end (used by the command itself).
    #[arg(long, hide = true)]
    trial: bool,
}

/// This program, to be started again.
///
/// # Errors
/// It cannot be found.
fn myself() -> Result<Command> {
    // Without /proc there is only the name by which it was called.
    let program = std::env::current_exe().or_else(|error| {
        let name = std::env::args_os().next().ok_or(error)?;
        std::io::Result::Ok(PathBuf::from(name))
    })?;
    let mut command = Command::new(program);
    command.arg("doctor");
    Ok(command)
}

/// Does what the arguments say. The exit code tells whether programs can use the devices.
///
/// # Errors
/// What keeps the examination itself from going on.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.load {
        return library::load(path);
    }
    if arguments.trial {
        return trial::perform(arguments.loader.as_deref());
    }
    let mut findings = Findings::default();
    environment::examine(&mut findings);
    if let Some(loader) = loader::examine(arguments.loader.as_deref(), &mut findings) {
        let libraries = vendors::examine(&loader, &mut findings);
        let loaded = library::examine(&libraries, &mut findings)?;
        if loaded {
            trial::examine(&loader, &mut findings)?;
        }
    }
    Ok(findings.conclude())
}
