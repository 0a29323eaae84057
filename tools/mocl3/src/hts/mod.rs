//! `mocl3 hts`: programs of the hardware task scheduler.

mod assembly;
mod recorded;
mod run;
mod scheduler;
mod source;
mod text;

use anyhow::Result;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 hts run tasks.asm
  mocl3 hts trace tasks.asm -o trace.json
  mocl3 hts asm tasks.asm -o tasks.hex
  mocl3 hts dis tasks.hex";

/// Arguments of `mocl3 hts`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Assemble a program and write its words, one of 32 hexadecimal digits a line.
    #[command(after_help = assembly::ASM_EXAMPLES)]
    Asm(assembly::Arguments),
    /// Print the source of a file of words.
    #[command(after_help = assembly::DIS_EXAMPLES)]
    Dis(assembly::Arguments),
    /// Simulate a program and print its cycles, and the use of each accelerator.
    #[command(after_help = run::RUN_EXAMPLES)]
    Run(run::RunArguments),
    /// Simulate a program and write a timeline of its tasks for Perfetto or Chrome.
    #[command(after_help = run::TRACE_EXAMPLES)]
    Trace(run::TraceArguments),
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or written, or is wrong.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Asm(arguments) => assembly::assemble(arguments)?,
        Command::Dis(arguments) => assembly::disassemble(arguments)?,
        Command::Run(arguments) => run::run(arguments)?,
        Command::Trace(arguments) => run::trace(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
