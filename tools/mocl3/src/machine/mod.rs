//! `mocl3 machine`: shows, compares, checks and creates descriptions of machines.

mod check;
mod difference;
mod limits;
mod list;
mod new;
mod print;
mod sources;

use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 machine list
  mocl3 machine diff mt3000 fast-memory
  mocl3 machine new mine.toml --set memory.ddr.bandwidth=85.2GB/s
  mocl3 stat --machine mine.toml -- ./program";

/// Arguments of `mocl3 machine`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// List the machines that ship with the platform.
    List(list::Arguments),
    /// Print all numbers of a machine, with sources, as a machine file.
    Print(print::Arguments),
    /// Check a machine file, and count its numbers by source.
    Check(check::Arguments),
    /// Show in which numbers two machines differ. Exits with 1 if they do.
    Diff(difference::Arguments),
    /// Measure what a machine's parts perform at most, by micro-benchmarks; limits that are known are
    /// not measured again.
    Limits(limits::Arguments),
    /// Write a machine file that holds what differs from another machine.
    New(new::Arguments),
}

/// Runs the command.
///
/// # Errors
/// A machine is unknown or its description invalid, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.task {
        Task::List(arguments) => list::run(arguments),
        Task::Print(arguments) => print::run(arguments),
        Task::Check(arguments) => check::run(arguments),
        Task::Diff(arguments) => difference::run(arguments),
        Task::Limits(arguments) => limits::run(arguments),
        Task::New(arguments) => new::run(arguments),
    }
}
