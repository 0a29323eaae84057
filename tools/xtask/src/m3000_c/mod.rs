//! `cargo xtask m3000-c`: the conformance suite's kernels, written as C by `mocl3 compile --emit m3000-c`, built
//! by m3cc and run by an hthreads host. Each launch must leave the buffers as OpenCL's launch, which
//! `MOCL3_CAPTURE` has written, left them, and print the same text, but for what OpenCL leaves open (`comparison`).

mod capture;
mod comparison;
mod launch;
mod memories;
mod table;
mod trial;
mod twins;

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use table::Table;
use trial::Toolchain;

/// The categories of the short form.
const SHORT: &[&str] = &["work-group"];

/// The categories of the long form. Others launch kernels with images, or test events and builtins' errors.
const LONG: &[&str] = &[
    "kernel",
    "runtime",
    "work-group",
    "regression",
    "fixed-bug",
    "printf",
];

/// Captured launches of each kernel.
const LAUNCHES: &str = "2";

#[derive(clap::Args)]
pub struct Arguments {
    /// Take all categories but those of images, events and builtins' errors, not work-groups only.
    #[arg(long)]
    all: bool,
    /// Take cases whose names contain this text instead; can be repeated.
    #[arg(long, value_name = "TEXT", conflicts_with = "all")]
    filter: Vec<String>,
    /// Take the launches of this folder, which `MOCL3_CAPTURE` named, instead of the suite's.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["all", "filter"])]
    captures: Option<PathBuf>,
    /// Take what OpenCL leaves open from this folder, which has the same launches by other code.
    #[arg(long, value_name = "FOLDER", requires = "captures")]
    other_code: Option<PathBuf>,
    /// Try one of NUMBER kernels only.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    one_of: u16,
    /// Keep captures, C files and images in this new folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// Captures the launches, tries each kernel and prints a table.
///
/// # Errors
/// A launch has other results, a kernel is refused that should not be, m3cc does not build one, or a
/// command fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    packages::install(packages::NEEDED)?;
    let mut build = platform::cargo();
    build.args(["build", "--release"]);
    for package in ["icd", "mocl3", "conformance", "m3cc", "hthread-host"] {
        build.args(["--package", package]);
    }
    command::run(&mut build)?;
    let temporary = tempfile::tempdir()?;
    let folder = match &arguments.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            folder.canonicalize()?
        }
        None => temporary.path().to_owned(),
    };
    let (captures, other_code) = match &arguments.captures {
        Some(captures) => {
            let other_code = arguments.other_code.as_deref().map(Path::canonicalize);
            (captures.canonicalize()?, other_code.transpose()?)
        }
        None => {
            let captures = folder.join("captures");
            let other_code = folder.join("captures-of-other-code");
            capture_suite(arguments, &captures, &[])?;
            capture_suite(
                arguments,
                &other_code,
                &[("MOCL3_LANES", "0"), ("MOCL3_HOST_CPU", "x86-64")],
            )?;
            (captures, Some(other_code))
        }
    };
    let (kernels, left_out) =
        capture::kernels(&captures, other_code.as_deref()).context("no captures")?;
    let kernels: Vec<_> = kernels
        .into_iter()
        .step_by(arguments.one_of.into())
        .collect();
    let toolchain = folder.join("toolchain");
    std::fs::create_dir(&toolchain)?;
    let toolchain = Toolchain::make(&toolchain)?;
    let outcomes = trial::try_all(&toolchain, &kernels, &folder)?;
    let table = Table::of(&kernels, &outcomes, left_out);
    print!("{table}");
    if table.has_failed() {
        bail!("kernels as C differ from OpenCL, or are refused unexpectedly");
    }
    Ok(())
}

/// Runs the suite with captures, with a variable of the environment.
fn capture_suite(arguments: &Arguments, captures: &Path, variables: &[(&str, &str)]) -> Result<()> {
    let mut suite = Command::new(platform::library_folder().join("conformance"));
    Platform::Ours.point(&mut suite);
    suite
        .env("MOCL3_CAPTURE", captures)
        .env("MOCL3_CAPTURE_LAUNCHES", LAUNCHES)
        .envs(variables.iter().copied())
        .stdout(std::process::Stdio::null());
    if arguments.filter.is_empty() {
        let categories = if arguments.all { LONG } else { SHORT };
        suite.args(categories.iter().flat_map(|name| ["--category", name]));
    } else {
        suite.args(arguments.filter.iter().flat_map(|case| ["--filter", case]));
    }
    command::run(&mut suite)
}
