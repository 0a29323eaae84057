//! What the tests of `MOCL3_CHECK` share: programs that run kernels whose bodies are their arguments
//! (`tests/programs/checked.h`), and their reports.

use crate::session::vendors;
use std::path::Path;
use std::process::Command;

/// Where the body is in the programs' sources.
pub const PLACE: &str = "program.cl:6:";

/// A program with these bodies.
pub fn command(program: &Path, bodies: &[&str], lanes: Option<&str>) -> Command {
    let mut command = Command::new(program);
    command
        .args(bodies)
        .env("OCL_ICD_VENDORS", vendors())
        .env_remove("MOCL3_LANES");
    if let Some(lanes) = lanes {
        command.env("MOCL3_LANES", lanes);
    }
    command
}

/// What a process with these checks reports, and what its kernels computed.
pub fn run(program: &Path, bodies: &[&str], lanes: Option<&str>, checks: &str) -> (String, String) {
    let mut command = command(program, bodies, lanes);
    let output = command.env("MOCL3_CHECK", checks).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{bodies:?}: {errors}");
    (errors, String::from_utf8(output.stdout).unwrap())
}

/// The reports of bodies: first line and column of each. What the log puts before is left out.
pub fn found(output: &str) -> Vec<(String, u32)> {
    let place = format!("kernel `k`, {PLACE}");
    let mut found = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let (_, first) = line.split_once("] ").unwrap_or_default();
        let second = lines.next().unwrap_or_default().trim();
        let column = second
            .strip_prefix(&place)
            .unwrap_or_else(|| panic!("{output}"));
        found.push((first.to_owned(), column.parse().unwrap()));
        // Source line, mark, value, work-item.
        lines
            .by_ref()
            .take_while(|line| !line.trim().starts_with("work-item: "))
            .for_each(drop);
    }
    found
}
