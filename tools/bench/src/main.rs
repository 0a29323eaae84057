//! Runs the same host code on several OpenCL platforms, each in a process of its own,
//! turn by turn, and prints medians and ratios.

mod aims;
mod case;
mod cases;
mod limits;
mod platform;
mod statistics;
mod table;
mod timing;
mod variants;

use anyhow::{Context, Result, bail};
use bench::opencl;
use case::{Case, Category};
use clap::Parser;
use platform::Platform;
use std::path::PathBuf;
use std::time::Duration;
use table::{Report, Row};
use timing::Mode;

/// Measures OpenCL platforms side by side.
#[derive(Parser)]
struct Arguments {
    /// Platforms: a name, the folder with its `.icd` file, after a root file system and a colon if it
    /// is in another one, and variables of the environment of its processes. Ratios are to the first,
    /// or to its variant: those of `Intel-AVX2` to `MOCL3-AVX2`.
    #[arg(value_name = "NAME=[ROOT:]FOLDER[,VARIABLE=VALUE...]", value_parser = Platform::parse)]
    platforms: Vec<Platform>,
    /// How many processes measure each case on each platform; more, if these make less than
    /// seven samples.
    #[arg(long, default_value_t = 4)]
    rounds: usize,
    /// How long each process calls a case before it measures, in milliseconds; the first call, which
    /// compiles, included.
    #[arg(long, value_name = "MS", default_value_t = 100)]
    warm_up: u64,
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
    /// Show the report of these files instead: runs of different cases on the same platforms.
    #[arg(long, value_name = "JSON", value_delimiter = ',')]
    show: Vec<PathBuf>,
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
        false => Mode::Full {
            warm_up: Duration::from_millis(arguments.warm_up),
        },
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
            println!("{:<36}{}", case.name, case.what);
        }
        return Ok(());
    }
    let former = arguments.compare.as_deref().map(Report::read).transpose()?;
    if !arguments.show.is_empty() {
        let parts: Vec<Report> = arguments
            .show
            .iter()
            .map(|path| Report::read(path))
            .collect::<Result<_>>()?;
        print!("{}", Report::joined(parts)?.render(former.as_ref()));
        return Ok(());
    }
    let platforms = platforms(&arguments)?;
    let report = run(&platforms, &wanted, mode, &arguments)?;
    match mode {
        Mode::Full { .. } => print!("{}", report.render(former.as_ref())),
        Mode::Quick => print!("{}", report.render_failures()),
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

/// Samples of each case on each platform, at least.
const SAMPLES: usize = 7;

/// Measures the cases one after the other, the platforms turn by turn. Writes the file of samples
/// after each case, so that a run that is stopped leaves those that it has.
fn run(
    platforms: &[&Platform],
    cases: &[&Case],
    mode: Mode,
    arguments: &Arguments,
) -> Result<Report> {
    // Filled by the first process of each case: compilation is not what is measured, but
    // where the case says so.
    let caches: Vec<_> = platforms
        .iter()
        .map(|_| tempfile::tempdir())
        .collect::<Result<_, _>>()?;
    let mut report = Report {
        platforms: platforms.iter().map(|p| p.name.clone()).collect(),
        rows: Vec::new(),
    };
    for case in cases {
        let mut row = Row::new(case, platforms.len());
        let enough = |row: &Row, round: usize| match mode {
            Mode::Full { .. } => {
                round >= arguments.rounds && row.samples.iter().all(|of| of.has(SAMPLES))
            }
            Mode::Quick => round >= 1,
        };
        if case.category == Category::CachedBuild {
            for (platform, caches) in platforms.iter().zip(&caches) {
                // What is wrong shows below.
                let _ = platform.measure(case, mode, caches.path());
            }
        }
        for round in 0.. {
            if enough(&row, round) {
                break;
            }
            for (index, (platform, caches)) in platforms.iter().zip(&caches).enumerate() {
                if row.samples[index].failure.is_none() {
                    row.add(index, platform.measure(case, mode, caches.path()));
                }
            }
            if let (Some(work), Mode::Full { .. }, Category::Kernel) =
                (row.work, mode, case.category)
            {
                row.limits.push(work.limit());
            }
        }
        eprintln!("{}", report.line(&row));
        report.rows.push(row);
        if let Some(path) = &arguments.json {
            std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
        }
    }
    Ok(report)
}
