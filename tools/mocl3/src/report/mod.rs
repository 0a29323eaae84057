//! `mocl3 report`: writes one page with timeline, roofline and shares.

mod page;
mod piece;
mod timeline;

use crate::compare::{self, Comparison};
use crate::filter::Filter;
use crate::profile::Profile;
use crate::profile::format::bytes;
use crate::record_run::{self, write_file};
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 report -o report.html -- ./program its arguments
  mocl3 report -o report.html --recording run1 --kernel add
  mocl3 report -o report.html --baseline before -- ./program";

/// Arguments of `mocl3 report`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The page to write; browsers open it, also without a network.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Compare with the recording in this folder, kernel by kernel.
    #[arg(long, value_name = "FOLDER")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    run: record_run::Arguments,
}

/// Runs the program, writes the page, and passes the program's exit code on.
///
/// # Errors
/// The program cannot be run or recorded nothing, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let before = arguments
        .baseline
        .as_deref()
        .map(compare::profile)
        .transpose()?;
    let recorded = arguments
        .run
        .record_timeline(&arguments.output, &arguments.filter)?;
    let mut profile = Profile::new(&recorded.processes);
    profile.host.wall_time_ns = recorded.wall_time_ns();
    let timelines = timeline::Timeline::all(&recorded.processes);
    let comparison = before.zip(arguments.baseline.as_deref());
    let comparison = comparison.map(|(before, folder)| {
        let folders = [folder.display().to_string(), String::new()];
        Comparison::new([&before, &profile], folders, compare::THRESHOLD)
    });
    let page = page::html(&profile, &timelines, comparison.as_ref())?;
    eprintln!(
        "{}: {}; open it in a browser",
        arguments.output.display(),
        bytes(page.len() as u64)
    );
    write_file(&arguments.output, |file| file.write_all(page.as_bytes()))?;
    Ok(recorded.exit())
}
