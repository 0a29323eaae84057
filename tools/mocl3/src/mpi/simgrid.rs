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

/// Where the layer is, relative to the folder of this program: cargo's folder, an installation, and a
/// Python package.
const LAYER_FOLDERS: [&str; 3] = ["", "../lib/mocl3", ".."];

/// The layer.
///
/// # Errors
/// It is in none of the folders.
pub fn find_layer() -> Result<PathBuf> {
    let program = fs::canonicalize(std::env::current_exe()?)?;
    layer_near(program.parent().context("this program has no folder")?)
}

fn layer_near(folder: &Path) -> Result<PathBuf> {
    let places = LAYER_FOLDERS.map(|place| folder.join(place).join(LAYER));
    match places.iter().find(|place| place.is_file()) {
        Some(place) => Ok(fs::canonicalize(place)?),
        None => bail!(
            "the layer {LAYER} is in none of the folders {0}, {0}/../lib/mocl3 and {0}/..: build or install \
             the platform anew",
            folder.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layer_is_found_in_installations() {
        let root = tempfile::tempdir().unwrap();
        let programs = root.path().join("bin");
        fs::create_dir(&programs).unwrap();
        let error = layer_near(&programs).unwrap_err().to_string();
        assert!(error.contains("install the platform anew"), "{error}");
        for place in [
            "libmocl3_smpi.so",
            "lib/mocl3/libmocl3_smpi.so",
            "bin/libmocl3_smpi.so",
        ] {
            let layer = root.path().join(place);
            fs::create_dir_all(layer.parent().unwrap()).unwrap();
            fs::write(&layer, "").unwrap();
            let found = layer_near(&programs).unwrap();
            assert_eq!(found, fs::canonicalize(&layer).unwrap());
        }
    }
}
