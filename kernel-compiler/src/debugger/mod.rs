//! What debuggers and profilers see of programs besides names: with `MOCL3_DEBUG` programs are
//! compiled without optimisation and with full debug information, or checked and with line tables;
//! with `MOCL3_JITDUMP` they have line tables. Sources are in files.

mod sources;

use crate::front_end::options::BuildOptions;
use crate::jit::jitdump;
use crate::unit::Header;
use environment::DEBUG;
use once_cell::sync::Lazy;
use std::path::{Path, PathBuf};

pub use sources::Renamed;

/// The folder of `MOCL3_DEBUG`, read once.
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

/// Whether a debugger runs the process (`MOCL3_DEBUG`). Programs are compiled for it unless their
/// accesses or barriers are checked.
pub fn is_on() -> bool {
    FOLDER.is_some()
}

/// The folder for sources that are in no file, if debuggers or profilers see lines.
fn folder() -> Option<&'static Path> {
    FOLDER.as_deref().or_else(jitdump::folder)
}

/// Whether programs that are not compiled for debuggers are to have line tables.
pub fn wants_line_tables() -> bool {
    !is_on() && jitdump::folder().is_some()
}

/// Whether debuggers and profilers see source lines of programs that are built with line tables.
pub fn shows_lines() -> bool {
    folder().is_some()
}

/// The options of a program that debuggers see, or that has line tables which they see, and files
/// with its text; none of another.
pub(crate) fn options(
    name: &str,
    source: &str,
    options: &BuildOptions,
    headers: &[Header],
) -> Option<BuildOptions> {
    let folder = folder()?;
    let shown = match is_on() && !options.checks_memory() {
        true => options.clone().for_debuggers(),
        false if options.has_line_tables() => options.clone(),
        false => return None,
    };
    let folders = options.include_folders();
    let files = sources::publish(folder, name, source, &folders, headers);
    Some(shown.naming_files(&files))
}
