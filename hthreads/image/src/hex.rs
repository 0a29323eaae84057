//! Contents of sections: lines of five bytes, the last one first, the last line filled with zeros.

use std::fmt::Write;

const BYTES: usize = 5;

/// Appends the lines of `bytes`.
pub fn write(bytes: &[u8], text: &mut String) {
    for part in bytes.chunks(BYTES) {
        let mut line = [0; BYTES];
        line[..part.len()].copy_from_slice(part);
        for byte in line.iter().rev() {
            // A String accepts all text.
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
}

/// Reads `size` bytes from lines. `None` if they are too few, or not of that form.
pub fn read<'t>(size: usize, lines: &mut impl Iterator<Item = &'t str>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let line = lines.next()?;
        if line.len() != 2 * BYTES || !line.is_ascii() {
            return None;
        }
        for byte in (0..BYTES).rev() {
            bytes.push(u8::from_str_radix(&line[2 * byte..2 * byte + 2], 16).ok()?);
        }
    }
    bytes.truncate(size);
    Some(bytes)
}
