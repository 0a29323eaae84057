//! Runs ordinary OpenCL programs (clients), which are not written for MOCL3, through the system's
//! loader. `list.rs` lists them; docs/generated/clients.md has their times.

mod checked;
mod clblast;
mod client;
mod debian;
mod examples;
mod ffmpeg;
mod headers;
pub mod lammps;
mod list;
mod opencv;
mod page;
mod piglit;
mod program;
mod pyopencl;
mod pytest;
mod python_packages;
mod rust;

use crate::packages;
use crate::platform::{self, Platform};
use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;
use client::{Client, Outcome};
use list::all;
use program::{tail, text, text_and_success};

pub use examples::dgemm;

/// The arguments of `cargo xtask clients`.
#[derive(clap::Args)]
pub struct Arguments {
    /// List the clients' names and origins instead of running them.
    #[arg(long)]
    list: bool,
    /// Only the clients whose names contain this.
    #[arg(long, default_value = "")]
    filter: String,
    /// Part of the name of an installed platform's `.icd` file. With several platforms, each
    /// client runs on all of them.
    #[arg(long, default_value = "MOCL3")]
    platform: Vec<String>,
    /// Write results and times to docs/generated/clients.md.
    #[arg(long)]
    page: bool,
    /// Run the clients on MOCL3 with these checks, as `mocl3 check` does. Findings that are errors
    /// of the clients are listed in tools/xtask/client-findings.toml.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(findings::CHECKS),
        conflicts_with_all = ["platform", "page"]
    )]
    checks: Vec<String>,
    /// Time limit of each program, seconds.
    #[arg(long, default_value_t = program::DEFAULT_LIMIT)]
    limit: u64,
}

/// Runs the short clients on MOCL3; returns the numbers of passed and failed ones.
///
/// # Errors
/// Their packages cannot be installed.
pub fn run_short() -> Result<(usize, usize)> {
    let short: Vec<&Client> = all().filter(|client| client.short).collect();
    install(&short)?;
    let run = |client: &&'static Client| run(client, &Platform::Ours);
    let failed = short.iter().map(run).filter(|one| one.result.is_err());
    let failed = failed.count();
    Ok((short.len() - failed, failed))
}

/// `cargo xtask clients`: runs the chosen clients, each on every platform.
///
/// # Errors
/// A client failed, or none has such a name.
pub fn run_all(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        list();
        return Ok(());
    }
    let filter = &*arguments.filter;
    let named = |name: &String| Platform::named(Some(name));
    let platforms = arguments.platform.iter().map(named);
    let platforms: Vec<Platform> = platforms.collect::<Result<_>>()?;
    let chosen: Vec<&Client> = all()
        .filter(|client| client.name.contains(filter))
        .collect();
    if chosen.is_empty() {
        bail!("no client has `{filter}` in its name; see cargo xtask clients --list");
    }
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_COMPARISON)?;
    install(&chosen)?;
    if platforms.iter().any(Platform::is_ours) {
        platform::build()?;
    }
    program::set_limit(arguments.limit);
    let (mut passed, mut failed) = (0, 0);
    for client in chosen {
        for platform in &platforms {
            let outcome = if arguments.checks.is_empty() {
                run(client, platform)
            } else {
                checked::run_checked(client, &arguments.checks)?
            };
            match outcome.result {
                Ok(_) => passed += 1,
                Err(_) => failed += 1,
            }
            // The page is written after each client, so that an interrupted run keeps its results.
            if arguments.page {
                page::write(platform, &outcome, platforms.len() > 1)?;
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed > 0 {
        bail!("{failed} clients failed");
    }
    Ok(())
}

/// `cargo xtask clients --list`.
fn list() {
    for client in all() {
        let when = if client.short { "test, " } else { "" };
        println!("{:<34} {when}{}", client.name, client.from);
    }
}

fn install(clients: &[&Client]) -> Result<()> {
    let mut needed: Vec<&str> = clients
        .iter()
        .flat_map(|client| client.packages)
        .copied()
        .collect();
    needed.sort_unstable();
    needed.dedup();
    packages::install(&needed)
}

fn run(client: &'static Client, platform: &Platform) -> Outcome {
    let outcome = Outcome::new(client, platform);
    outcome.print(platform);
    outcome
}
