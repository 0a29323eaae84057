//! The assembler.

use crate::modules;
use anyhow::{Context, Result, bail};
use device_linker::Words;
use kernel_compiler::device_c::{self, assembly};
use std::path::{Path, PathBuf};

/// Options without a meaning here.
const NO_EFFECT: &[&str] = &["-g", "--gdwarf-2", "-W", "--no-warn", "--warn"];

/// `as [-o OBJECT] FILE`.
///
/// # Errors
/// The command line is wrong, or the file cannot be read or has errors.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut output = PathBuf::from("a.out");
    let mut sources = Vec::new();
    let mut words = Words::new(arguments);
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            sources.push(word);
        } else if let Some(file) = words.value(word, "-o")? {
            output = file.into();
        } else if !NO_EFFECT.contains(&word) {
            bail!("unrecognized option '{word}'");
        }
    }
    let [source] = sources[..] else {
        bail!("usage: MT-3000-as [-o OBJECT] FILE");
    };
    std::fs::write(&output, object(source)?).with_context(|| output.display().to_string())
}

/// The object file of a source in assembly: the machine's, or that of LLVM, which the compiler writes.
///
/// # Errors
/// The file cannot be read, or has errors.
pub fn object(source: &str) -> Result<Vec<u8>> {
    let bytes = std::fs::read(source).with_context(|| source.to_owned())?;
    let text = String::from_utf8_lossy(&bytes);
    let is_of_llvm = Path::new(source).extension().is_some_and(|one| one == "ll");
    modules::object_file(match is_of_llvm || device_c::is_marked(&text) {
        true => device_c::from_text(source, &text)?,
        false => assembly::compile(source, &text)?,
    })
}
