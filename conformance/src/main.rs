//! `conformance` (installed as `mocl3-conformance`): puts an OpenCL platform through the
//! cases of this crate.

use anyhow::Result;
use clap::{Parser, Subcommand};
use conformance::api_fuzz::command_line as api_fuzz;
use conformance::command_line::{CaseArguments, EXIT_CODES, SuiteArguments, processors};
use conformance::crash_fuzz::{Subject, command_line as crash_fuzz};
use conformance::csmith::command_line as csmith;
use conformance::random_kernels::generator::Profile;
use conformance::random_kernels::{source, worker};
use conformance::self_check::command_line as self_check;
use conformance::stress::arguments as stress;
use conformance::{accuracy, random_kernels};
use std::process::{Command, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is asked for could not be done; clap's code for wrong arguments.
const NOT_RUN: u8 = 2;

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
    /// Run kernels made from seeds, and compare with an interpreter of OpenCL C.
    RandomKernels {
        /// How many kernels.
        #[arg(long, default_value_t = 1000)]
        kernels: u64,
        /// The first kernel's seed; the others' follow. Without it, one that is new.
        #[arg(long)]
        seed: Option<u64>,
        /// Part of the platform's name or version, in any case.
        #[arg(long, default_value = "MOCL3")]
        platform: String,
        /// Processes at a time; as many as processors by default.
        #[arg(long)]
        jobs: Option<usize>,
        /// Without `goto` into loops, which PoCL 3.1 cannot compile.
        #[arg(long)]
        reducible: bool,
        /// Many barriers, and only simple operators of the rest of the language: the kernels
        /// of the suite's category `generated`.
        #[arg(long)]
        barriers: bool,
        /// Index spaces of so many dimensions only.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3))]
        dimensions: Option<u64>,
        /// Print the kernel of the seed, and run nothing.
        #[arg(long)]
        show: bool,
    },
    /// Run the kernels that come in through standard input.
    #[command(hide = true)]
    RandomKernelsWorker {
        /// Part of the platform's name or version, in any case.
        #[arg(long)]
        platform: String,
    },
    /// Compare the builtins with MPFR over many arguments.
    Accuracy(accuracy::Sweep),
    /// Many threads use objects of all kinds; and named ways into dead-locks.
    Stress(stress::Stress),
    /// Run threads in this process.
    #[command(hide = true)]
    StressThreads(stress::Threads),
    /// Run one scenario in this process.
    #[command(hide = true)]
    StressScenario(stress::Scenario),
    /// Run sequences of API calls made from seeds, right and wrong ones, and judge the
    /// results.
    FuzzApi(api_fuzz::Arguments),
    /// Run sequences of API calls in this process.
    #[command(hide = true)]
    FuzzApiWorker(api_fuzz::WorkerArguments),
    /// Run programs of the generator csmith, and compare with the host's compiler.
    Csmith(csmith::Arguments),
    /// Hand damaged program binaries to the platform: it must not crash, hang or panic.
    FuzzBinaries(crash_fuzz::Arguments),
    /// The same with descriptions of machines.
    FuzzMachines(crash_fuzz::Arguments),
    /// The same with sources and build options.
    FuzzBuilds(crash_fuzz::Arguments),
    /// Hand damaged input to the platform in this process.
    #[command(hide = true)]
    CrashFuzzWorker(crash_fuzz::WorkerArguments),
    /// Run the suite on a library with one defect after the other: the right cases must
    /// fail, and no others. `cargo xtask conformance self-check` builds that library.
    SelfCheck(self_check::Arguments),
    /// Run one case.
    Run(CaseArguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.task {
        None => arguments.suite.run(),
        Some(Task::FuzzApi(arguments)) => arguments
            .run(new_seed(), processors())
            .map(|passed| ExitCode::from(u8::from(!passed))),
        Some(Task::Csmith(arguments)) => arguments
            .run(new_seed(), processors())
            .map(|passed| ExitCode::from(u8::from(!passed))),
        Some(Task::FuzzBinaries(arguments)) => fuzz(&arguments, Subject::Binaries),
        Some(Task::FuzzMachines(arguments)) => fuzz(&arguments, Subject::Machines),
        Some(Task::FuzzBuilds(arguments)) => fuzz(&arguments, Subject::Builds),
        Some(Task::CrashFuzzWorker(arguments)) => arguments.run().map(|()| ExitCode::SUCCESS),
        Some(Task::SelfCheck(arguments)) => arguments
            .run(processors())
            .map(|right| ExitCode::from(u8::from(!right))),
        Some(Task::FuzzApiWorker(arguments)) => arguments.run().map(|()| ExitCode::SUCCESS),
        Some(Task::Run(arguments)) => arguments.run(),
        Some(Task::RandomKernels {
            kernels,
            seed,
            platform,
            jobs,
            reducible,
            barriers,
            dimensions,
            show,
        }) => {
            let profile = Profile {
                reducible,
                barriers,
                dimensions: dimensions.map(|count| count as usize),
            };
            let seed = seed.unwrap_or_else(new_seed);
            if show {
                let (kernel, _) = random_kernels::runner::kernel(seed, profile);
                print!("{}", source::text(&kernel));
                return ExitCode::SUCCESS;
            }
            run_random_kernels(random_kernels::runner::Plan {
                platform,
                seed,
                kernels,
                jobs: jobs.unwrap_or_else(processors),
                profile,
                options: vec![String::new(), "-cl-opt-disable".to_owned()],
            })
        }
        Some(Task::Accuracy(sweep)) => sweep
            .run()
            .map(|failed| ExitCode::from(u8::from(failed > 0))),
        Some(Task::Stress(stress)) => stress.run(),
        Some(Task::StressThreads(threads)) => threads.run(),
        Some(Task::StressScenario(scenario)) => scenario.run(),
        Some(Task::RandomKernelsWorker { platform }) => {
            worker::serve(&platform).map(|()| ExitCode::SUCCESS)
        }
    };
    // One line, also where RUST_BACKTRACE is set: workers' become part of reports.
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(NOT_RUN)
    })
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

fn fuzz(arguments: &crash_fuzz::Arguments, subject: Subject) -> Result<ExitCode> {
    let passed = arguments.run(subject, new_seed(), processors())?;
    Ok(ExitCode::from(u8::from(!passed)))
}

fn run_random_kernels(plan: random_kernels::runner::Plan) -> Result<ExitCode> {
    let executable = std::env::current_exe()?;
    let failed = random_kernels::runner::run(&plan, &|| {
        let mut worker = Command::new(&executable);
        worker
            .args(["random-kernels-worker", "--platform", &plan.platform])
            // Each kernel is built once: it need not be kept.
            .env("MOCL3_CACHE", "0");
        worker
    })?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}
