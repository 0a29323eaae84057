//! `mocl3 stat`: prints where the simulated time of a program went.

mod text;

use crate::profile::{Comparison, Sums};
use crate::record_run::{self, RunOptions, nanoseconds, write_file};
use anstream::StripStream;
use anyhow::Result;
use mocl3_shared::terminal::columns;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 stat -- ./program its arguments
  mocl3 stat --json -o stat.json -- python3 program.py
  mocl3 stat --recording run1 --per-array";

/// Arguments of `mocl3 stat`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON, and what the program prints to standard error; with a file, write JSON into it
    /// and print the tables.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
    /// Show array by array as well.
    #[arg(long)]
    per_array: bool,
    /// Run the program again, with and without timing, and say what timing costs.
    #[arg(long)]
    compare: bool,
    /// Write to this file instead of standard output.
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
    let prints_json = matches!(arguments.json, Some(None));
    let files = [
        arguments.json.as_ref().and_then(|file| file.as_deref()),
        arguments.output.as_deref(),
    ];
    let files: Vec<&Path> = files.into_iter().flatten().collect();
    let recorded = arguments.run.record(RunOptions {
        output_is_taken: prints_json && arguments.output.is_none(),
        files: &files,
        ..RunOptions::default()
    })?;
    let mut sums = Sums::new(&recorded.processes);
    recorded.commands(|process, command| sums.add(process, command))?;
    let mut profile = sums.profile();
    profile.host.wall_time_ns = recorded.wall_time_ns();
    if arguments.compare {
        let (untimed, timed) = arguments.run.untimed_and_timed()?;
        profile.host.comparison = Some(Comparison {
            timed_wall_time_ns: nanoseconds(timed),
            untimed_wall_time_ns: nanoseconds(untimed),
            slowdown: timed.as_secs_f64() / untimed.as_secs_f64().max(1e-9),
        });
    }
    if let Some(Some(path)) = &arguments.json {
        let text = serde_json::to_string_pretty(&profile)?;
        write_file(path, |file| writeln!(file, "{text}"))?;
    }
    let width = match arguments.output {
        Some(_) => None,
        None => columns(&io::stdout()),
    };
    let mut text = match prints_json {
        true => serde_json::to_string_pretty(&profile)?,
        false => text::text(&profile, arguments.per_array, width),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match &arguments.output {
        Some(path) => write_file(path, |file| {
            StripStream::new(file as &mut dyn Write).write_all(text.as_bytes())
        })?,
        None => match anstream::stdout().write_all(text.as_bytes()) {
            // The reader has closed its pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            outcome => outcome?,
        },
    }
    Ok(recorded.exit())
}
