//! Installs the Debian packages that are needed and missing.

use crate::command;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Packages for building, the demo and most tests.
pub const NEEDED: &[&str] = &[
    "clang-22",
    "clinfo",
    "g++",
    "libclang-22-dev",
    "libclang-cpp22-dev",
    "libgmp-dev",
    "libmpfr-dev",
    "llvm-22-dev",
    "ocl-icd-opencl-dev",
    "opencl-clhpp-headers",
    "opencl-headers",
    "python3-venv",
];

/// Additional packages for tests: a browser for the pages of `mocl3 report`; csmith, the
/// compiler that runs its programs on the host; the debugger of `mocl3 debug`; the compiler of hthreads
/// programs in Fortran; the simulator of networks of `mocl3 mpi`.
pub const FOR_TESTS: &[&str] = &[
    "chromium",
    "csmith",
    "gcc",
    "gdb",
    "gfortran",
    "libsimgrid-dev",
];

/// The other platform that `clients` and `bench` compare with.
pub const FOR_COMPARISON: &[&str] = &["pocl-opencl-icd"];

/// Additional packages for platforms of later suites in `bench`: what installs a suite into a folder,
/// and what runs a program in it.
pub const FOR_LATER_SUITES: &[&str] = &["bubblewrap", "mmdebstrap"];

/// Additional packages for `package`: the tool that finds the packages a library depends on, and a
/// library to which LLVM's static libraries link.
pub const FOR_PACKAGES: &[&str] = &["dpkg-dev", "libzstd-dev"];

/// Installs those of `packages` that are missing, and prints their names.
///
/// # Errors
/// They cannot be installed: no Debian, neither root nor sudo, or apt-get fails.
pub fn install(packages: &[&str]) -> Result<()> {
    let missing = missing(packages)?;
    if missing.is_empty() {
        // Standard output is for the command's own output.
        eprintln!("all {} Debian packages are installed", packages.len());
        return Ok(());
    }
    eprintln!("installing the Debian packages {}", missing.join(" "));
    apt_get(&["update", "-q"])?;
    let mut arguments = vec!["install", "-q", "-y", "--no-install-recommends"];
    arguments.extend(missing);
    apt_get(&arguments)
}

/// The version of a package that is installed; empty if it is not.
///
/// # Errors
/// This is no Debian system.
pub fn version(package: &str) -> Result<String> {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f", "${Version}", package]);
    let output = command::output(&mut query)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn missing<'a>(packages: &[&'a str]) -> Result<Vec<&'a str>> {
    let mut query = Command::new("dpkg-query");
    query
        .args(["-W", "-f", "${Package} ${db:Status-Status}\n"])
        .args(packages);
    let output = command::output(&mut query)
        .context("this is no Debian system; README.md lists what has to be installed")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let installed = |package: &&str| {
        text.lines()
            .any(|line| line.strip_prefix(*package) == Some(" installed"))
    };
    Ok(packages
        .iter()
        .copied()
        .filter(|package| !installed(package))
        .collect())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let id = command::output(Command::new("id").arg("-u"))?;
    let mut apt = if id.stdout.trim_ascii() == b"0" {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    };
    apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    if let Err(error) = command::run(&mut apt) {
        bail!(
            "{error:#}\nrun as root, with sudo, or let an administrator run: apt-get {}",
            arguments.join(" ")
        );
    }
    Ok(())
}
