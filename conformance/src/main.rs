//! `conformance` (installed as `mocl3-conformance`): puts an OpenCL platform through the
//! cases of this crate.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use conformance::api_fuzz::command_line as api_fuzz;
use conformance::case::{Case, Category};
use conformance::process;
use conformance::random_kernels::{source, worker};
use conformance::report::Run;
use conformance::sanitized;
use conformance::session::{Session, Settings};
use conformance::stress::arguments as stress;
use conformance::{random_kernels, runner, suite};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Puts an OpenCL platform through cases whose results are known beforehand.
///
/// Prints what failed, with what was expected, what came, the kernels' source and the
/// command that runs just that case, and a table. Exits with 1 if a case failed.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    suite: SuiteArguments,
}

#[derive(clap::Args)]
struct SuiteArguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Print the cases' names and what each checks, and run nothing.
    #[arg(long)]
    list: bool,
    /// Only the cases whose names contain this.
    #[arg(long, default_value = "")]
    filter: String,
    /// Only the cases of this category; may be given several times.
    #[arg(long)]
    category: Vec<Category>,
    /// Processes at a time; as many as processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// How often each case is run, each time with another seed.
    #[arg(long, default_value_t = 1)]
    repeat: u64,
    /// Seconds after which a case counts as hanging.
    #[arg(long, default_value_t = 120 * u64::from(sanitized::PATIENCE))]
    limit: u64,
    /// Write a report as JSON into this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a report in JUnit's XML into this file.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// What cases run on.
#[derive(clap::Args)]
struct SessionArguments {
    /// Part of the platform's name or version, in any case.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Build options that all programs get besides their own.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
    /// The seed of random input.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl SessionArguments {
    fn settings(&self) -> Settings {
        Settings {
            platform: self.platform.clone(),
            options: self.options.clone(),
            seed: self.seed,
            sources: None,
        }
    }
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
    /// Run one case in this process.
    Run {
        /// Its name.
        case: String,
        #[command(flatten)]
        session: SessionArguments,
        /// Add the source of each program to this file.
        #[arg(long, value_name = "FILE")]
        sources: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.task {
        None => run_suite(&arguments.suite),
        Some(Task::FuzzApi(arguments)) => arguments
            .run(new_seed(), processors())
            .map(|passed| ExitCode::from(u8::from(!passed))),
        Some(Task::FuzzApiWorker(arguments)) => arguments.run().map(|()| ExitCode::SUCCESS),
        Some(Task::Run {
            case,
            session,
            sources,
        }) => run_case(
            &case,
            &Settings {
                sources,
                ..session.settings()
            },
        ),
        Some(Task::RandomKernels {
            kernels,
            seed,
            platform,
            jobs,
            reducible,
            show,
        }) => {
            let seed = seed.unwrap_or_else(new_seed);
            if show {
                let (kernel, _) = random_kernels::runner::kernel(seed, reducible);
                print!("{}", source::text(&kernel));
                return ExitCode::SUCCESS;
            }
            run_random_kernels(random_kernels::runner::Plan {
                platform,
                seed,
                kernels,
                jobs: jobs.unwrap_or_else(processors),
                reducible,
                options: vec![String::new(), "-cl-opt-disable".to_owned()],
            })
        }
        Some(Task::Stress(stress)) => stress.run(),
        Some(Task::StressThreads(threads)) => threads.run(),
        Some(Task::StressScenario(scenario)) => scenario.run(),
        Some(Task::RandomKernelsWorker { platform }) => {
            worker::serve(&platform).map(|()| ExitCode::SUCCESS)
        }
    };
    // One line, also where RUST_BACKTRACE is set: it becomes part of the table.
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
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

fn run_case(name: &str, settings: &Settings) -> Result<ExitCode> {
    let case = suite::all()
        .find(|candidate| candidate.name == name)
        .with_context(|| format!("no case is called `{name}`"))?;
    let session = Session::open(&Settings {
        options: format!("{} {}", case.options, settings.options),
        ..settings.clone()
    })?;
    if let Some(feature) = case.lacking(&session)? {
        eprintln!("the platform has no {feature}");
        return Ok(ExitCode::from(process::SKIPPED as u8));
    }
    (case.run)(&session)?;
    session.queue.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn run_suite(arguments: &SuiteArguments) -> Result<ExitCode> {
    let cases: Vec<&'static Case> = suite::all()
        .filter(|case| case.name.contains(&arguments.filter))
        .filter(|case| arguments.category.is_empty() || arguments.category.contains(&case.category))
        .collect();
    if cases.is_empty() {
        bail!("there is no such case");
    }
    if arguments.list {
        for case in cases {
            println!("{:20} {:32} {}", case.category.name(), case.name, case.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let settings = arguments.session.settings();
    let session = Session::open(&settings)?;
    let plan = runner::Plan {
        settings: settings.clone(),
        repeat: arguments.repeat,
        jobs: arguments.jobs.unwrap_or_else(processors),
        limit: Duration::from_secs(arguments.limit),
        executable: std::env::current_exe()?,
    };
    let run = Run {
        platform: session.platform_version()?,
        device: session.device.name()?,
        cases: runner::run(&plan, &cases)?,
        options: settings.options,
        seed: settings.seed,
    };
    print!("{}", run.text());
    if let Some(path) = &arguments.json {
        std::fs::write(path, run.json()?).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &arguments.junit {
        std::fs::write(path, run.junit()?).with_context(|| path.display().to_string())?;
    }
    Ok(ExitCode::from(u8::from(run.failed() > 0)))
}
