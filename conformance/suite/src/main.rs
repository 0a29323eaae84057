//! `conformance` (installed as `mocl3-conformance`): runs the cases of this crate on an OpenCL
//! platform.

use clap::{CommandFactory, Parser, Subcommand};
use conformance::accuracy::Sweep;
use conformance::command_line::{CaseArguments, EXIT_CODES, SuiteArguments};
use conformance::self_check::command_line as self_check;
use harness::command::{exit_code, processors, verdict};
use std::path::PathBuf;
use std::process::ExitCode;

/// The name of the installed program.
const INSTALLED: &str = "mocl3-conformance";

/// Runs cases with known results on an OpenCL platform.
///
/// Prints each failure with the expected and the actual result, the kernels' source and the command
/// that repeats the case, and a table.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, version, max_term_width = 80, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    suite: SuiteArguments,
}

#[derive(Subcommand)]
enum Task {
    #[command(flatten)]
    RandomKernels(random_kernels::command_line::Task),
    /// Compare the builtins with MPFR for many arguments.
    Accuracy(Sweep),
    #[command(flatten)]
    Stress(stress::command_line::Task),
    #[command(flatten)]
    ApiFuzz(api_fuzz::command_line::Task),
    #[command(flatten)]
    Csmith(csmith::command_line::Task),
    #[command(flatten)]
    CrashFuzz(crash_fuzz::command_line::Task),
    /// Run the suite on a library with one injected defect after the other: exactly the affected
    /// cases must fail. `cargo xtask conformance self-check` builds the library.
    SelfCheck(self_check::Arguments),
    /// Run one case.
    Run(CaseArguments),
    /// Write manual pages and completions into a folder, as installing does.
    Manual {
        /// The folder; it gets the folders man, bash, zsh and fish.
        folder: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    exit_code(match arguments.task {
        None => arguments.suite.run(),
        Some(Task::RandomKernels(task)) => task.run(),
        Some(Task::Accuracy(sweep)) => sweep.run().map(|failed| verdict(failed == 0)),
        Some(Task::Stress(task)) => task.run(),
        Some(Task::ApiFuzz(task)) => task.run(),
        Some(Task::Csmith(task)) => task.run(),
        Some(Task::CrashFuzz(task)) => task.run(),
        Some(Task::SelfCheck(arguments)) => arguments.run(processors()).map(verdict),
        Some(Task::Run(arguments)) => arguments.run(),
        Some(Task::Manual { folder }) => {
            let command = Arguments::command().name(INSTALLED);
            let written = manual::write(&command, &[], &folder);
            written.map(|()| verdict(true)).map_err(Into::into)
        }
    })
}
