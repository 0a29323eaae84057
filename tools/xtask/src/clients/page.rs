//! docs/clients.md: the clients, what makes them right, their times, and what is expected
//! to fail. All but times, versions and counts is in the code; those stay on the page
//! until the next measurement.

use super::{Client, Outcome, all, clblast, piglit, pyopencl, python_packages};
use crate::packages;
use crate::platform::{self, Platform};
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;

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

/// Writes the page with this outcome, which is `in_turn` if MOCL3's was measured right before;
/// other clients keep what the page has.
///
/// # Errors
/// The page cannot be read or written.
pub fn write(platform: &Platform, outcome: &Outcome, in_turn: bool) -> Result<()> {
    let page = std::fs::read_to_string(path()).unwrap_or_default();
    let mut measured = measured(&page);
    let row = measured.entry(outcome.client.name.to_owned()).or_default();
    let seconds = format!("{:.1} s", outcome.time.as_secs_f64());
    match (platform, &outcome.result) {
        (Platform::Ours, Ok(counted)) => {
            row.result = if counted.is_empty() {
                "right".to_owned()
            } else {
                counted.clone()
            };
            row.ours = seconds;
        }
        (Platform::Ours, Err(_)) => {
            "FAILS".clone_into(&mut row.result);
            "fails".clone_into(&mut row.ours);
        }
        (Platform::Installed(_), Ok(counted)) => {
            let differs = !counted.is_empty() && *counted != row.result;
            row.pocl = seconds;
            if !in_turn {
                row.pocl += " †";
            }
            if differs {
                row.pocl += &format!(" ({counted})");
            }
        }
        (Platform::Installed(_), Err(_)) => "fails".clone_into(&mut row.pocl),
    }
    row.version = version(outcome.client)?;
    let page = render(&measured);
    std::fs::write(path(), page).context("docs/clients.md cannot be written")
}

/// The version of a client's first Debian package; of others, `from` tells it.
fn version(client: &Client) -> Result<String> {
    let Some(package) = client.packages.first() else {
        return Ok(String::new());
    };
    packages::version(package)
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
    line(format_args!("\n## Tests that do not pass\n"));
    line(format_args!(
        "Any other that fails or is skipped is an error, and so is one of these that"
    ));
    line(format_args!(
        "passes. What the column *why* says of other platforms was tried.\n"
    ));
    line(format_args!("| of | test | does not pass | why |"));
    line(format_args!("| --- | --- | --- | --- |"));
    let tables = [
        ("PyOpenCL", "fails", pyopencl::FAILING),
        ("PyOpenCL", "skipped", pyopencl::SKIPPED),
        ("Piglit", "fails", piglit::FAILING),
        ("Piglit", "skipped", piglit::SKIPPED),
    ];
    let suites = python_packages::SUITES.iter();
    let suites = suites.map(|suite| (suite.package, "fails", suite.failing));
    for (of, does, table) in tables.into_iter().chain(suites) {
        for exception in table {
            line(format_args!(
                "| {of} | `{}` | {does} | {} |",
                exception.test, exception.reason
            ));
        }
    }
    for suite in python_packages::SUITES {
        if let Some((count, why)) = suite.skipped {
            line(format_args!(
                "| {} | {count} tests | skipped | {why} |",
                suite.package
            ));
        }
    }
    for (routine, reason) in clblast::FAILING {
        line(format_args!("| CLBlast | `{routine}` | fails | {reason} |"));
    }
    page + END
}

const INTRODUCTION: &str = "\
# Programs from the wild

OpenCL programs that know nothing of MOCL3, run unmodified through the system's loader:

```sh
cargo xtask clients                     # all
cargo xtask clients --list
cargo xtask clients --filter PyOpenCL   # those with this in their names
cargo xtask clients --platform PoCL     # on another platform that is installed
cargo xtask clients --platform MOCL3 --platform PoCL    # on both, each client in turn
cargo xtask clients --page              # and write what was measured to this page
```

What they need comes from Debian, PyPI and crates.io. Times are of the programs alone,
without what is built or fetched for them, on four cores of an AMD EPYC (Zen 3, AVX2) in a
virtual machine that other work loaded two- to tenfold: they tell minutes from seconds, and
docs/benchmarks.md is where platforms are compared. PoCL is 3.1; it ran right after MOCL3,
but where a † is, at another time. Caches for compiled kernels were off on both. *fails* on
PoCL means that the client does not come to its end, or to a right result, there; an empty
cell, that nobody has measured it. In brackets is PoCL's result where it is another one.

";

const END: &str = "
## Programs that need settings for the platform

LibreOffice Calc uses a platform only if its allow-list names the vendor, and it has AMD, Intel
and NVIDIA there (`opencl/source/openclconfig.cxx`). In *Tools, Options, Advanced, Open Expert
Configuration*, below `org.openoffice.Office.Common/Misc`, set `UseOpenCL` to true and add this
entry to `OpenCLAllowList`, whose parts are operating system, its version, vendor of the platform,
device and driver version, each a regular expression or empty:

```text
//MOCL3 project//
```

Programs that ask for one type of device, or fail with several devices, need a variable:
[troubleshooting.md](troubleshooting.md).
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
