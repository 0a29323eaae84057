//! Passes mutated input to the platform, which must not crash, hang or panic.

use clap::Parser;
use harness::command::exit_code;
use std::process::ExitCode;

/// Passes mutated input to the platform, which must not crash, hang or panic.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: crash_fuzz::command_line::Task,
}

fn main() -> ExitCode {
    exit_code(Arguments::parse().task.run())
}
