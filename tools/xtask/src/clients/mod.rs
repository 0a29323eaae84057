//! Runs ordinary OpenCL programs (clients), which are not written for MOCL3, through the system's
//! loader. `list.rs` lists them; docs/generated/clients.md has their times.

mod clblast;
mod client;
mod debian;
mod examples;
mod ffmpeg;
mod headers;
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
use client::{Client, Outcome};
use list::all;
use program::{tail, text, text_and_success};

pub use examples::dgemm;

/// Runs the short clients on MOCL3; returns the numbers of passed and failed ones.
///
/// # Errors
/// Their packages cannot be installed.
pub fn run_short() -> Result<(usize, usize)> {
    let short: Vec<&Client> = all().filter(|client| client.short).collect();
    install(&short)?;
    let outcomes = short.iter().map(|client| run(client, &Platform::Ours));
    let failed = outcomes.filter(|one| one.result.is_err()).count();
    Ok((short.len() - failed, failed))
}

/// `cargo xtask clients`: runs the clients whose names contain `filter`, each on every
/// platform. With `page`, writes the measurements to docs/generated/clients.md.
///
/// # Errors
/// A client failed, or none has such a name.
pub fn run_all(filter: &str, platforms: &[Platform], page: bool) -> Result<()> {
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
    let (mut passed, mut failed) = (0, 0);
    for client in chosen {
        for platform in platforms {
            let outcome = run(client, platform);
            match outcome.result {
                Ok(_) => passed += 1,
                Err(_) => failed += 1,
            }
            // The page is written after each client, so that an interrupted run keeps its results.
            if page {
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
pub fn list() {
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
    let (result, time) = program::timed(|| (client.run)(platform));
    let on = match platform {
        Platform::Ours => String::new(),
        Platform::Installed(file) => {
            format!(" on {}", file.file_stem().unwrap_or_default().display())
        }
    };
    let seconds = time.as_secs_f64();
    let said = match &result {
        Ok(counted) if counted.is_empty() => format!("ok ({seconds:.1} s)"),
        Ok(counted) => format!("ok: {counted} ({seconds:.1} s)"),
        Err(error) => format!("FAILED: {error:#}"),
    };
    println!("client {}{on} ... {said}", client.name);
    Outcome {
        client,
        time,
        result,
    }
}
