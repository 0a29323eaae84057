//! `mocl3 opt`: runs one of the compiler's own passes on LLVM IR.

use anyhow::{Context, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use kernel_compiler::pass_runner::{self, PASSES};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Run one of the compiler's passes on a file of LLVM IR and print the result.
///
/// Facts that the pass found come first, as comments. The pass works on the function `k`, or on
/// the only kernel of the file. Comment lines of the file set what it may rely on, for example
/// `; local size: 16,1,1`; docs/testing.md lists them.
#[derive(Parser)]
#[command(name = "mocl3 opt", bin_name = "mocl3 opt", version)]
pub struct Arguments {
    /// LLVM IR in textual form; `-` is standard input.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The pass to run.
    #[arg(
        short,
        long,
        value_name = "NAME",
        required_unless_present = "list",
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(PASSES.iter().map(|pass| pass.name))
    )]
    pass: Option<String>,
    /// List the passes, in the order in which the compiler runs them.
    #[arg(long, exclusive = true)]
    list: bool,
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
