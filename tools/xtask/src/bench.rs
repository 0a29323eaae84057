//! `cargo xtask bench`: the harness of `tools/bench/` over MOCL3, PoCL from Debian and
//! Intel's CPU runtime from PyPI.

use crate::{arguments, command, packages, platform, python};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The platforms; ratios are to the first one.
const PLATFORMS: [&str; 3] = ["MOCL3", "PoCL", "Intel"];

/// Builds MOCL3, installs the other platforms, and runs the harness.
///
/// # Errors
/// A platform cannot be installed, or the harness failed.
pub fn run(arguments: &[String]) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "bench"]))?;
    let mut harness = std::process::Command::new(platform::library_folder().join("bench"));
    if !arguments::prints_only(arguments) {
        let wanted = arguments::value(arguments, "--platform");
        for name in PLATFORMS {
            if wanted.is_none_or(|wanted| wanted.split(',').any(|wanted| wanted == name)) {
                harness.arg(format!("{name}={}", vendors(name)?.display()));
            }
        }
    }
    command::run(harness.args(arguments))
}

/// Builds or installs a platform; returns the folder with its `.icd` file.
fn vendors(name: &str) -> Result<PathBuf> {
    let library = match name {
        "PoCL" => {
            packages::install(packages::FOR_COMPARISON)?;
            PathBuf::from("libpocl.so.2")
        }
        "Intel" => {
            let packages = ["intel-opencl-rt", "intel-cmplr-lib-rt"];
            find(&python::environment("intel", &packages)?, "libintelocl.so")?
        }
        _ => {
            platform::build()?;
            platform::library_folder().join("libmocl3.so")
        }
    };
    let folder = platform::target().join("bench-vendors").join(name);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join("platform.icd"),
        format!("{}\n", library.display()),
    )?;
    Ok(folder)
}

/// A file of that name in a folder or its subfolders.
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
