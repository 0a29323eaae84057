//! The files in which debuggers find sources: those that the host program has read, where they are
//! found by their text, or else copies.

use crate::unit::Header;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A name that the front end uses, and the path that debug information has in its place.
pub struct Renamed {
    /// The front end's name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// Folders below those that are searched, that are searched as well.
const DEPTH: usize = 3;

/// Most files and folders that one search looks at.
const MOST_ENTRIES: usize = 10_000;

/// Bytes of the hash in the name of a copy's folder.
const HASH_BYTES: usize = 4;

/// Has a file for the source of a program and for each header that was given with it; copies are
/// written to `folder`. A file that cannot be written is reported, and missing from the result.
pub fn publish(
    folder: &Path,
    name: &str,
    source: &str,
    include_folders: &[&str],
    headers: &[Header],
) -> Vec<Renamed> {
    let mut renamed = Vec::new();
    let mut publish = |name: &str, path: io::Result<PathBuf>| match path {
        Ok(path) => renamed.push(Renamed {
            name: name.to_owned(),
            path,
        }),
        Err(error) => log::warn!("debuggers do not find the source {name}: {error}"),
    };
    let path = match original(source, include_folders) {
        Some(path) => Ok(path),
        None => copy(folder, name, source),
    };
    publish(name, path);
    for Header { name, source } in headers {
        publish(name, copy(folder, name, source));
    }
    renamed
}

/// The file with that text near the program: in the working directory, in the folder of the
/// executable, or in a folder of `-I`.
fn original(source: &str, folders: &[&str]) -> Option<PathBuf> {
    let executable = std::env::current_exe().ok();
    let places = [std::env::current_dir().ok()]
        .into_iter()
        .chain([executable.and_then(|path| path.parent().map(Path::to_owned))])
        .flatten()
        .chain(folders.iter().map(PathBuf::from));
    let mut left = MOST_ENTRIES;
    for place in places {
        if let Some(found) = find(&place, source, DEPTH, &mut left) {
            return found.canonicalize().ok();
        }
    }
    None
}

/// The first file with that text in a folder and those below it. Files come before folders, in the
/// order of their names.
fn find(folder: &Path, source: &str, depth: usize, left: &mut usize) -> Option<PathBuf> {
    let mut folders = Vec::new();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        *left = left.checked_sub(1)?;
        let Ok(kind) = entry.metadata() else { continue };
        if kind.is_file() && kind.len() == source.len() as u64 {
            files.push(entry.path());
        } else if kind.is_dir()
            && depth > 0
            && !entry.file_name().as_encoded_bytes().starts_with(b".")
        {
            folders.push(entry.path());
        }
    }
    files.sort();
    folders.sort();
    let has_text = |path: &PathBuf| fs::read(path).is_ok_and(|text| text == source.as_bytes());
    files.into_iter().find(has_text).or_else(|| {
        let mut folders = folders.into_iter();
        folders.find_map(|folder| find(&folder, source, depth - 1, left))
    })
}

/// A copy of a source, in a folder below `folder` that its text determines.
fn copy(folder: &Path, name: &str, source: &str) -> io::Result<PathBuf> {
    let hash = blake3::hash(source.as_bytes()).to_hex();
    let name = Path::new(name)
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?;
    let path = folder.join(&hash[..2 * HASH_BYTES]).join(name);
    if !path.exists() {
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        // Another process may write the same one.
        let part = path.with_extension(std::process::id().to_string());
        fs::write(&part, source)?;
        fs::rename(&part, &path)?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_found_by_its_text_as_deep_as_is_searched() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("a/b/c/d")).unwrap();
        fs::write(at("other.cl"), "kernel void j(void) {}").unwrap();
        let source = "kernel void k(void) {}";
        let found = |depth| find(folder.path(), source, depth, &mut 100);
        fs::write(at("a/b/c/d/deep.cl"), source).unwrap();
        assert_eq!(found(3), None);
        assert_eq!(found(4), Some(at("a/b/c/d/deep.cl")));
        fs::write(at("a/near.cl"), source).unwrap();
        assert_eq!(found(3), Some(at("a/near.cl")));
        assert_eq!(find(folder.path(), source, 3, &mut 2), None);
    }
}
