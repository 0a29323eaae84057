//! Runs the same host code on several OpenCL platforms, each in a process of its own,
//! turn by turn, and prints medians and ratios.

mod cases;
mod opencl;
mod platform;
mod table;
mod timing;

use anyhow::{Context, Result, bail};
use cases::Case;
use clap::Parser;
use platform::Platform;
use std::path::PathBuf;
use table::{Report, Row, Samples};
use timing::Mode;

/// Measures OpenCL platforms side by side.
#[derive(Parser)]
struct Arguments {
    /// Platforms: a name and the folder with its `.icd` file. Ratios are to the first.
    #[arg(value_name = "NAME=FOLDER", value_parser = Platform::parse)]
    platforms: Vec<Platform>,
    /// How many processes measure each case on each platform.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Only the cases with this in their names; several parts are separated by commas.
    #[arg(long, default_value = "", value_delimiter = ',')]
    only: Vec<String>,
    /// Only the platforms with these names.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    platform: Vec<String>,
    /// Each case once at a small size: whether its results are right.
    #[arg(long)]
    quick: bool,
    /// Write all samples to this file, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Show how much longer or shorter each case takes than in this file of a former run.
    #[arg(long, value_name = "JSON")]
    compare: Option<PathBuf>,
    /// Show the cases instead.
    #[arg(long)]
    list: bool,
    /// Measure one case in this process and print it (used by the harness itself).
    #[arg(long, hide = true)]
    measure: Option<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mode = match arguments.quick {
        true => Mode::Quick,
        false => Mode::Full,
    };
    if let Some(name) = &arguments.measure {
        platform::limit_this_process();
        let case = cases::all().find(|case| case.name == *name);
        let outcome: platform::Outcome =
            (case.context("no such case")?.measure)(mode).map_err(|error| format!("{error:#}"));
        println!("{}", serde_json::to_string(&outcome)?);
        return Ok(());
    }
    let wanted: Vec<&Case> = cases::all()
        .filter(|case| arguments.only.iter().any(|part| case.name.contains(part)))
        .collect();
    if wanted.is_empty() {
        bail!("no case has that in its name");
    }
    if arguments.list {
        for case in wanted {
            println!("{:<24}{}", case.name, case.what);
        }
        return Ok(());
    }
    let former = arguments.compare.as_deref().map(Report::read).transpose()?;
    let platforms = platforms(&arguments)?;
    let report = run(&platforms, &wanted, mode, arguments.rounds)?;
    match mode {
        Mode::Full => print!("{}", report.render(former.as_ref())),
        Mode::Quick => print!("{}", report.render_failures()),
    }
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    if mode == Mode::Quick && report.failures().next().is_some() {
        bail!("some cases failed");
    }
    Ok(())
}

/// Those that the arguments name.
fn platforms(arguments: &Arguments) -> Result<Vec<&Platform>> {
    for name in &arguments.platform {
        if !arguments.platforms.iter().any(|p| p.name == *name) {
            bail!("no platform is called {name}");
        }
    }
    let all = arguments.platforms.iter();
    let wanted: Vec<&Platform> = all
        .filter(|p| arguments.platform.is_empty() || arguments.platform.contains(&p.name))
        .collect();
    if wanted.is_empty() {
        bail!("no platforms are named");
    }
    Ok(wanted)
}

/// Measures the cases one after the other, the platforms turn by turn.
fn run(platforms: &[&Platform], cases: &[&Case], mode: Mode, rounds: usize) -> Result<Report> {
    // Filled by the first sample of each case: compilation is not what is measured.
    let caches: Vec<_> = platforms
        .iter()
        .map(|_| tempfile::tempdir())
        .collect::<Result<_, _>>()?;
    let rounds = match mode {
        Mode::Full => rounds,
        Mode::Quick => 1,
    };
    let mut rows = Vec::new();
    for case in cases {
        let mut samples = vec![Samples::default(); platforms.len()];
        for _ in 0..rounds {
            for ((platform, caches), samples) in platforms.iter().zip(&caches).zip(&mut samples) {
                if samples.failure.is_some() {
                    continue;
                }
                match platform.measure(case, mode, caches.path()) {
                    Ok(measurement) => samples.nanoseconds.push(measurement.nanoseconds),
                    Err(error) => samples.failure = Some(format!("{error:#}")),
                }
            }
        }
        let row = Row {
            case: case.name.to_owned(),
            what: case.what.to_owned(),
            category: case.category,
            samples,
        };
        eprintln!("{}", table::line(&row));
        rows.push(row);
    }
    Ok(Report {
        platforms: platforms.iter().map(|p| p.name.clone()).collect(),
        rows,
    })
}
