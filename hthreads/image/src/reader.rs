//! Reads images.

use crate::{BITCODE_SECTION, DeviceImage, RESERVED, RUNTIME, VERSION, VERSION_SECTION, hex};
use std::iter::Peekable;

/// Why a file is no image; the texts of the first three are those of the machine's own loader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The function table is incomplete.
    #[error("function table error")]
    FunctionTable,
    /// A reservation that the loader needs is missing.
    #[error("r_section error")]
    ReservedSections,
    /// A line is not of the format.
    #[error("dat format error")]
    Format,
    /// The image is of another version of the format.
    #[error("dat format error: version {0}, not {VERSION}; build the image again")]
    Version(u32),
    /// There is no program that this platform can execute, for example in an image for the machine
    /// itself.
    #[error("dat format error: no section {BITCODE_SECTION}; build the image with this m3cc")]
    NoProgram,
}

/// Reads an image.
///
/// # Errors
/// The text is not of the format.
pub fn read(text: &str) -> Result<DeviceImage, FormatError> {
    // Each line ends: the last one of a file that was cut may be incomplete.
    if !text.ends_with('\n') {
        return Err(FormatError::Format);
    }
    let mut lines = text.lines().peekable();
    reservations(&mut lines)?;
    let functions = functions(&mut lines).ok_or(FormatError::FunctionTable)?;
    let sections = sections(&mut lines).ok_or(FormatError::Format)?;
    let header = sections.iter().find(|(name, _)| name == VERSION_SECTION);
    let (version, count) = header
        .and_then(|(_, bytes)| bytes.split_first_chunk())
        .ok_or(FormatError::NoProgram)?;
    match u32::from_le_bytes(*version) {
        VERSION => {}
        other => return Err(FormatError::Version(other)),
    }
    let count = <[u8; 4]>::try_from(count).map_err(|_| FormatError::Format)?;
    let modules = sections.iter().filter(|(name, _)| name == BITCODE_SECTION);
    let modules: Vec<Vec<u8>> = modules.map(|(_, bytes)| bytes.clone()).collect();
    if modules.is_empty() {
        return Err(FormatError::NoProgram);
    }
    match modules.len() == u32::from_le_bytes(count) as usize {
        true => Ok(DeviceImage { functions, modules }),
        false => Err(FormatError::Format),
    }
}

fn reservations<'t>(
    lines: &mut Peekable<impl Iterator<Item = &'t str>>,
) -> Result<(), FormatError> {
    let mut names = Vec::new();
    while let Some(line) = lines.next_if(|line| line.starts_with('#')) {
        names.extend(line[1..].split_whitespace().next());
    }
    let has = |name: &str| names.contains(&name);
    match RESERVED.iter().all(|(name, ..)| has(name)) {
        true => Ok(()),
        false => Err(FormatError::ReservedSections),
    }
}

/// The functions of the program; `None` if the table is incomplete.
fn functions<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Option<Vec<String>> {
    let count: usize = lines.next()?.strip_prefix('$')?.trim().parse().ok()?;
    let mut names = Vec::new();
    for _ in 0..count {
        let mut words = lines.next()?.split_whitespace();
        let name = words.next()?;
        words.next()?.strip_prefix("-0x")?;
        names.push(name.to_owned());
    }
    let has = |name: &str| names.iter().any(|known| known == name);
    if !RUNTIME.iter().all(|name| has(name)) {
        return None;
    }
    names.retain(|name| !RUNTIME.contains(&name.as_str()));
    Some(names)
}

/// The names and contents of the sections.
fn sections<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Option<Vec<(String, Vec<u8>)>> {
    let mut sections = Vec::new();
    while let Some(line) = lines.next() {
        let mut words = line.strip_prefix('@')?.split_whitespace();
        words.next()?;
        let size = words.next()?.strip_prefix("0x")?;
        let size = usize::from_str_radix(size, 16).ok()?;
        let name = words.next()?.strip_prefix('<')?.strip_suffix('>')?;
        sections.push((name.to_owned(), hex::read(size, lines)?));
    }
    Some(sections)
}
