//! The files in which limits are kept: one for each machine.

use super::limit::Limit;
use anyhow::Result;
use environment::{HOME, XDG_CACHE_HOME};
use mocl3_shared::arguments::machine::MachineOptions;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;
use std::{env, fs};

/// What limits depend on.
pub struct Key {
    /// The machine: each has one file.
    machine: String,
    /// The micro-benchmarks, and this program, which is built with the platform.
    build: String,
}

/// The contents of a file.
#[derive(Serialize, Deserialize)]
struct Kept {
    build: String,
    limits: Vec<Limit>,
}

impl Key {
    /// The key of a machine.
    ///
    /// # Errors
    /// The machine is invalid, or this program's file cannot be found.
    pub fn new(machine: &MachineOptions, kernels: &str) -> Result<Self> {
        let program = fs::metadata(env::current_exe()?)?;
        let built = program.modified()?.duration_since(UNIX_EPOCH);
        let program = format!(
            "{} {:?} {kernels}",
            program.len(),
            built.unwrap_or_default()
        );
        let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..32].to_owned();
        Ok(Self {
            machine: hash(&machine.description()?.text()),
            build: hash(&program),
        })
    }

    /// The limits of this key; none if there are none, or they cannot be read.
    pub fn read(&self) -> Option<Vec<Limit>> {
        let text = fs::read_to_string(folder()?.join(&self.machine)).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        (kept.build == self.build).then_some(kept.limits)
    }

    /// Keeps limits in the place of those of other builds. Where that is not possible, they are measured
    /// again the next time.
    pub fn write(self, limits: Vec<Limit>) {
        let _ = self.try_write(limits);
    }

    fn try_write(self, limits: Vec<Limit>) -> Option<()> {
        let folder = folder()?;
        fs::create_dir_all(&folder).ok()?;
        // Under the final name only when it is complete.
        let mut file = tempfile::NamedTempFile::new_in(&folder).ok()?;
        let build = self.build;
        serde_json::to_writer(&mut file, &Kept { build, limits }).ok()?;
        file.persist(folder.join(self.machine)).ok()?;
        Some(())
    }
}

/// The folder of the user's caches.
fn folder() -> Option<PathBuf> {
    let absolute = |text| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
    let caches = XDG_CACHE_HOME.get().and_then(absolute);
    let of_home = || Some(HOME.get().and_then(absolute)?.join(".cache"));
    Some(caches.or_else(of_home)?.join("mocl3-limits"))
}
