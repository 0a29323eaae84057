//! The assembler.

use anyhow::{Context, Result};
use kernel_compiler::device_c::assembly;

/// The object file of a source in assembly.
///
/// # Errors
/// The file cannot be read, or has errors.
pub fn object(source: &str) -> Result<Vec<u8>> {
    let bytes = std::fs::read(source).with_context(|| source.to_owned())?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(assembly::compile(source, &text)?)
}
