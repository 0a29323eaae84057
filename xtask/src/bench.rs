//! `cargo xtask bench`: the harness of `bench/` over MOCL3, PoCL from Debian and
//! Intel's CPU runtime from PyPI.

use crate::{command, packages, platform, python};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Builds what is compared, gets the others, and runs the harness.
///
/// # Errors
/// A platform cannot be had, or the harness failed.
pub fn run(arguments: &[String]) -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_COMPARISON)?;
    platform::build()?;
    command::run(platform::cargo().args(["build", "--release", "--package", "bench"]))?;
    let intel = python::environment("intel", &["intel-opencl-rt", "intel-cmplr-lib-rt"])?;
    let folder = platform::target().join("bench-vendors");
    let vendors = [
        (
            "MOCL3",
            vec![platform::library_folder().join("libmocl3.so")],
        ),
        ("PoCL", vec![PathBuf::from("libpocl.so.2")]),
        ("Intel", vec![find(&intel, "libintelocl.so")?]),
    ];
    let mut harness = std::process::Command::new(platform::library_folder().join("bench"));
    for (name, libraries) in vendors {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        for library in libraries {
            std::fs::write(
                folder.join("platform.icd"),
                format!("{}\n", library.display()),
            )?;
        }
        harness.arg(format!("{name}={}", folder.display()));
    }
    command::run(harness.args(arguments))
}

/// A file of that name somewhere in a folder.
fn find(folder: &Path, name: &str) -> Result<PathBuf> {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                pending.push(entry.path());
            } else if entry.file_name() == name {
                return Ok(entry.path());
            }
        }
    }
    anyhow::bail!("{} holds no {name}", folder.display())
}
