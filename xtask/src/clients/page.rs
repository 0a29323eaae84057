//! docs/clients.md: the clients, what makes them right, their times, and what is expected
//! to fail. All but times, versions and counts is in the code; those stay on the page
//! until the next measurement.

use super::{Client, Outcome, all, clblast, pyopencl};
use crate::command;
use crate::platform::{self, Platform};
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// What is measured, by the client's name.
type Measured = HashMap<String, Row>;

/// The measured cells of a client's row.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
struct Row {
    version: String,
    result: String,
    ours: String,
    pocl: String,
}

const HEAD: &str = "| client | version | result on MOCL3 | MOCL3 | PoCL |";

fn path() -> PathBuf {
    platform::root().join("docs/clients.md")
}

/// Writes the page with these outcomes; other clients keep what the page has.
///
/// # Errors
/// The page cannot be read or written.
pub fn write(platform: &Platform, outcomes: &[Outcome]) -> Result<()> {
    let page = std::fs::read_to_string(path()).unwrap_or_default();
    let mut measured = measured(&page);
    for outcome in outcomes {
        let row = measured.entry(outcome.client.name.to_owned()).or_default();
        let time = match &outcome.result {
            Ok(_) => format!("{:.1} s", outcome.time.as_secs_f64()),
            Err(_) => "fails".to_owned(),
        };
        match platform {
            Platform::Ours => {
                row.version = version(outcome.client)?;
                row.result = match &outcome.result {
                    Ok(counted) if counted.is_empty() => "right".to_owned(),
                    Ok(counted) => counted.clone(),
                    Err(_) => "FAILS".to_owned(),
                };
                row.ours = time;
            }
            Platform::Installed(_) => row.pocl = time,
        }
    }
    let page = render(&measured);
    std::fs::write(path(), page).context("docs/clients.md cannot be written")
}

/// The version of a client's first Debian package; of others, `from` tells it.
fn version(client: &Client) -> Result<String> {
    let Some(package) = client.packages.first() else {
        return Ok(String::new());
    };
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f", "${Version}", package]);
    let output = command::output(&mut query)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads the first table of a page.
fn measured(page: &str) -> Measured {
    let rows = page.lines().skip_while(|line| *line != HEAD).skip(2);
    rows.map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
            let [name, version, result, ours, pocl] = cells[..] else {
                return None;
            };
            let row = Row {
                version: version.to_owned(),
                result: result.to_owned(),
                ours: ours.to_owned(),
                pocl: pocl.to_owned(),
            };
            Some((name.to_owned(), row))
        })
        .collect()
}

fn render(measured: &Measured) -> String {
    let mut page = String::from(INTRODUCTION);
    // Writing to a String cannot fail.
    let mut line = |text: std::fmt::Arguments| {
        let _ = writeln!(page, "{text}");
    };
    line(format_args!("{HEAD}"));
    line(format_args!("| --- | --- | --- | --- | --- |"));
    for client in all() {
        let row = measured.get(client.name).cloned().unwrap_or_default();
        line(format_args!(
            "| {} | {} | {} | {} | {} |",
            client.name, row.version, row.result, row.ours, row.pocl
        ));
    }
    line(format_args!("\n## What runs, and what makes it right\n"));
    line(format_args!(
        "Those with a star run in `cargo xtask test` as well.\n"
    ));
    line(format_args!("| client | from | command | right, if |"));
    line(format_args!("| --- | --- | --- | --- |"));
    for client in all() {
        line(format_args!(
            "| {}{} | {} | `{}` | {} |",
            client.name,
            if client.short { " \\*" } else { "" },
            client.from,
            client.command.replace('|', "\\|"),
            client.right
        ));
    }
    line(format_args!("\n## PyOpenCL's tests that do not pass\n"));
    line(format_args!(
        "Any other that fails or is skipped is an error, and so is one"
    ));
    line(format_args!("of these that passes.\n"));
    line(format_args!("| test | fails or skipped | why |"));
    line(format_args!("| --- | --- | --- |"));
    for (does, table) in [("fails", pyopencl::FAILING), ("skipped", pyopencl::SKIPPED)] {
        for test in table {
            line(format_args!(
                "| `{}` | {does} | {} |",
                test.test, test.reason
            ));
        }
    }
    line(format_args!("\n## CLBlast's tests that do not pass\n"));
    line(format_args!("| routine | why |"));
    line(format_args!("| --- | --- |"));
    for (routine, reason) in clblast::FAILING {
        line(format_args!("| `{routine}` | {reason} |"));
    }
    page
}

const INTRODUCTION: &str = "\
# Programs from the wild

OpenCL programs that know nothing of MOCL3, run unmodified through the system's loader:

```sh
cargo xtask clients                     # all
cargo xtask clients --list
cargo xtask clients --filter PyOpenCL   # those with this in their names
cargo xtask clients --platform PoCL     # on another platform that is installed
cargo xtask clients --page              # and write what was measured to this page
```

What they need comes from Debian, PyPI and crates.io; a client's first time includes what it
builds or gets from the last two. Times are of four cores of an AMD EPYC (Zen 3, AVX2) in a
virtual machine that was heavily loaded by other work: they tell minutes from seconds, and do
not compare platforms (docs/benchmarks.md does). Caches for compiled kernels were off (PoCL
3.1's as well). *fails* on PoCL means that the client does not come to its end, or to a right
result, there; an empty cell, that nobody has measured it.

";

#[cfg(test)]
mod tests {
    use super::{measured, path, render};

    #[test]
    fn the_page_shows_what_the_code_says() {
        let page = std::fs::read_to_string(path()).unwrap();
        assert!(
            render(&measured(&page)) == page,
            "docs/clients.md is not what the clients' tables say; \
             run cargo xtask clients --page --filter <one of them>"
        );
    }
}
