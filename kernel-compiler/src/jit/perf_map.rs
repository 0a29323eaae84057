//! `MOCL3_PERF_MAP`: a list of the process's kernels where perf(1) and other profilers look for it,
//! `/tmp/perf-<process>.map`.

use environment::PERF_MAP;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

/// The file; none if it is not wanted, or cannot be written.
static MAP: Lazy<Option<Mutex<File>>> = Lazy::new(|| {
    if !is_wanted() {
        return None;
    }
    let path = format!("/tmp/perf-{}.map", std::process::id());
    open(&path)
        .inspect_err(|error| log::warn!("{PERF_MAP}: {path}: {error}"))
        .ok()
        .map(Mutex::new)
});

fn is_wanted() -> bool {
    match PERF_MAP.get() {
        Some(value) if value == "1" => true,
        Some(value) if value != "0" => {
            log::warn!("{PERF_MAP}={value:?} is neither 0 nor 1; profilers see no kernels");
            false
        }
        _ => false,
    }
}

/// Others may write to the folder: an existing file is replaced if it is the user's own, and no link
/// is followed.
fn open(path: &str) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options()
        .append(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Whether functions are listed.
pub fn is_on() -> bool {
    MAP.is_some()
}

/// Lists a function.
pub fn add(name: &str, address: u64, size: u64) {
    if let Some(map) = &*MAP {
        let line = format!("{address:x} {size:x} {name}\n");
        if let Err(error) = map.lock().write_all(line.as_bytes()) {
            log::warn!("{PERF_MAP}: {error}");
        }
    }
}
