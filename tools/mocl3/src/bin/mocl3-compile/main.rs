//! `mocl3 compile` and `mocl3 opt`, a separate program: it links LLVM, and `mocl3 doctor` must
//! start without LLVM to report that it is missing. `mocl3` has parsed the arguments, and passes the
//! command as the program's name.

mod compile;
mod opt;
mod report;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use mocl3_shared::arguments;
use mocl3_shared::terminal::print_error;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("MOCL3_LOG", "warn")).init();
    let outcome = if std::env::args_os()
        .next()
        .is_some_and(|name| name == "mocl3-opt")
    {
        opt::run(&parse(opt::command()))
    } else {
        compile::run(&parse(compile_command()))
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed its pipe.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<compile::DoesNotCompile>() {
                print_error(&error);
            }
            ExitCode::FAILURE
        }
    }
}

fn compile_command() -> Command {
    let command = Command::new("mocl3 compile").bin_name("mocl3 compile");
    arguments::compile::Arguments::augment_args(command)
}

/// The arguments, or the end of the program with usage.
fn parse<A: FromArgMatches>(command: Command) -> A {
    let matches: ArgMatches = command.get_matches();
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
