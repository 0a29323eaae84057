//! The built library, and the environment with which programs use it.

use crate::command;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The project's folder.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The folder of the release library.
pub fn library_folder() -> PathBuf {
    target().join("release")
}

/// A cargo command in the project's folder.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Builds the release library, the layer for SimGrid, and CBLAS.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<()> {
    command::run(cargo().args([
        "build",
        "--release",
        "--package",
        "icd",
        "--package",
        "smpi-layer",
        "--package",
        "cblas",
    ]))
}

/// The folder of the loader's `.icd` file.
fn vendors() -> PathBuf {
    root().join("vendors")
}

/// The folder in which Debian's packages install `.icd` files.
const INSTALLED: &str = "/etc/OpenCL/vendors";

/// The OpenCL platform that a program uses.
pub enum Platform {
    /// MOCL3's library that was built last.
    Ours,
    /// The same, which checks kernels and calls.
    Checked(Checks),
    /// The platform of an installed `.icd` file.
    Installed(PathBuf),
}

/// Checks of kernels and calls.
pub struct Checks {
    /// The value of `MOCL3_CHECK`.
    pub list: String,
    /// The folder for findings.
    pub findings: PathBuf,
}

impl Platform {
    /// MOCL3 by that name or without a name; else the installed platform whose `.icd` file's name
    /// contains `name`, ignoring case.
    ///
    /// # Errors
    /// No such platform is installed.
    pub fn named(name: Option<&str>) -> Result<Self> {
        let Some(name) = name else {
            return Ok(Self::Ours);
        };
        let wanted = name.to_lowercase();
        if wanted == "mocl3" {
            return Ok(Self::Ours);
        }
        let files = std::fs::read_dir(INSTALLED)
            .with_context(|| format!("no platform is installed in {INSTALLED}"))?;
        for file in files {
            let path = file?.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if stem.to_lowercase().contains(&wanted) {
                return Ok(Self::Installed(path));
            }
        }
        bail!("{INSTALLED} has no platform with `{name}` in its file's name")
    }

    /// Whether it is the library that was built last.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Ours | Self::Checked(_))
    }

    /// Makes `program` find this platform, and no other.
    pub fn point<'a>(&self, program: &'a mut Command) -> &'a mut Command {
        match self {
            Self::Ours => {
                let mut path = library_folder().into_os_string();
                if let Some(before) = std::env::var_os("LD_LIBRARY_PATH") {
                    path.push(":");
                    path.push(before);
                }
                program
                    .env("OCL_ICD_VENDORS", vendors())
                    .env("LD_LIBRARY_PATH", path)
            }
            Self::Checked(checks) => Self::Ours
                .point(program)
                .env("MOCL3_CHECK", &checks.list)
                .env("MOCL3_FINDINGS", &checks.findings),
            Self::Installed(file) => program
                .env("OCL_ICD_VENDORS", file)
                // PoCL's cache on disk is off, as MOCL3's is under cargo.
                .env("POCL_KERNEL_CACHE", "0"),
        }
    }
}

/// `export` lines with which a shell's programs use the built library and find `mocl3`.
pub fn exports() -> String {
    format!(
        "export OCL_ICD_VENDORS={}\n\
         export LD_LIBRARY_PATH={folder}\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export PATH={folder}\":$PATH\"\n",
        command::quoted(&vendors()),
        folder = command::quoted(&library_folder())
    )
}
