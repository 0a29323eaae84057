//! `conformance`: puts an OpenCL platform through the programs of this crate.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use conformance::process::{self, Outcome};
use conformance::programs;
use conformance::session::Session;
use std::process::ExitCode;
use std::time::Instant;

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
    };
    // One line, also where RUST_BACKTRACE is set: it becomes part of the table.
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
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
