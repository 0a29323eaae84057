//! `mocl3 advise`: what would make a program's kernels faster, and by how much.

mod advice;
mod any_local_size;
mod finding;
mod schedule;
mod text;
mod trials;

use crate::json_option::{JsonOption, show};
use crate::limits::{Limits, NoPlatform};
use crate::profile::{Profile, Sums};
use crate::record_run::{self, RunOptions};
use anyhow::{Result, bail};
use finding::Advice;
use mocl3_shared::arguments::machine::MachineOptions;
use mocl3_shared::terminal::columns;
use schedule::Schedule;
use std::io;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 advise -- ./program its arguments
  mocl3 advise --try-settings -- ./program
  mocl3 advise --least 10 --json=advice.json -- python3 program.py";

/// Arguments of `mocl3 advise`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Leave out what saves less than this part of a kernel's time, or of the time from end to end.
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    least: f64,
    /// Run the program several times more, and predict its launches with other local sizes and stack
    /// placements.
    #[arg(long)]
    try_settings: bool,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    run: record_run::Arguments,
}

/// Runs the program, prints its advice, and passes the program's exit code on.
///
/// # Errors
/// The program cannot be run or recorded nothing, the recording has no times under changes, or a file
/// cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recorded = arguments.run.record(RunOptions {
        alternatives: true,
        output_is_taken: arguments.json.is_printed(),
        ..RunOptions::default()
    })?;
    let mut sums = Sums::new(&recorded.processes);
    let mut schedule = Schedule::new(&recorded.processes);
    recorded.commands(|process, command| {
        sums.add(process, command);
        schedule.add(process, command);
    })?;
    let profile = sums.profile();
    if !recorded.processes.iter().any(|p| p.header.alternatives) {
        bail!(
            "the recording has no times under changes: it was not made by \
             `mocl3 advise --recording FOLDER -- PROGRAM`"
        );
    }
    let mut findings = schedule.findings();
    if arguments.try_settings {
        findings.extend(trials::findings(&arguments.run, &profile)?);
    }
    let limits = limits(arguments.run.machine(), &profile);
    let advice = Advice::new(&profile, findings, arguments.least, limits);
    if arguments.json.write(&advice)? {
        show(&text::text(&advice, columns(&io::stdout())))?;
    }
    Ok(recorded.exit())
}

/// The limits of the machine that a recording is of; none if it is another one than these options select,
/// or if it cannot be measured.
fn limits(machine: &MachineOptions, profile: &Profile) -> Option<Limits> {
    let description = machine.description().ok()?;
    let recorded = &profile.machine;
    if description.name() != recorded.name || *description.identity() != recorded.identity {
        return None;
    }
    let limits = Limits::of_machine(machine, false);
    limits
        .inspect_err(|error| {
            // Programs for hthreads need no OpenCL platform.
            let is_needed = profile.kernels.iter().any(|one| !one.is_of_hthreads);
            if is_needed || !error.is::<NoPlatform>() {
                eprintln!("the machine's limits are not known: {error:#}");
            }
        })
        .ok()
}
