//! Runs random sequences of API calls on an OpenCL platform and judges the results.

use clap::Parser;
use harness::command::exit_code;
use std::process::ExitCode;

/// Runs random sequences of API calls on an OpenCL platform and judges the results.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: api_fuzz::command_line::Task,
}

fn main() -> ExitCode {
    exit_code(Arguments::parse().task.run())
}
