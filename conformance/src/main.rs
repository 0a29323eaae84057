//! `conformance`: puts an OpenCL platform through the programs of this crate.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use conformance::process::{self, Outcome};
use conformance::programs;
use conformance::random_kernels::{runner, source, worker};
use conformance::session::Session;
use std::process::{Command, ExitCode};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Puts an OpenCL platform through programs whose results are known beforehand.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run complete OpenCL programs and print a table of what passed and failed.
    Programs {
        /// Part of the platform's name or version, in any case.
        #[arg(long, default_value = "MOCL3")]
        platform: String,
        /// Build options that all programs get besides their own.
        #[arg(long, default_value = "", allow_hyphen_values = true)]
        options: String,
        /// Only the programs whose names contain this.
        #[arg(long, default_value = "")]
        filter: String,
    },
    /// Print the programs' names and what each leans on.
    List,
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
    /// Run one program in this process.
    Run {
        /// Its name in the table.
        program: String,
        /// Part of the platform's name or version, in any case.
        #[arg(long, default_value = "MOCL3")]
        platform: String,
        /// Build options that all programs get besides their own.
        #[arg(long, default_value = "", allow_hyphen_values = true)]
        options: String,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::List => {
            for program in programs::ALL {
                println!("{:24} {}", program.name, program.what);
            }
            Ok(ExitCode::SUCCESS)
        }
        Task::Programs {
            platform,
            options,
            filter,
        } => table(&platform, &options, &filter),
        Task::Run {
            program,
            platform,
            options,
        } => run(&program, &platform, &options),
        Task::RandomKernels {
            kernels,
            seed,
            platform,
            jobs,
            reducible,
            show,
        } => {
            let seed = seed.unwrap_or_else(new_seed);
            if show {
                print!("{}", source::text(&runner::kernel(seed, reducible).0));
                return ExitCode::SUCCESS;
            }
            random_kernels(runner::Plan {
                platform,
                seed,
                kernels,
                jobs: jobs.unwrap_or_else(|| {
                    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
                }),
                reducible,
                options: vec![String::new(), "-cl-opt-disable".to_owned()],
            })
        }
        Task::RandomKernelsWorker { platform } => {
            worker::serve(&platform).map(|()| ExitCode::SUCCESS)
        }
    };
    // One line, also where RUST_BACKTRACE is set: it becomes part of the table.
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

fn random_kernels(plan: runner::Plan) -> Result<ExitCode> {
    let executable = std::env::current_exe()?;
    let failed = runner::run(&plan, &|| {
        let mut worker = Command::new(&executable);
        worker
            .args(["random-kernels-worker", "--platform", &plan.platform])
            // Each kernel is built once: it need not be kept.
            .env("MOCL3_CACHE", "0");
        worker
    })?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn run(program: &str, platform: &str, options: &str) -> Result<ExitCode> {
    let program = programs::ALL
        .iter()
        .find(|candidate| candidate.name == program)
        .with_context(|| format!("no program is called `{program}`"))?;
    let session = Session::open(platform, options)?;
    if let Some(feature) = program.lacking(&session)? {
        eprintln!("the device has no {feature}");
        return Ok(ExitCode::from(process::SKIPPED as u8));
    }
    (program.run)(&session)?;
    session.queue.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn table(platform: &str, options: &str, filter: &str) -> Result<ExitCode> {
    println!("{}", Session::open(platform, options)?.platform_version()?);
    let executable = std::env::current_exe()?;
    let (mut passed, mut failed) = (0, 0);
    let selected = || programs::ALL.iter().filter(|p| p.name.contains(filter));
    if selected().next().is_none() {
        bail!("no program's name contains `{filter}`");
    }
    for program in selected() {
        let start = Instant::now();
        let outcome = process::run(&executable, program, platform, options, &[])?;
        let milliseconds = start.elapsed().as_millis();
        let text = match outcome {
            Outcome::Passed => {
                passed += 1;
                "passed".to_owned()
            }
            Outcome::Skipped(reason) => format!("skipped: {reason}"),
            Outcome::Failed(reason) => {
                failed += 1;
                format!("FAILED: {reason}")
            }
        };
        println!("{:24} {milliseconds:6} ms  {text}", program.name);
    }
    println!("{passed} passed, {failed} failed");
    Ok(ExitCode::from(u8::from(failed > 0)))
}
