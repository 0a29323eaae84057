//! `mocl3 stat`: prints where the simulated time of a program went.

mod table;
mod text;

use crate::profile::{Comparison, Profile};
use crate::record_run::{self, RunOptions, nanoseconds, write_file};
use anyhow::Result;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `mocl3 stat`.
#[derive(clap::Args)]
pub struct Arguments {
    /// JSON, for programs; what the program prints then goes to standard error.
    #[arg(long)]
    json: bool,
    /// Array by array as well.
    #[arg(long)]
    per_array: bool,
    /// Run the program again, with and without timing, and say what timing costs.
    #[arg(long)]
    compare: bool,
    /// Into a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    run: record_run::Arguments,
}

/// Runs the program, prints, and passes the program's exit code on.
///
/// # Errors
/// The program cannot be run or recorded nothing, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recorded = arguments.run.record(RunOptions {
        timeline: false,
        output_is_taken: arguments.json && arguments.output.is_none(),
        file: arguments.output.as_deref(),
    })?;
    let mut profile = Profile::new(&recorded.processes);
    profile.host.wall_time_ns = recorded.wall_time_ns();
    if arguments.compare {
        let (untimed, timed) = arguments.run.untimed_and_timed()?;
        profile.host.comparison = Some(Comparison {
            timed_wall_time_ns: nanoseconds(timed),
            untimed_wall_time_ns: nanoseconds(untimed),
            slowdown: timed.as_secs_f64() / untimed.as_secs_f64().max(1e-9),
        });
    }
    let mut text = match arguments.json {
        true => serde_json::to_string_pretty(&profile)?,
        false => text::text(&profile, arguments.per_array),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match &arguments.output {
        Some(path) => write_file(path, |file| file.write_all(text.as_bytes()))?,
        None => match io::stdout().write_all(text.as_bytes()) {
            // The reader has closed its pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            outcome => outcome?,
        },
    }
    Ok(recorded.exit())
}
