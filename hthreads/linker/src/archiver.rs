//! The archiver: adds, lists and extracts members.

use crate::archive::{self, Member};
use crate::output;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// `ar [-]OPERATION ARCHIVE [FILE...]`.
///
/// # Errors
/// The operation is not known, or a file cannot be read or written.
pub fn run(arguments: &[String]) -> Result<()> {
    let [operation, archive, files @ ..] = arguments else {
        bail!("usage: MT-3000-ar {{r|q|t|x}}[cfsuv] ARCHIVE [FILE...]");
    };
    let archive = Path::new(archive);
    let letters = operation.trim_start_matches('-');
    let known = |letter: char| "rqtxcsuvDU".contains(letter);
    if let Some(other) = letters.chars().find(|letter| !known(*letter)) {
        bail!("invalid option -- '{other}'");
    }
    let operations: Vec<char> = letters.chars().filter(|c| "rqtx".contains(*c)).collect();
    match operations.as_slice() {
        ['r' | 'q'] => add(archive, files, letters.contains('c')),
        ['t'] => {
            let names = archive::read(archive)?.into_iter();
            output::print(&names.map(|(name, _)| name + "\n").collect::<String>())
        }
        ['x'] => extract(archive, files),
        _ => bail!("one of r, q, t and x must be given"),
    }
}

fn add(archive: &Path, files: &[String], is_silent: bool) -> Result<()> {
    let mut members: Vec<Member> = if archive.exists() {
        archive::read(archive)?
    } else {
        if !is_silent {
            eprintln!("MT-3000-ar: creating {}", archive.display());
        }
        Vec::new()
    };
    for file in files {
        let contents = std::fs::read(file).with_context(|| file.clone())?;
        let name = Path::new(file).file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some(member) => member.1 = contents,
            None => members.push((name, contents)),
        }
    }
    archive::write(archive, &members)
}

fn extract(archive: &Path, files: &[String]) -> Result<()> {
    for (name, contents) in archive::read(archive)? {
        if files.is_empty() || files.contains(&name) {
            let name = Path::new(&name)
                .file_name()
                .context("a member has a name")?;
            std::fs::write(name, contents).with_context(|| name.display().to_string())?;
        }
    }
    Ok(())
}
