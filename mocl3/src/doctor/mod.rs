//! `mocl3 doctor`: follows the way of an OpenCL program to the devices, step by step, and
//! says where it ends and what to do about it.

mod environment;
mod findings;
mod library;
mod loader;
mod trial;
mod vendors;

use anyhow::Result;
use findings::Findings;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Arguments {
    /// Load this library and end (used by the command itself: loading may crash).
    #[arg(long, hide = true)]
    load: Option<PathBuf>,
    /// Use the platform and end (used by the command itself).
    #[arg(long, hide = true)]
    trial: bool,
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
        return trial::perform();
    }
    let mut findings = Findings::default();
    environment::examine(&mut findings);
    if let Some(loader) = loader::examine(&mut findings) {
        let libraries = vendors::examine(loader, &mut findings);
        let loaded = library::examine(&libraries, &mut findings)?;
        if loaded {
            trial::examine(&mut findings)?;
        }
    }
    Ok(findings.conclude())
}
