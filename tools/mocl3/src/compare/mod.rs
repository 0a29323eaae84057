//! `mocl3 compare`: what changed between two recordings, and why.

mod counters;
mod difference;
mod pairs;
mod text;

use crate::json_option::{JsonOption, show};
use crate::profile::{Profile, Sums};
use crate::record_run::Recorded;
use anyhow::Result;
pub use difference::Comparison;
use mocl3_shared::terminal::{columns, print_error};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 stat --recording before -- ./program
  mocl3 stat --recording after -- ./program
  mocl3 compare before after --threshold 2
Exit code: 1 with a regression, 2 if the recordings cannot be compared.";

/// Percent by which a time may grow, without `--threshold`.
pub const THRESHOLD: f64 = 5.0;

/// Exit codes, as those of `diff`.
const REGRESSION: u8 = 1;
const TROUBLE: u8 = 2;

/// Arguments of `mocl3 compare`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder of a recording, as `--recording` of other commands names it.
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The folder of the recording to compare with it.
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// A kernel or all kernels together that take more time by more than this are a regression.
    #[arg(long, value_name = "PERCENT", default_value_t = THRESHOLD, value_parser = percent)]
    threshold: f64,
    #[command(flatten)]
    json: JsonOption,
}

/// Compares the recordings.
///
/// # Errors
/// None: they are printed, and the exit code is that for trouble.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    Ok(match compare(arguments) {
        Ok(comparison) if comparison.regressions.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(REGRESSION),
        Err(error) => {
            print_error(&error);
            ExitCode::from(TROUBLE)
        }
    })
}

fn compare(arguments: &Arguments) -> Result<Comparison> {
    let before = profile(&arguments.before)?;
    let after = profile(&arguments.after)?;
    let folders = [&arguments.before, &arguments.after];
    let folders = folders.map(|folder| folder.display().to_string());
    let comparison = Comparison::new([&before, &after], folders, arguments.threshold);
    if arguments.json.write(&comparison)? {
        show(&text::text(&comparison, columns(&io::stdout())))?;
    }
    Ok(comparison)
}

/// The profile of a recording.
///
/// # Errors
/// There is no recording in the folder, or it cannot be read.
pub fn profile(folder: &Path) -> Result<Profile> {
    let recorded = Recorded::open(folder)?;
    let mut sums = Sums::new(&recorded.processes);
    recorded.commands(|process, command| sums.add(process, command))?;
    Ok(sums.profile())
}

/// A percentage that is not negative.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>();
    match number {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("a percentage is a number from 0 on".into()),
    }
}
