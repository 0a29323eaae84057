//! `mocl3 trace`: writes a timeline in the format that Perfetto and Chrome read.

mod events;
mod timeline;
mod tracks;

use crate::record_run::{self, write_file};
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 trace -o trace.json -- ./program its arguments
  mocl3 trace -o trace.json --recording run1";

/// Arguments of `mocl3 trace`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write; <https://ui.perfetto.dev> and `chrome://tracing` open it.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    run: record_run::Arguments,
}

/// Runs the program, writes the timeline, and passes the program's exit code on.
///
/// # Errors
/// The program cannot be run or recorded nothing, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recorded = arguments.run.record_timeline(&arguments.output)?;
    let events = timeline::events(&recorded.processes);
    write_file(&arguments.output, |file| events::write(&events, file))?;
    eprintln!(
        "{}: {} events; https://ui.perfetto.dev or chrome://tracing shows them",
        arguments.output.display(),
        events.len()
    );
    Ok(recorded.exit())
}
