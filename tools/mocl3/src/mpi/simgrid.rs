//! Finds SimGrid, the layer, and the program.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The layer's file.
const LAYER: &str = "libmocl3_smpi.so";

/// SimGrid's command that runs MPI programs.
///
/// # Errors
/// It is in no folder of `PATH`.
pub fn find_smpirun() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("smpirun"))
        .find(|file| file.is_file())
        .context(
            "there is no smpirun: install SimGrid, Debian's package libsimgrid-dev \
             (apt-get install libsimgrid-dev)",
        )
}

/// The program's file. SimGrid loads it itself, so that it must be a file and not a script.
///
/// # Errors
/// There is none, or it was not compiled with SimGrid's compiler.
pub fn find_program(program: &OsStr) -> Result<PathBuf> {
    let named = Path::new(program);
    let path = match named.components().count() {
        1 if !named.is_file() => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path)
                .map(|folder| folder.join(named))
                .find(|file| file.is_file())
        }
        _ => named.is_file().then(|| named.to_owned()),
    };
    let path = path.with_context(|| format!("there is no program {}", named.display()))?;
    let path = fs::canonicalize(&path)?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if !bytes.starts_with(b"\x7fELF") {
        bail!(
            "{} is no compiled program: SimGrid runs programs that smpicc or smpicxx made",
            path.display()
        );
    }
    // The name of the library that smpicc links to.
    let needle = b"libsimgrid.so";
    if !bytes.windows(needle.len()).any(|window| window == needle) {
        bail!(
            "{} was not compiled for SimGrid: compile it with smpicc or smpicxx instead of mpicc",
            path.display()
        );
    }
    Ok(path)
}

/// The layer: in the folder of this program, or where it is installed.
///
/// # Errors
/// It is in neither folder.
pub fn find_layer() -> Result<PathBuf> {
    let program = fs::canonicalize(std::env::current_exe()?)?;
    let folder = program.parent().context("this program has no folder")?;
    let places = [folder.join(LAYER), folder.join("../lib/mocl3").join(LAYER)];
    for place in &places {
        if place.is_file() {
            return Ok(fs::canonicalize(place)?);
        }
    }
    bail!(
        "the layer {LAYER} is neither in {} nor in {}: build or install the platform anew",
        folder.display(),
        places[1].parent().unwrap_or(folder).display()
    )
}
