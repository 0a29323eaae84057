//! `mocl3`: the platform's command-line tools.

mod advise;
mod check;
mod comma_separated;
#[cfg(test)]
mod command_line_tests;
mod compare;
mod completions;
mod conformance;
mod cycles;
mod debug;
mod doctor;
mod filter;
mod hts;
mod json_option;
mod labels;
mod launch;
mod limits;
mod machine;
mod mpi;
mod open_cl;
mod predict;
mod profile;
mod progress;
mod rank_times;
mod record_run;
mod report;
mod stat;
mod sweep;
#[cfg(test)]
#[path = "../tests/synthetic/mod.rs"]
mod synthetic;
mod trace;

use anyhow::anyhow;
use clap::{CommandFactory, Parser, Subcommand};
use mocl3_shared::arguments::{self, HELP_WIDTH};
use mocl3_shared::terminal::print_error;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{self, ExitCode};

/// Examples at the end of the help.
const EXAMPLES: &str = "\
Examples:
  mocl3 doctor
  mocl3 stat -- ./program its arguments
  mocl3 help stat";

/// Tools for OpenCL on the simulated Matrix-3000.
#[derive(Parser)]
#[command(
    name = "mocl3",
    version,
    propagate_version = true,
    max_term_width = HELP_WIDTH,
    after_help = EXAMPLES
)]
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
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::Arguments),
    /// Run an OpenCL program and say where its simulated time went.
    ///
    /// Any program, unmodified, that finds MOCL3. Exits with the program's exit code.
    #[command(after_help = stat::EXAMPLES)]
    Stat(stat::Arguments),
    /// Launch a kernel of a file, without a host program.
    ///
    /// The other commands take it as a program: `mocl3 stat -- mocl3 launch kernel.cl --global 1024`.
    #[command(after_help = launch::EXAMPLES)]
    Launch(launch::Arguments),
    /// Run an OpenCL program and write a timeline for Perfetto or Chrome.
    #[command(after_help = trace::EXAMPLES)]
    Trace(trace::Arguments),
    /// Run an OpenCL program and write a page with timeline, roofline and shares.
    #[command(after_help = report::EXAMPLES)]
    Report(report::Arguments),
    /// Run an OpenCL program and say what would make its kernels faster, and by how much.
    ///
    /// Each estimate is computed: the recorded launches are simulated again with the change. Exits with
    /// the program's exit code.
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::Arguments),
    /// Compare two recordings: what changed, kernel by kernel, and why.
    ///
    /// Exits with 1 if a kernel takes more time by more than the threshold.
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Arguments),
    /// Run a program and report errors of its kernels.
    ///
    /// Accesses out of bounds, through null pointers, misaligned, or not allowed by a buffer's
    /// flags. Exits with 1 if there are findings and the program itself exits with 0.
    #[command(after_help = check::EXAMPLES)]
    Check(check::Arguments),
    /// Run a program under gdb, with breakpoints and variables in its kernels.
    #[command(after_help = debug::EXAMPLES)]
    Debug(debug::Arguments),
    /// Run an MPI and OpenCL program on many simulated nodes, with SimGrid.
    ///
    /// The program is compiled with SimGrid's smpicc or smpicxx. Prints the simulated time, and how
    /// much of it went into OpenCL and into MPI. Exits with the program's exit code.
    #[command(after_help = mpi::EXAMPLES)]
    Mpi(mpi::Arguments),
    /// List, print, check, compare and create machines: the numbers that simulated time depends on.
    #[command(after_help = machine::EXAMPLES)]
    Machine(machine::Arguments),
    /// Predict the time of an algorithm from a model, or of a program, without executing it.
    #[command(after_help = predict::EXAMPLES)]
    Predict(predict::Arguments),
    /// Run a program with many values of machine, build options, local sizes, environment and arguments.
    #[command(after_help = sweep::EXAMPLES)]
    Sweep(sweep::Arguments),
    /// Let Optuna choose the values with which a program runs.
    #[command(after_help = sweep::TUNE_EXAMPLES)]
    Tune(sweep::TuneArguments),
    /// Compile an OpenCL C file and show what became of it.
    ///
    /// Prints diagnostics, then each kernel with its arguments and what it uses. Exits with 1 if the
    /// file does not compile.
    #[command(after_help = arguments::compile::EXAMPLES)]
    Compile(arguments::compile::Arguments),
    /// Run one of the compiler's passes on a file of LLVM IR and print the result.
    ///
    /// Facts that the pass found come first, as comments. The pass works on the function `k`, or on
    /// the only kernel of the file. Comment lines of the file set what it may rely on, for example
    /// `; local size: 16,1,1`; docs/testing.md lists them.
    #[command(after_help = arguments::opt::EXAMPLES)]
    Opt(arguments::opt::Arguments),
    /// Programs of the hardware task scheduler.
    ///
    /// docs/task-scheduler.md describes instructions and machine.
    #[command(after_help = hts::EXAMPLES)]
    Hts(hts::Arguments),
    /// Run the conformance suite on this platform, or on another one.
    ///
    /// The options are those of the program `mocl3-conformance`; `mocl3 conformance --help` shows
    /// them.
    #[command(disable_help_flag = true, disable_version_flag = true, after_help = conformance::EXAMPLES)]
    Conformance(conformance::Arguments),
    /// Print the completions of these commands for a shell.
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::Arguments),
    /// Write manual pages and completions into a folder, as installing does.
    #[command(after_help = completions::MANUAL_EXAMPLES)]
    Manual {
        /// The folder; it gets the folders man, bash, zsh and fish.
        folder: PathBuf,
    },
}

/// The program in the same folder that links LLVM.
const COMPILER: &str = "mocl3-compile";

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Stat(arguments) => stat::run(&arguments),
        Command::Launch(arguments) => launch::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Advise(arguments) => advise::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Mpi(arguments) => mpi::run(&arguments),
        Command::Machine(arguments) => machine::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Tune(arguments) => sweep::run_tune(&arguments),
        Command::Compile(_) => Err(become_compiler("mocl3-compile")),
        Command::Opt(_) => Err(become_compiler("mocl3-opt")),
        Command::Hts(arguments) => hts::run(&arguments),
        Command::Conformance(arguments) => Err(conformance::run(&arguments)),
        Command::Completions(arguments) => completions::run(&arguments, &Arguments::command()),
        Command::Manual { folder } => completions::write_manual(&folder, &Arguments::command()),
    };
    outcome.unwrap_or_else(|error| {
        print_error(&error);
        match error.downcast_ref::<record_run::NothingRecorded>() {
            Some(nothing) => ExitCode::from(nothing.exit_code),
            None => ExitCode::FAILURE,
        }
    })
}

/// Replaces this process by the compiler, whose program name is the command, with the arguments
/// after the subcommand; returns only if that fails.
fn become_compiler(command: &str) -> anyhow::Error {
    let arguments = std::env::args_os().skip(2);
    let program = match std::env::current_exe() {
        Ok(program) => program.with_file_name(COMPILER),
        Err(error) => return error.into(),
    };
    if !program.is_file() {
        return anyhow!(
            "{} is missing: the Python wheel has no compiler besides the library's; \
             the Debian package and `cargo xtask install` have it",
            program.display()
        );
    }
    let mut compiler = process::Command::new(&program);
    let error = compiler.arg0(command).args(arguments).exec();
    anyhow::Error::new(error).context(format!("cannot run {}", program.display()))
}
