//! Python environments in the target folder, with packages from PyPI.

use crate::command;
use crate::platform::{self, Platform};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of an environment with `packages`. It is created at its first use and whenever the
/// list changes.
///
/// # Errors
/// No Python, or PyPI cannot be reached.
pub fn environment(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = platform::target().join(name);
    let complete = folder.join("complete");
    let list = packages.join(" ");
    if std::fs::read_to_string(&complete).is_ok_and(|made| made == list) {
        return Ok(folder);
    }
    command::run(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )?;
    command::run(pip(&folder).args(["install", "--quiet"]).args(packages))?;
    std::fs::write(complete, list)?;
    Ok(folder)
}

/// The folder with the source distribution `package` (`name==version`) from PyPI, which is unpacked
/// at its first use.
///
/// # Errors
/// PyPI cannot be reached, or has no such file.
pub fn source(environment: &Path, package: &str) -> Result<PathBuf> {
    let name = package.split("==").next().unwrap_or(package);
    let folder = platform::target().join("sources");
    std::fs::create_dir_all(&folder)?;
    let unpacked = folder.join(package.replace("==", "-"));
    if unpacked.exists() {
        return Ok(unpacked);
    }
    command::run(
        pip(environment)
            .args(["download", "--quiet", "--no-deps", "--no-binary", name])
            .arg("--dest")
            .arg(&folder)
            .arg(package),
    )?;
    let mut archive = unpacked.clone().into_os_string();
    archive.push(".tar.gz");
    command::run(
        Command::new("tar")
            .arg("xf")
            .arg(archive)
            .current_dir(&folder),
    )?;
    Ok(unpacked)
}

/// `python` of an environment, which uses a platform through the system's loader.
///
/// # Errors
/// Those of [`environment`].
pub fn client(platform: &Platform, name: &str, packages: &[&str]) -> Result<Command> {
    let mut python = Command::new(environment(name, packages)?.join("bin/python"));
    // PyOpenCL's wheel contains a loader; the tests use the system's.
    python.env("LD_PRELOAD", "libOpenCL.so.1");
    // Code that another build of the library compiled would hide errors.
    python.env("PYOPENCL_NO_CACHE", "1");
    platform.point(&mut python);
    Ok(python)
}

/// `pip` of an environment.
pub fn pip(environment: &Path) -> Command {
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.arg("--disable-pip-version-check");
    pip
}
