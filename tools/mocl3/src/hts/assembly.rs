//! `mocl3 hts asm` and `mocl3 hts dis`.

use super::source::Source;
use crate::json_option::show;
use crate::record_run::write_file;
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;

/// Examples at the end of the help of `asm`.
pub const ASM_EXAMPLES: &str = "\
Examples:
  mocl3 hts asm tasks.asm -o tasks.hex
  mocl3 hts asm --machine my-machine.toml - < tasks.asm";

/// Examples at the end of the help of `dis`.
pub const DIS_EXAMPLES: &str = "\
Examples:
  mocl3 hts dis tasks.hex
  mocl3 hts asm tasks.asm | mocl3 hts dis -";

/// Arguments of `mocl3 hts asm` and `mocl3 hts dis`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the words of a program.
///
/// # Errors
/// The source is wrong, or a file cannot be read or written.
pub fn assemble(arguments: &Arguments) -> Result<()> {
    let source = &arguments.source;
    let functions = source.functions()?;
    let program =
        task_isa::assemble(&source.read()?, &functions).map_err(|error| source.error(&error))?;
    arguments.write(&task_isa::write_words(&program.instructions))
}

/// Writes the source of a file of words.
///
/// # Errors
/// There is something else than words in the file, or a file cannot be read or written.
pub fn disassemble(arguments: &Arguments) -> Result<()> {
    let source = &arguments.source;
    let functions = source.functions()?;
    let instructions =
        task_isa::read_words(&source.read()?).map_err(|error| source.error(&error))?;
    arguments.write(&task_isa::disassemble(&instructions, &functions))
}

impl Arguments {
    fn write(&self, text: &str) -> Result<()> {
        match &self.output {
            Some(path) => write_file(path, |file| file.write_all(text.as_bytes())),
            None => show(text),
        }
    }
}
