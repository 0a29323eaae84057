//! `MOCL3_DEBUG`: programs are compiled for debuggers, with full debug information and without
//! optimisation, and debuggers find their sources in files.

mod sources;

use environment::DEBUG;
use once_cell::sync::Lazy;
use std::path::PathBuf;

pub use sources::{Renamed, publish};

/// The folder for sources that are in no file; read once.
static FOLDER: Lazy<Option<PathBuf>> = Lazy::new(|| {
    let folder = PathBuf::from(DEBUG.get()?);
    std::fs::create_dir_all(&folder)
        .and_then(|()| folder.canonicalize())
        .inspect_err(|error| {
            log::warn!(
                "{DEBUG}={}: {error}; kernels are not debugged",
                folder.display()
            );
        })
        .ok()
});

/// Whether programs are compiled for debuggers.
pub fn is_on() -> bool {
    FOLDER.is_some()
}
