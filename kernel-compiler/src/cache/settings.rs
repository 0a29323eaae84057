//! The environment variables of the cache.

use crate::byte_size;
use environment::{CACHE, CACHE_DIR, CACHE_SIZE, HOME, XDG_CACHE_HOME};
use std::ffi::OsString;
use std::path::PathBuf;

/// Entries of common kernels have 5 to 50 KB.
const DEFAULT_SIZE: u64 = 512 << 20;

/// Where the cache is and how large it may become.
#[derive(Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folder.
    pub path: PathBuf,
    /// `MOCL3_CACHE_DIR` names it.
    pub named: bool,
    /// Most bytes it may hold.
    pub bytes: u64,
}

/// What the environment says; none if there is to be no cache, or it has no place.
pub fn read() -> Option<Settings> {
    match CACHE.get() {
        Some(switch) if switch == "0" => return None,
        Some(switch) if switch != "1" => {
            log::warn!("{CACHE}={switch:?} is neither 0 nor 1; using the compile cache");
        }
        _ => {}
    }
    let bytes = match CACHE_SIZE.get() {
        None => DEFAULT_SIZE,
        Some(text) => byte_size::bytes(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!(
                "{CACHE_SIZE}={text:?} is no number of bytes, K, M or G; using {DEFAULT_SIZE} bytes"
            );
            DEFAULT_SIZE
        }),
    };
    let named = CACHE_DIR.get();
    let path = match &named {
        Some(path) => PathBuf::from(path),
        None => default_folder(XDG_CACHE_HOME.get(), HOME.get()).or_else(|| {
            log::info!("no compile cache: HOME is not set");
            None
        })?,
    };
    Some(Settings {
        path,
        named: named.is_some(),
        bytes,
    })
}

/// By the XDG Base Directory Specification: relative paths do not count.
fn default_folder(cache_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let caches = cache_home
        .and_then(absolute)
        .or_else(|| Some(home.and_then(absolute)?.join(".cache")))?;
    Some(caches.join("mocl3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_where_the_user_keeps_caches() {
        let folder = |cache_home: &str, home: &str| {
            let set = |text: &str| Some(OsString::from(text)).filter(|text| !text.is_empty());
            default_folder(set(cache_home), set(home)).map(|path| path.display().to_string())
        };
        assert_eq!(folder("/c", "/home/u").unwrap(), "/c/mocl3");
        assert_eq!(folder("", "/home/u").unwrap(), "/home/u/.cache/mocl3");
        assert_eq!(folder("here", "/home/u").unwrap(), "/home/u/.cache/mocl3");
        assert_eq!(folder("", ""), None);
        assert_eq!(folder("", "relative"), None);
    }
}
