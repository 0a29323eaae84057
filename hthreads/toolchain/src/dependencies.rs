//! Rules for make that say which files a source includes, by GCC's options from `-M` to `-MQ`.

use anyhow::{Context, Result};
use device_linker::Words;
use kernel_compiler::device_c::IMPLICIT_HEADER;
use std::path::{Path, PathBuf};

/// What a command line requests. Headers of the toolchain are left out, which the machine's makes system headers.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// Whether to write them.
    is_wanted: bool,
    /// Whether to do nothing else.
    pub is_all: bool,
    file: Option<PathBuf>,
    targets: Vec<String>,
    phony_targets: bool,
}

impl Dependencies {
    /// Takes an option if it is one of dependencies.
    ///
    /// # Errors
    /// Its argument is missing.
    pub fn take<'a>(&mut self, word: &'a str, words: &mut Words<'a>) -> Result<bool> {
        match word {
            "-MD" | "-MMD" => self.is_wanted = true,
            "-M" | "-MM" => self.is_all = true,
            "-MP" => self.phony_targets = true,
            "-MF" | "-MT" | "-MQ" => {
                let value = words.next();
                let value = value.with_context(|| format!("missing argument to '{word}'"))?;
                match word {
                    "-MF" => self.file = Some(value.into()),
                    _ => self.targets.push(value.to_owned()),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The file that gets the rules of a source, if there is one besides the output. `object` is what is made of it.
    pub fn file(&self, object: &Path) -> Option<PathBuf> {
        let file = || object.with_extension("d");
        (self.is_wanted && !self.is_all).then(|| self.file.clone().unwrap_or_else(file))
    }

    /// The file that `-MF` names, if nothing but the rules is written.
    pub fn file_of_all(&self) -> Option<&Path> {
        self.file.as_deref().filter(|_| self.is_all)
    }

    /// The arguments of clang that write the rules for an object to a file.
    pub fn arguments(&self, file: &Path, object: &Path) -> Vec<String> {
        let mut arguments = vec!["-dependency-file".to_owned(), file.display().to_string()];
        let targets = match self.targets.is_empty() {
            true => vec![object.display().to_string()],
            false => self.targets.clone(),
        };
        for target in targets {
            arguments.extend(["-MT".to_owned(), target]);
        }
        if self.phony_targets {
            arguments.push("-MP".to_owned());
        }
        arguments
    }
}

/// Leaves out of rules the header that is included before each source, which is no file.
///
/// # Errors
/// The file cannot be read or written.
pub fn without_own_header(file: &Path) -> Result<String> {
    let read = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let rule = format!("\n{IMPLICIT_HEADER}:\n");
    let text = read.replace(&rule, "\n");
    Ok(text.replace(&format!(" {IMPLICIT_HEADER}"), ""))
}
