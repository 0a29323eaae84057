//! `mocl3 compile`, a program of its own: it links LLVM, and `mocl3` must start where LLVM
//! is missing, to say so.

mod compile;
mod report;

use clap::Parser;
use std::io;
use std::process::ExitCode;

/// Compile an OpenCL C file and show what became of it.
///
/// Prints diagnostics, then each kernel with its arguments and what it uses. Exits
/// with 1 if the file does not compile.
#[derive(Parser)]
#[command(name = "mocl3 compile", version)]
struct Arguments {
    #[command(flatten)]
    compile: compile::Arguments,
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("MOCL3_LOG", "warn")).init();
    match compile::run(&Arguments::parse().compile) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
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
