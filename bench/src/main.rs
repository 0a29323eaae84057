//! Runs the same host code on several OpenCL platforms, each in a process of its own,
//! turn by turn, and prints medians and ratios.

mod case;
mod opencl;
mod table;

use anyhow::{Context, Result, bail};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Measures OpenCL platforms side by side.
#[derive(Parser)]
struct Arguments {
    /// Platforms: a name and the folder with its `.icd` file. Ratios are to the first.
    #[arg(value_name = "NAME=FOLDER", value_parser = platform)]
    platforms: Vec<Platform>,
    /// How many processes measure each case on each platform.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Only the cases whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// Write all samples to this file, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Measure one case in this process and print nanoseconds (used by the harness itself).
    #[arg(long, hide = true)]
    measure: Option<String>,
}

#[derive(Clone)]
struct Platform {
    name: String,
    folder: PathBuf,
}

fn platform(text: &str) -> Result<Platform, String> {
    let (name, folder) = text.split_once('=').ok_or("expected NAME=FOLDER")?;
    Ok(Platform {
        name: name.to_owned(),
        folder: folder.into(),
    })
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(name) = &arguments.measure {
        let case = case::ALL.iter().find(|case| case.name == *name);
        let nanoseconds = (case.context("no such case")?.measure)()?;
        println!("{nanoseconds}");
        return Ok(());
    }
    if arguments.platforms.is_empty() {
        bail!("no platforms are named");
    }
    let mut results = Vec::new();
    for case in case::ALL
        .iter()
        .filter(|case| case.name.contains(&arguments.only))
    {
        let mut samples = vec![Vec::new(); arguments.platforms.len()];
        for round in 0..arguments.rounds {
            for (platform, samples) in arguments.platforms.iter().zip(&mut samples) {
                match measure(platform, case) {
                    Ok(nanoseconds) => samples.push(nanoseconds),
                    Err(error) if round == 0 => {
                        eprintln!("{} on {}: {error:#}", case.name, platform.name);
                    }
                    Err(_) => {}
                }
            }
        }
        results.push(table::Row {
            case: case.name,
            what: case.what,
            samples,
        });
    }
    let names: Vec<&str> = arguments
        .platforms
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    print!("{}", table::render(&names, &results));
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&(names, results))?)?;
    }
    Ok(())
}

/// One sample, nanoseconds: in a fresh process with empty caches, or with those that
/// another such process has left.
fn measure(platform: &Platform, case: &case::Case) -> Result<f64> {
    let caches = tempfile::tempdir()?;
    if case.warm {
        measure_with(platform, case.name, caches.path())?;
    }
    measure_with(platform, case.name, caches.path())
}

fn measure_with(platform: &Platform, case: &str, caches: &Path) -> Result<f64> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--measure", case])
        .env("OCL_ICD_VENDORS", &platform.folder)
        .env("POCL_CACHE_DIR", caches)
        .env("XDG_CACHE_HOME", caches)
        .env("HOME", caches)
        // As users have it, whatever it is for the tests.
        .env_remove("MOCL3_CACHE")
        .env_remove("MOCL3_CACHE_DIR")
        .env_remove("MOCL3_CACHE_SIZE")
        .output()?;
    if !output.status.success() {
        bail!(
            "{}",
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .next()
                .unwrap_or("no message")
        );
    }
    let text = String::from_utf8(output.stdout)?;
    let last = text.lines().last().context("nothing was printed")?;
    Ok(last.trim().parse()?)
}
