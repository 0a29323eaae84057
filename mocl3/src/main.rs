//! `mocl3`: the command for people who write kernels. It needs no host program.

mod compile;
mod report;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Tools for OpenCL C on the simulated Matrix-3000.
#[derive(Parser)]
#[command(name = "mocl3", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile an OpenCL C file and show what became of it.
    ///
    /// Prints diagnostics, then each kernel with its arguments and what it uses. Exits
    /// with 1 if the file does not compile.
    Compile(compile::Arguments),
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("MOCL3_LOG", "warn")).init();
    let result = match Arguments::parse().command {
        Command::Compile(arguments) => compile::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<compile::DoesNotCompile>() {
                eprintln!("error: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
