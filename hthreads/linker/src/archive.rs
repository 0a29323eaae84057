//! Archives of object files, in the format that `ar` has everywhere.

use anyhow::{Context, Result};
use ar::{Archive, GnuBuilder, Header};
use std::fs::File;
use std::path::Path;

/// A member: its name and contents.
pub type Member = (String, Vec<u8>);

/// The contents of an archive without members.
const EMPTY: &[u8] = b"!<arch>\n";

/// The members of an archive.
///
/// # Errors
/// The file cannot be read, or is no archive.
pub fn read(path: &Path) -> Result<Vec<Member>> {
    let context = || path.display().to_string();
    let mut archive = Archive::new(File::open(path).with_context(context)?);
    let mut members = Vec::new();
    while let Some(entry) = archive.next_entry() {
        let mut entry = entry.with_context(context)?;
        let name = String::from_utf8_lossy(entry.header().identifier()).into_owned();
        let mut contents = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut contents).with_context(context)?;
        members.push((name, contents));
    }
    Ok(members)
}

/// Writes an archive. The same members give the same file.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, members: &[Member]) -> Result<()> {
    let context = || path.display().to_string();
    if members.is_empty() {
        // The builder begins the file with the first member.
        return std::fs::write(path, EMPTY).with_context(context);
    }
    let names = members.iter().map(|(name, _)| name.clone().into_bytes());
    let file = File::create(path).with_context(context)?;
    let mut builder = GnuBuilder::new(file, names.collect());
    for (name, contents) in members {
        let mut header = Header::new(name.clone().into_bytes(), contents.len() as u64);
        header.set_mode(0o644);
        builder
            .append(&header, contents.as_slice())
            .with_context(context)?;
    }
    Ok(())
}
