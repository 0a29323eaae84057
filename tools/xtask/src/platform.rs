//! The built library, and how programs are pointed at it.

use crate::command;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The project's folder.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Where the release library is.
pub fn library_folder() -> PathBuf {
    target().join("release")
}

/// A cargo command in the project's folder.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Builds the release library.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<()> {
    command::run(cargo().args(["build", "--release", "--package", "icd"]))
}

/// The folder of the loader's `.icd` file.
fn vendors() -> PathBuf {
    root().join("vendors")
}

/// Where Debian's packages put the `.icd` files of other platforms.
const INSTALLED: &str = "/etc/OpenCL/vendors";

/// The OpenCL platform that a program is pointed at.
pub enum Platform {
    /// The library that was built last.
    Ours,
    /// The one that this `.icd` file of the system names.
    Installed(PathBuf),
}

impl Platform {
    /// MOCL3 by that name or without one; else the installed one whose `.icd` file has `name` in its own,
    /// whatever the case.
    ///
    /// # Errors
    /// There is none.
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
        matches!(self, Self::Ours)
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
            Self::Installed(file) => program
                .env("OCL_ICD_VENDORS", file)
                // PoCL's cache on disk, off as ours is under cargo.
                .env("POCL_KERNEL_CACHE", "0"),
        }
    }
}

/// The same for a shell, which finds the `mocl3` command as well.
pub fn exports() -> String {
    format!(
        "export OCL_ICD_VENDORS={}\n\
         export LD_LIBRARY_PATH={folder}\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export PATH={folder}\":$PATH\"\n",
        command::quoted(&vendors()),
        folder = command::quoted(&library_folder())
    )
}
