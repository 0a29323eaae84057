//! The compile cache: what was compiled once, by this process or another, is read from
//! disk. It holds the front end's output, linked programs and native code.
//!
//! A key is a hash of everything that the result depends on, so that an entry never has
//! to be made invalid: what is not asked for any more is the first to go. Whatever is
//! wrong with the cache, the program does not notice but by the time it takes.

mod entry;
mod folder;
pub mod in_process;
pub mod observed_files;
mod settings;
mod toolchain_id;

use crate::inspect::dump;
use folder::Folder;
use once_cell::sync::Lazy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
pub use toolchain_id::Build;

/// Somebody in this process watches the compiler.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on, this process compiles everything itself and keeps nothing: for tools that
/// show the compiler at work.
pub fn bypass() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Whether somebody wants to see everything compiled.
pub fn is_bypassed() -> bool {
    dump::is_on() || WATCHED.load(Ordering::Relaxed)
}

/// Name of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of what `kind` of thing is made of `parts`, by whom `maker` says.
    fn new(maker: &[u8], kind: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in [maker, kind.as_bytes()].iter().chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// The cache of this process.
pub struct Cache {
    folder: Folder,
    maker: [u8; 32],
}

impl Cache {
    /// The cache, as the environment says; none if it is turned off or cannot be used, or
    /// if somebody wants to see the compiler at work.
    pub fn get() -> Option<&'static Self> {
        static CACHE: Lazy<Option<Cache>> = Lazy::new(Cache::open);
        if is_bypassed() {
            return None;
        }
        CACHE.as_ref()
    }

    fn open() -> Option<Self> {
        let settings = settings::read()?;
        let folder = Folder::open(&settings.path, settings.bytes).inspect_err(|reason| {
            // Who names a folder wants it used; a home that cannot be written to is
            // nothing unusual.
            let level = if settings.named {
                log::Level::Warn
            } else {
                log::Level::Info
            };
            log::log!(level, "no compile cache: {reason}");
        });
        Some(Self {
            folder: folder.ok()?,
            maker: toolchain_id::toolchain_hash()?,
        })
    }

    /// The key of what `kind` of thing is made of `parts` by this build of the compiler
    /// on this CPU.
    pub fn key(&self, kind: &str, parts: &[&[u8]]) -> Key {
        Key::new(&self.maker, kind, parts)
    }

    /// The entry of a key; none if there is none, or it is damaged.
    pub fn load<T: DeserializeOwned>(&self, kind: &str, key: &Key) -> Option<T> {
        let loaded = self
            .folder
            .read(key)
            .and_then(|entry| postcard::from_bytes(entry.payload()).ok());
        let outcome = if loaded.is_some() { "has" } else { "lacks" };
        log::debug!("compile cache: {outcome} {kind} {key}");
        loaded
    }

    /// Keeps an entry. If that fails, there is none.
    pub fn store<T: Serialize>(&self, kind: &str, key: &Key, value: &T) {
        let written = postcard::to_stdvec(value)
            .map_err(std::io::Error::other)
            .and_then(|payload| self.folder.write(key, &payload));
        match written {
            Ok(()) => log::debug!("compile cache: keeps {kind} {key}"),
            Err(error) => log::info!("compile cache: cannot keep {kind} {key}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_parts_and_their_borders_apart() {
        let keys = [
            Key::new(b"m", "k", &[b"ab", b"c"]),
            Key::new(b"m", "k", &[b"a", b"bc"]),
            Key::new(b"m", "k", &[b"abc"]),
            Key::new(b"m", "k", &[b"abc", b""]),
            Key::new(b"mk", "", &[b"abc"]),
            Key::new(b"n", "k", &[b"abc"]),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{index}");
        }
        assert!(keys[0] == Key::new(b"m", "k", &[b"ab", b"c"]));
    }
}
