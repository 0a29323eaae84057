//! `cargo xtask`: what a user or a developer does with the project as a whole. Builds
//! without LLVM, so that it can install it.

mod accuracy;
mod arguments;
mod bench;
mod clients;
mod command;
mod conformance;
mod defective;
#[cfg(test)]
mod documentation;
mod hooks;
mod install;
mod package;
mod packages;
mod paper;
mod platform;
mod python;
mod sanitizer;
mod sanitizers;
mod spelling;
mod structure;
mod test;
mod tutorial;
mod words;

use anyhow::Result;
use clap::{Parser, Subcommand};
use platform::Platform;

/// Sets up, tries, tests and measures MOCL3.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install the Debian packages that are missing, the spell checker, and git's hooks.
    Setup,
    /// Set up, build the release library and multiply two matrices on it.
    Demo {
        /// Rows and columns of the matrices.
        #[arg(default_value_t = 1024)]
        size: u32,
    },
    /// Run the commands of docs/tutorial.md and compare their output with the page.
    Tutorial,
    /// Run every test, and ordinary OpenCL programs, through the system's loader.
    Test,
    /// Run the before/after tests of the compiler's passes.
    Passes {
        /// Write what the passes make now as what is expected.
        #[arg(long)]
        update: bool,
        /// Those with this in their names only, for example `barrier_split/`.
        filter: Option<String>,
    },
    /// Print the cycles between the modules of each crate, and the files, functions and folders
    /// that are too large.
    Modules {
        /// Only this crate's.
        name: Option<String>,
    },
    /// Print phrases that the project does not use (tools/xtask/words.toml).
    Words {
        /// Every one below this file or folder; else their number in each folder.
        folder: Option<String>,
    },
    /// Check the spelling of all files.
    Spelling,
    /// Print the lines that make a shell's OpenCL programs use MOCL3.
    Env,
    /// Run ordinary OpenCL programs through the system's loader, the long ones as well.
    Clients {
        /// Show their names and where they come from instead.
        #[arg(long)]
        list: bool,
        /// Only the clients whose names contain this.
        #[arg(long, default_value = "")]
        filter: String,
        /// Another platform that is installed, by part of its `.icd` file's name; given more
        /// than once, each client runs on all of them.
        #[arg(long, default_value = "MOCL3")]
        platform: Vec<String>,
        /// Write results and times to docs/generated/clients.md.
        #[arg(long)]
        page: bool,
    },
    /// Put a platform through the suite of cases and print a table of what passed and
    /// failed.
    Conformance(conformance::Arguments),
    /// Compare the builtins of a platform with MPFR, and hold them against OpenCL's limits;
    /// for all of MOCL3's the table in docs/generated/accuracy.md is written.
    Accuracy {
        /// Part of the platform's name; others than MOCL3 are found as the loader does.
        #[arg(long, default_value = accuracy::OURS)]
        platform: String,
        /// Only this function.
        #[arg(long)]
        function: Option<String>,
        /// Inputs per function besides the special values.
        #[arg(long)]
        samples: Option<usize>,
    },
    /// Run kernels made from seeds, and compare with an interpreter of OpenCL C.
    RandomKernels(conformance::Arguments),
    /// Run programs of the generator csmith, and compare with the host's compiler.
    Csmith(conformance::Arguments),
    /// Use the API from many threads, with results checked, and try to provoke dead-locks.
    Stress(conformance::Arguments),
    /// Run sequences of API calls made from seeds, right and wrong ones, and judge the
    /// results.
    FuzzApi(conformance::Arguments),
    /// Hand damaged program binaries to the platform: it must not crash, hang or panic.
    FuzzBinaries(conformance::Arguments),
    /// The same with descriptions of machines.
    FuzzMachines(conformance::Arguments),
    /// The same with sources and build options.
    FuzzBuilds(conformance::Arguments),
    /// Build program and library with AddressSanitizer and with ThreadSanitizer, and run
    /// stress, random calls, random kernels, damaged sources and part of the suite so.
    Sanitizers {
        /// Only this one.
        #[arg(long)]
        only: Option<sanitizer::Sanitizer>,
    },
    /// Install library, `.icd` file, commands and documentation.
    Install(install::Arguments),
    /// Remove what `install` with the same prefix installed.
    Uninstall(install::Arguments),
    /// Make a Debian package and a Python wheel.
    Package {
        /// Then try them, and an installation, in folders of their own.
        #[arg(long = "try")]
        try_them: bool,
    },
    /// Compare published figures of the machine with simulated ones, each parameter with its
    /// source.
    Paper {
        /// Write them to docs/generated/validation.md as well.
        #[arg(long)]
        write: bool,
        /// Make clpeak take the sizes that it has for processors, less than a tenth of the work.
        #[arg(long, conflicts_with = "write")]
        short: bool,
    },
    /// Measure side by side with the other OpenCL platforms for CPUs.
    Bench {
        /// Arguments of the harness; see `cargo xtask bench -- --help`.
        #[arg(last = true)]
        arguments: Vec<String>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup => {
            packages::install(packages::NEEDED)?;
            packages::install(packages::FOR_TESTS)?;
            spelling::install()?;
            hooks::install()
        }
        Task::Demo { size } => {
            packages::install(packages::NEEDED)?;
            platform::build()?;
            clients::dgemm(&Platform::Ours, size)
        }
        Task::Tutorial => tutorial::run(),
        Task::Test => test::run(),
        Task::Passes { update, filter } => test::passes(update, filter.as_deref()),
        Task::Modules { name } => structure::run(name.as_deref()),
        Task::Words { folder } => words::run(folder.as_deref()),
        Task::Spelling => spelling::run(),
        Task::Env => {
            print!("{}", platform::exports());
            Ok(())
        }
        Task::Clients { list: true, .. } => {
            clients::list();
            Ok(())
        }
        Task::Clients {
            filter,
            platform,
            page,
            ..
        } => {
            let named = |name: &String| Platform::named(Some(name));
            let platforms: Vec<Platform> = platform.iter().map(named).collect::<Result<_>>()?;
            clients::run_all(&filter, &platforms, page)
        }
        Task::Accuracy {
            platform,
            function,
            samples,
        } => accuracy::run(&platform, function.as_deref(), samples),
        Task::Conformance(arguments) => conformance::run(&[], arguments),
        Task::RandomKernels(arguments) => conformance::run(&["random-kernels"], arguments),
        Task::Csmith(arguments) => conformance::run(&["csmith"], arguments),
        Task::Stress(arguments) => conformance::run(&["stress"], arguments),
        Task::FuzzApi(arguments) => conformance::run(&["fuzz-api"], arguments),
        Task::FuzzBinaries(arguments) => conformance::run(&["fuzz-binaries"], arguments),
        Task::FuzzMachines(arguments) => conformance::run(&["fuzz-machines"], arguments),
        Task::FuzzBuilds(arguments) => conformance::run(&["fuzz-builds"], arguments),
        Task::Sanitizers { only } => sanitizers::run(only),
        Task::Install(arguments) => install::install(&arguments),
        Task::Uninstall(arguments) => install::uninstall(&arguments),
        Task::Package { try_them } => package::run(try_them),
        Task::Paper { write, short } => paper::run(write, short),
        Task::Bench { arguments } => bench::run(&arguments),
    }
}
