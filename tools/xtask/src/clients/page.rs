//! docs/generated/clients.md: the clients, how their results are checked, their times, and the
//! tests that are expected to fail. Times, versions and counts are measured: they are kept from
//! the page until the next measurement. All the rest comes from the code.

use super::checked::List;
use super::{Client, Outcome, all, clblast, piglit, pyopencl, python_packages};
use crate::packages;
use crate::platform::{self, Platform};
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The measured cells, by the client's name.
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
    platform::root().join("docs/generated/clients.md")
}

/// Writes the page with this outcome; other clients keep their rows. `right_after_ours`: MOCL3's
/// outcome was measured just before.
///
/// # Errors
/// The page cannot be read or written.
pub fn write(platform: &Platform, outcome: &Outcome, right_after_ours: bool) -> Result<()> {
    let page = std::fs::read_to_string(path()).unwrap_or_default();
    let mut measured = measured(&page);
    let row = measured.entry(outcome.client.name.to_owned()).or_default();
    let seconds = format!("{:.1} s", outcome.time.as_secs_f64());
    match (platform.is_ours(), &outcome.result) {
        (true, Ok(counted)) => {
            row.result = if counted.is_empty() {
                "right".to_owned()
            } else {
                counted.clone()
            };
            row.ours = seconds;
        }
        (true, Err(_)) => {
            "FAILS".clone_into(&mut row.result);
            "fails".clone_into(&mut row.ours);
        }
        (false, Ok(counted)) => {
            let differs = !counted.is_empty() && *counted != row.result;
            row.pocl = seconds;
            if !right_after_ours {
                row.pocl += " †";
            }
            if differs {
                row.pocl += &format!(" ({counted})");
            }
        }
        (false, Err(_)) => "fails".clone_into(&mut row.pocl),
    }
    row.version = version(outcome.client)?;
    let page = render(&measured, &List::read()?);
    std::fs::write(path(), page).context("docs/generated/clients.md cannot be written")
}

/// The version of a client's first Debian package. For other clients, `from` contains the version.
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

fn render(measured: &Measured, list: &List) -> String {
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
    line(format_args!("\n## Commands and checks\n"));
    line(format_args!(
        "Clients with a star also run in `cargo xtask test`.\n"
    ));
    line(format_args!("| client | from | command | check |"));
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
    line(format_args!("\n## Known failures and skipped tests\n"));
    line(format_args!(
        "A run fails if any other test fails or is skipped, or if one of these passes. Statements"
    ));
    line(format_args!(
        "about other platforms in the last column were verified there.\n"
    ));
    line(format_args!("| suite | test | result | reason |"));
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
    write_checks(&mut page, list);
    page
}

/// The tables of `tools/xtask/client-findings.toml`.
fn write_checks(page: &mut String, list: &List) {
    page.push_str(CHECKS);
    for known in &list.finding {
        let findings: Vec<String> = known.lines().map(|line| format!("`{line}`")).collect();
        let (clients, findings) = (known.clients.join(", "), findings.join(", "));
        let _ = writeln!(page, "| {clients} | {findings} | {} |", known.reason);
    }
    page.push_str(WRONG);
    for one in &list.wrong {
        let _ = writeln!(page, "| {} | {} | {} |", one.client, one.says, one.reason);
    }
}

const INTRODUCTION: &str = "\
# Client programs: results

Written by `cargo xtask clients --page`; a test compares what is not measured with the code.
[clients.md](../clients.md) says what the columns mean and on which machine the times were taken.

";

const CHECKS: &str = "
## Errors that checks find

`cargo xtask clients --checks all` runs the clients under all [checks](../checking.md). A client fails
with any finding that is not here, and if one of these does not occur. Findings are written as
suppressions.

| clients | findings | reason |
| --- | --- | --- |
";

const WRONG: &str = "
Results under checks that differ because of these errors:

| client | result | reason |
| --- | --- | --- |
";

#[cfg(test)]
mod tests {
    use super::{List, measured, path, render};

    #[test]
    fn the_page_shows_what_the_code_says() {
        let page = std::fs::read_to_string(path()).unwrap();
        assert!(
            render(&measured(&page), &List::read().unwrap()) == page,
            "docs/generated/clients.md is not what the clients' tables say; \
             run cargo xtask clients --page --filter <one of them>"
        );
    }
}
