//! The cache of this process: the folder that the environment names, and the toolchain's hash.

use super::bypass::is_bypassed;
use super::folder::Folder;
use super::key::{CacheInput, Key};
use super::settings;
use super::toolchain_id::toolchain_hash;
use once_cell::sync::Lazy;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The cache of this process.
pub struct Cache {
    folder: Folder,
    toolchain: [u8; 32],
}

impl Cache {
    /// The cache, as the environment says; `None` if it is turned off, cannot be used, or is
    /// bypassed.
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
            // A user who names a folder wants it used; a home folder that cannot be written to is
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
            toolchain: toolchain_hash()?,
        })
    }

    /// The result that is cached for `input`, or the one that `make` makes, which is cached then
    /// if `keeps` accepts it.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get_or_make<T, R, E>(
        &self,
        input: &T,
        keeps: impl FnOnce(&R) -> bool,
        make: impl FnOnce() -> Result<R, E>,
    ) -> Result<R, E>
    where
        T: CacheInput,
        R: Serialize + DeserializeOwned,
    {
        if let Some(result) = self.load(input) {
            return Ok(result);
        }
        let result = make()?;
        if keeps(&result) {
            self.store(input, &result);
        }
        Ok(result)
    }

    /// The result that is cached for `input`; `None` if there is none, or it is damaged.
    pub fn load<T: CacheInput, R: DeserializeOwned>(&self, input: &T) -> Option<R> {
        let key = Key::new(&self.toolchain, input);
        let loaded = self
            .folder
            .read(&key)
            .and_then(|entry| postcard::from_bytes(entry.payload()).ok());
        let outcome = if loaded.is_some() { "has" } else { "lacks" };
        log::debug!("compile cache: {outcome} {} {key}", T::KIND);
        loaded
    }

    /// Caches the result of `input`. A failure is logged: the result is compiled again then.
    pub fn store<T: CacheInput, R: Serialize>(&self, input: &T, result: &R) {
        let key = Key::new(&self.toolchain, input);
        let written = postcard::to_stdvec(result)
            .map_err(std::io::Error::other)
            .and_then(|payload| self.folder.write(&key, &payload));
        match written {
            Ok(()) => log::debug!("compile cache: keeps {} {key}", T::KIND),
            Err(error) => log::info!("compile cache: cannot keep {} {key}: {error}", T::KIND),
        }
    }
}
