//! The sweep of the crate `accuracy` over all functions; `cargo xtask accuracy` runs it.

use accuracy::function::Function;
use accuracy::functions;
use accuracy::platform::{FORMS, Platform};
use accuracy::report;
use accuracy::sweep::{self, Settings, SweepOutcome};
use anyhow::{Result, bail};
use harness::platform::first_device;
use rayon::prelude::*;
use std::path::PathBuf;

/// The arguments of the sweep.
#[derive(clap::Args)]
pub struct Sweep {
    /// Part of the platform's name.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Compare only functions with this name; can be repeated.
    #[arg(long)]
    function: Vec<String>,
    /// Compare only this type: half, float or double.
    #[arg(long = "type")]
    kind: Option<String>,
    /// Number of inputs per function in addition to the special values.
    #[arg(long, default_value_t = 20_000)]
    samples: usize,
    /// Additional build options.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
    /// Check only finite, normal results, with a limit of 8192 ulp, as for -cl-fast-relaxed-math.
    #[arg(long)]
    relaxed: bool,
    /// Write the table to this file, between its two marks.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Sweep {
    /// Compares the platform's builtins with MPFR. Returns the number of functions that exceeded
    /// their limits or did not run.
    ///
    /// # Errors
    /// There is no such platform or function, or the tables cannot be written.
    pub fn run(&self) -> Result<usize> {
        run(self)
    }
}

fn run(arguments: &Sweep) -> Result<usize> {
    let platform = Platform::new(first_device(&arguments.platform)?)?;
    let wanted = |function: &Function| {
        let named = |name: &String| {
            function.name == *name || function.name.split([',', ' ']).next() == Some(name)
        };
        (arguments.function.is_empty() || arguments.function.iter().any(named))
            && arguments
                .kind
                .as_ref()
                .is_none_or(|kind| kind == function.format.name())
            && platform.has_types_of(function)
    };
    let functions: Vec<Function> = functions::all().into_iter().filter(wanted).collect();
    if functions.is_empty() {
        bail!("no such function");
    }
    let names: Vec<&str> = FORMS.iter().map(|form| form.name).collect();
    println!(
        "worst errors, in units in the last place, of {}:",
        names.join(", ")
    );
    let settings = Settings {
        forms: FORMS,
        options: &arguments.options,
        samples: arguments.samples,
        relaxed: arguments.relaxed,
        all_halves: true,
    };
    let outcomes: Vec<(&Function, SweepOutcome)> = functions
        .par_iter()
        .filter_map(
            |function| match sweep::sweep(&platform, function, &settings) {
                Ok(outcome) => {
                    println!("{}", report::line(function, &outcome));
                    Some((function, outcome))
                }
                Err(error) => {
                    println!("{} {}: {error:#}", function.format.name(), function.name);
                    None
                }
            },
        )
        .collect();
    if let Some(path) = &arguments.write {
        write(path, &outcomes)?;
    }
    let broken = outcomes
        .iter()
        .filter(|(_, outcome)| !outcome.holds())
        .count();
    let not_run = functions.len() - outcomes.len();
    println!(
        "{} functions within their limits, {broken} not, {not_run} did not run",
        outcomes.len() - broken
    );
    Ok(broken + not_run)
}

/// The beginning of docs/generated/accuracy.md.
const INTRODUCTION: &str = "\
# Errors of the builtins

Written by `cargo xtask accuracy`. [accuracy.md](../accuracy.md) says what is measured and how.

- *limit*: section 7.4 of OpenCL 1.2, in units in the last place (ulp).
- The next four columns: the largest error in each form of code, in ulp.
- *worst at*: the argument of the largest error.
";

/// Writes the page of errors, a table for each type.
fn write(path: &PathBuf, outcomes: &[(&Function, SweepOutcome)]) -> Result<()> {
    let mut page = String::from(INTRODUCTION);
    for name in ["float", "double", "half"] {
        let rows: Vec<(&Function, &SweepOutcome)> = outcomes
            .iter()
            .filter(|(function, _)| function.format.name() == name)
            .map(|(function, outcome)| (*function, outcome))
            .collect();
        if !rows.is_empty() {
            page += &format!("\n## `{name}`\n\n{}", report::table(&rows));
        }
    }
    std::fs::write(path, page)?;
    Ok(())
}
