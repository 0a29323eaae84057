//! Standard output.

use anyhow::{Context, Result};
use std::io::{self, ErrorKind, Write};

/// Prints a text. A reader that reads no further, as `head`, is no error.
///
/// # Errors
/// The text cannot be written.
pub fn print(text: &str) -> Result<()> {
    let mut output = io::stdout();
    let printed = output.write_all(text.as_bytes());
    match printed.and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context("standard output"),
    }
}
