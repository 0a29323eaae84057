//! Ordinary OpenCL programs, which know nothing of MOCL3, run through the system's
//! loader. [`CLIENTS`] lists them; docs/generated/clients.md shows the list with times.

mod clblast;
mod debian;
mod examples;
mod ffmpeg;
mod headers;
mod opencv;
mod page;
mod piglit;
mod pyopencl;
mod pytest;
mod python_packages;
mod rust;

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::{Result, bail};
use std::cell::Cell;
use std::process::Command;
use std::time::{Duration, Instant};

pub use examples::dgemm;

/// A program from elsewhere, or one of ours that stands for many of its kind.
pub struct Client {
    /// What it is called here; `--filter` looks for a part of it.
    pub name: &'static str,
    /// Where it comes from.
    pub from: &'static str,
    /// What a user would type.
    pub command: &'static str,
    /// What has to be true for the result to be right.
    pub right: &'static str,
    /// Debian packages it needs besides [`packages::NEEDED`].
    pub packages: &'static [&'static str],
    /// It takes seconds, and runs in `cargo xtask test`.
    pub short: bool,
    /// Runs it; a few words about what was counted.
    pub run: fn(&Platform) -> Result<String>,
}

/// Every client.
fn all() -> impl Iterator<Item = &'static Client> {
    [
        examples::CLIENTS,
        debian::CLIENTS,
        pyopencl::CLIENTS,
        clblast::CLIENTS,
        opencv::CLIENTS,
        ffmpeg::CLIENTS,
        piglit::CLIENTS,
        headers::CLIENTS,
        python_packages::CLIENTS,
        rust::CLIENTS,
    ]
    .into_iter()
    .flatten()
}

/// What became of a client.
struct Outcome {
    client: &'static Client,
    /// Of its programs; what was built or fetched for them before is not in it.
    time: Duration,
    result: Result<String>,
}

/// The short clients on MOCL3; how many passed and failed.
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

/// `cargo xtask clients`: those whose names contain `filter`, each on one platform after the
/// other; with `page`, what was measured goes to docs/generated/clients.md.
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
            // At once: a long run that is interrupted keeps what it has.
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
    RUNNING.set(Duration::ZERO);
    let result = (client.run)(platform);
    let time = RUNNING.get();
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

thread_local! {
    /// How long the programs of this client have run.
    static RUNNING: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What a program printed, on both streams, without the colours of a terminal.
///
/// # Errors
/// It cannot be started, or ends with a status that is not success.
fn text(program: &mut Command) -> Result<String> {
    let (text, succeeded) = text_and_success(program)?;
    if !succeeded {
        bail!("{program:?} failed:\n{}", tail(&text));
    }
    Ok(text)
}

/// The same for programs whose status is part of what they say.
///
/// # Errors
/// It cannot be started, or a signal ended it.
fn text_and_success(program: &mut Command) -> Result<(String, bool)> {
    let start = Instant::now();
    let output = command::output(&mut limited(program))?;
    RUNNING.set(RUNNING.get() + start.elapsed());
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let text = without_colours(&text);
    // 124: the time is over; from 128 on: a signal.
    if output.status.code().is_none_or(|code| code >= 124) {
        bail!("{program:?} ended with {}:\n{}", output.status, tail(&text));
    }
    Ok((text, output.status.success()))
}

/// How long a program may take, s, before it counts as hanging.
const LIMIT: &str = "5400";

/// The same program under coreutils' `timeout`.
fn limited(program: &Command) -> Command {
    let mut limited = Command::new("timeout");
    limited
        .args(["--kill-after=10", LIMIT])
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    if let Some(folder) = program.get_current_dir() {
        limited.current_dir(folder);
    }
    limited
}

/// The last lines, which tell why a program failed.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

/// Takes `ESC [ … m` out.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let code = &rest[at..];
        rest = code.find('m').map_or("", |end| &code[end + 1..]);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::{all, without_colours};
    use std::collections::HashSet;

    #[test]
    fn colours_go_and_text_stays() {
        let text = "a \u{1b}[31mX\u{1b}[0m b\n";
        assert_eq!(without_colours(text), "a X b\n");
    }

    #[test]
    fn no_two_clients_share_a_name() {
        let mut names = HashSet::new();
        for client in all() {
            assert!(names.insert(client.name), "{} is there twice", client.name);
        }
    }
}
