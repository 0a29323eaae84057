//! Stresses an OpenCL platform with threads and with scenarios that may deadlock.

use clap::Parser;
use harness::command::exit_code;
use std::process::ExitCode;

/// Stresses an OpenCL platform with threads and with scenarios that may deadlock.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: stress::command_line::Task,
}

fn main() -> ExitCode {
    exit_code(Arguments::parse().task.run())
}
