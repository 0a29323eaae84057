//! `mocl3`: the platform's command-line tools.

mod check;
mod cycles;
mod debug;
mod doctor;
mod labels;
mod profile;
mod record_run;
mod report;
mod stat;
#[cfg(test)]
#[path = "../tests/synthetic/mod.rs"]
mod synthetic;
mod trace;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{self, ExitCode};

/// Tools for OpenCL on the simulated Matrix-3000.
#[derive(Parser)]
#[command(name = "mocl3", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find out why OpenCL programs do not see the devices, and what to do.
    ///
    /// Looks at the loader, the `.icd` files, the library, the devices, and runs a kernel.
    /// Exits with 1 if something keeps programs from using MOCL3.
    Doctor(doctor::Arguments),
    /// Run an OpenCL program and say where its simulated time went.
    ///
    /// Any program, unmodified, that finds MOCL3. Exits with the program's exit code.
    Stat(stat::Arguments),
    /// Run an OpenCL program and write a timeline for Perfetto or Chrome.
    Trace(trace::Arguments),
    /// Run an OpenCL program and write a page with timeline, roofline and shares.
    Report(report::Arguments),
    /// Run an OpenCL program and report errors of its kernels.
    ///
    /// Accesses out of bounds, through null pointers, misaligned, or not allowed by a buffer's
    /// flags. Exits with 1 if there are findings and the program itself exits with 0.
    Check(check::Arguments),
    /// Run an OpenCL program under gdb, with breakpoints and variables in its kernels.
    Debug(debug::Arguments),
    /// Compile an OpenCL C file and show what became of it.
    #[command(disable_help_flag = true)]
    Compile {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<OsString>,
    },
    /// Run one of the compiler's passes on a file of LLVM IR.
    #[command(disable_help_flag = true)]
    Opt {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<OsString>,
    },
}

/// The program in the same folder that links LLVM.
const COMPILER: &str = "mocl3-compile";

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Stat(arguments) => stat::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Compile { arguments } => Err(become_compiler("mocl3-compile", &arguments)),
        Command::Opt { arguments } => Err(become_compiler("mocl3-opt", &arguments)),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        match error.downcast_ref::<record_run::NothingRecorded>() {
            Some(nothing) => ExitCode::from(nothing.exit_code),
            None => ExitCode::FAILURE,
        }
    })
}

/// Replaces this process by the compiler, whose program name is the command; returns only if that
/// fails.
fn become_compiler(command: &str, arguments: &[OsString]) -> anyhow::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program.with_file_name(COMPILER),
        Err(error) => return error.into(),
    };
    let mut compiler = process::Command::new(&program);
    let error = compiler.arg0(command).args(arguments).exec();
    anyhow::Error::new(error).context(format!("cannot run {}", program.display()))
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    /// clap checks its definitions only in builds with debug assertions.
    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
