//! `conformance` (installed as `mocl3-conformance`): puts an OpenCL platform through the
//! cases of this crate.

use clap::{Parser, Subcommand};
use conformance::accuracy::Sweep;
use conformance::command_line::{CaseArguments, EXIT_CODES, SuiteArguments};
use conformance::self_check::command_line as self_check;
use harness::command::{exit_code, processors, verdict};
use std::process::ExitCode;

/// Puts an OpenCL platform through cases whose results are known beforehand.
///
/// Prints what failed, with what was expected, what came, the kernels' source and the
/// command that runs just that case, and a table.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, version, after_help = EXIT_CODES)]
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
    /// Compare the builtins with MPFR over many arguments.
    Accuracy(Sweep),
    #[command(flatten)]
    Stress(stress::command_line::Task),
    #[command(flatten)]
    ApiFuzz(api_fuzz::command_line::Task),
    #[command(flatten)]
    Csmith(csmith::command_line::Task),
    #[command(flatten)]
    CrashFuzz(crash_fuzz::command_line::Task),
    /// Run the suite on a library with one defect after the other: the right cases must
    /// fail, and no others. `cargo xtask conformance self-check` builds that library.
    SelfCheck(self_check::Arguments),
    /// Run one case.
    Run(CaseArguments),
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
    })
}
