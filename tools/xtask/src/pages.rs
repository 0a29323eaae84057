//! `cargo xtask pages`: the generated pages of the documentation that contain no measurements.

use crate::{command, packages, platform};
use anyhow::Result;

/// Writes `api-coverage.md`, `built-in-kernels.md`, `command-line.md`, `conformance.md`, `error-codes.md`,
/// `machine-numbers.md` and `vendor-kernels.md` in `docs/generated/`. The tests that compare these pages
/// with the code also write them.
///
/// # Errors
/// The tests cannot be built, or a page cannot be written.
pub fn write() -> Result<()> {
    packages::install(packages::NEEDED)?;
    let mut cargo = platform::cargo();
    cargo.args(["test", "--release", "--package", "device-sim"]);
    cargo.args([
        "--package",
        "accelerator-functions",
        "--package",
        "vendor-kernels",
    ]);
    cargo.args(["--test", "page"]);
    cargo.args(["--package", "icd", "--lib", "--test", "opencl"]);
    cargo.args(["--package", "mocl3", "--bin", "mocl3"]);
    cargo.args(["--package", "conformance", "--test", "cases_page"]);
    cargo.args(["--test", "machine_numbers", "the_page_shows"]);
    command::run(cargo.env("MOCL3_WRITE_DOCS", "1"))
}

#[cfg(test)]
mod tests {
    use crate::platform;
    use std::fs;

    /// The command is on the first line after the title.
    #[test]
    fn generated_pages_name_their_command() {
        for entry in fs::read_dir(platform::root().join("docs/generated")).unwrap() {
            let path = entry.unwrap().path();
            let page = fs::read_to_string(&path).unwrap();
            let first = page.lines().nth(2).unwrap_or_default();
            let named = ["Written by `cargo xtask ", "Printed by `cargo xtask "];
            assert!(
                named.iter().any(|begin| first.starts_with(begin)),
                "{} does not name the command that writes it",
                path.display()
            );
        }
    }
}
