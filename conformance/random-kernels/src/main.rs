//! Compares random kernels on an OpenCL platform with an interpreter of OpenCL C.

use clap::Parser;
use harness::command::exit_code;
use std::process::ExitCode;

/// Compares random kernels on an OpenCL platform with an interpreter of OpenCL C.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: random_kernels::command_line::Task,
}

fn main() -> ExitCode {
    exit_code(Arguments::parse().task.run())
}
