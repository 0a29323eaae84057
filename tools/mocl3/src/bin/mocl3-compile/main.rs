//! `mocl3 compile` and `mocl3 opt`, a separate program: it links LLVM, and `mocl3 doctor` must
//! start without LLVM to report that it is missing. `mocl3` passes the command as the program's
//! name.

mod compile;
mod opt;
mod report;

use clap::Parser;
use std::io;
use std::process::ExitCode;

/// Compile an OpenCL C file and show what became of it.
///
/// Prints diagnostics, then each kernel with its arguments and what it uses. Exits
/// with 1 if the file does not compile.
#[derive(Parser)]
#[command(name = "mocl3 compile", bin_name = "mocl3 compile", version)]
struct Arguments {
    #[command(flatten)]
    compile: compile::Arguments,
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("MOCL3_LOG", "warn")).init();
    let outcome = if std::env::args_os()
        .next()
        .is_some_and(|name| name == "mocl3-opt")
    {
        opt::run(&opt::Arguments::parse())
    } else {
        compile::run(&Arguments::parse().compile)
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed its pipe.
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
