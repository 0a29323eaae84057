//! The file in which limits are kept.

use super::limit::Limit;
use anyhow::Result;
use environment::{HOME, XDG_CACHE_HOME};
use mocl3_shared::arguments::machine::MachineOptions;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;
use std::{env, fs};

/// What limits depend on: the machine, the micro-benchmarks, and this program, which is built with the
/// platform.
pub fn key(machine: &MachineOptions, kernels: &str) -> Result<String> {
    let program = fs::metadata(env::current_exe()?)?;
    let built = program.modified()?.duration_since(UNIX_EPOCH);
    let mut hasher = blake3::Hasher::new();
    let program = format!("{} {:?}", program.len(), built.unwrap_or_default());
    for part in [&machine.description()?.text(), kernels, &program] {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// The limits of this key; none if there are none, or they cannot be read.
pub fn read(key: &str) -> Option<Vec<Limit>> {
    let text = fs::read_to_string(folder()?.join(key)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Keeps the limits of this key. Where that is not possible, they are measured again.
pub fn write(key: &str, limits: &[Limit]) {
    let written = || {
        let folder = folder()?;
        fs::create_dir_all(&folder).ok()?;
        // Under the final name only when it is complete.
        let mut file = tempfile::NamedTempFile::new_in(&folder).ok()?;
        serde_json::to_writer(&mut file, limits).ok()?;
        file.persist(folder.join(key)).ok()
    };
    let _ = written();
}

/// The folder of the user's caches.
fn folder() -> Option<PathBuf> {
    let absolute = |text| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
    let caches = XDG_CACHE_HOME.get().and_then(absolute);
    let of_home = || Some(HOME.get().and_then(absolute)?.join(".cache"));
    Some(caches.or_else(of_home)?.join("mocl3-limits"))
}
