//! Compares programs of the generator csmith on the platform with the host's compiler.

use clap::{Parser, Subcommand};
use harness::command::exit_code;
use std::process::ExitCode;

/// Compares programs of the generator csmith on the platform with the host's compiler.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    #[command(flatten)]
    Csmith(csmith::command_line::Task),
    /// The worker processes are those of the random kernels.
    #[command(flatten)]
    Worker(random_kernels::command_line::Task),
}

fn main() -> ExitCode {
    exit_code(match Arguments::parse().task {
        Task::Csmith(task) => task.run(),
        Task::Worker(task) => task.run(),
    })
}
