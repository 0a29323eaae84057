//! `mocl3 opt`: runs one of the compiler's own passes on LLVM IR.

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use kernel_compiler::pass_runner::{self, PASSES};
use mocl3_shared::arguments::opt::Arguments;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// The command, whose passes are those of the compiler.
pub fn command() -> Command {
    let passes = PossibleValuesParser::new(PASSES.iter().map(|pass| pass.name));
    let command = Command::new("mocl3 opt").bin_name("mocl3 opt");
    Arguments::augment_args(command).mut_arg("pass", |pass| pass.value_parser(passes))
}

/// Runs a pass, or lists all.
pub fn run(arguments: &Arguments) -> Result<()> {
    let text = match (&arguments.pass, &arguments.file) {
        (Some(pass), Some(file)) => {
            let name = file.display();
            let text = read(file).with_context(|| format!("cannot read {name}"))?;
            pass_runner::run(pass, &text).with_context(|| format!("{name}: pass `{pass}`"))?
        }
        _ => list(),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn list() -> String {
    let width = PASSES.iter().map(|pass| pass.name.len()).max();
    let width = width.unwrap_or_default();
    PASSES
        .iter()
        .map(|pass| format!("{:width$}  {}\n", pass.name, pass.summary))
        .collect()
}

fn read(file: &Path) -> io::Result<String> {
    if file != Path::new("-") {
        return fs::read_to_string(file);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
