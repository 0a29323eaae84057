//! `cargo xtask`: the tasks of users and developers that concern the whole project. It builds
//! without LLVM, so that it can install LLVM.

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
mod ht_bench;
mod install;
mod m3000_c;
mod package;
mod packages;
mod pages;
mod paper;
mod platform;
mod python;
mod sanitizer;
mod sanitizers;
mod scaling;
#[cfg(test)]
mod shared_features;
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
    /// Run the commands of README.md and docs/tutorial.md, and compare their output with the pages.
    Tutorial,
    /// Run all tests, and ordinary OpenCL programs through the system's loader.
    Test,
    /// Run the before/after tests of the compiler's passes.
    Passes {
        /// Write the passes' current output into the tests as the expectation.
        #[arg(long)]
        update: bool,
        /// Only tests whose names contain this, for example `barrier_split/`.
        filter: Option<String>,
    },
    /// Write the pages of docs/generated that contain no measurements.
    Pages,
    /// Print the cycles between the modules of each crate, and the files, functions and folders
    /// that are too large.
    Modules {
        /// Only this crate.
        name: Option<String>,
    },
    /// Print phrases that the project does not use (tools/xtask/words.toml).
    Words {
        /// Only in this file or folder.
        folder: Option<String>,
    },
    /// Check the spelling of all files.
    Spelling,
    /// Print `export` lines that make a shell's OpenCL programs use MOCL3.
    Env,
    /// Run all ordinary OpenCL programs through the system's loader.
    Clients(clients::Arguments),
    /// Run the conformance suite on a platform and print a table of its results.
    Conformance(conformance::Arguments),
    /// Compare a platform's builtins with MPFR and OpenCL's error limits. A run over all of MOCL3's
    /// functions writes docs/generated/accuracy.md.
    Accuracy {
        /// Part of the platform's name. The system's loader finds platforms other than MOCL3.
        #[arg(long, default_value = accuracy::OURS)]
        platform: String,
        /// Only this function.
        #[arg(long)]
        function: Option<String>,
        /// Inputs per function besides the special values.
        #[arg(long)]
        samples: Option<usize>,
    },
    /// Run kernels generated from seeds, and compare with an interpreter of OpenCL C.
    RandomKernels(conformance::Arguments),
    /// Run random kernels with one injected error each under the platform's checks.
    RandomDefects(conformance::Arguments),
    /// Run programs that csmith generates, and compare with gcc on the host.
    Csmith(conformance::Arguments),
    /// Run all cases of the hthreads programs at all levels of optimisation, and print a table.
    HtBench,
    /// Run the suite's kernels as C by m3cc on an hthreads host, and compare with OpenCL's results.
    #[command(name = "m3000-c")]
    M3000C(m3000_c::Arguments),
    /// Use the API from many threads, check the results, and try to provoke deadlocks.
    Stress(conformance::Arguments),
    /// Run valid and invalid sequences of API calls generated from seeds, and compare with a model.
    FuzzApi(conformance::Arguments),
    /// Give the platform damaged program binaries; it must not crash, hang or panic.
    FuzzBinaries(conformance::Arguments),
    /// Give the platform damaged machine files; it must not crash, hang or panic.
    FuzzMachines(conformance::Arguments),
    /// Give the platform damaged sources and build options; it must not crash, hang or panic.
    FuzzBuilds(conformance::Arguments),
    /// Build program and library with AddressSanitizer and with ThreadSanitizer, and run stress,
    /// random calls, random kernels, damaged sources and part of the suite with each.
    Sanitizers {
        /// Only this sanitizer.
        #[arg(long)]
        only: Option<sanitizer::Sanitizer>,
    },
    /// Install library, `.icd` file, commands and documentation.
    Install(install::Arguments),
    /// Remove the files that `install` with the same prefix installed.
    Uninstall(install::Arguments),
    /// Build a Debian package and a Python wheel.
    Package {
        /// Also test both, and an installation, in separate folders.
        #[arg(long = "try")]
        try_them: bool,
    },
    /// Compare published figures of the machine with simulated ones.
    Paper {
        /// Also write them to docs/generated/validation.md.
        #[arg(long)]
        write: bool,
        /// Run clpeak with its sizes for CPUs, less than a tenth of the work.
        #[arg(long, conflicts_with = "write")]
        short: bool,
    },
    /// Simulate the programs of examples/mpi on 1 to 1,024 nodes, and measure what that costs.
    Scaling(scaling::Arguments),
    /// Compare the speed with that of other OpenCL platforms for CPUs.
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
        Task::Pages => pages::write(),
        Task::Modules { name } => structure::run(name.as_deref()),
        Task::Words { folder } => words::run(folder.as_deref()),
        Task::Spelling => spelling::run(),
        Task::Env => {
            print!("{}", platform::exports());
            Ok(())
        }
        Task::Clients(arguments) => clients::run_all(&arguments),
        Task::Accuracy {
            platform,
            function,
            samples,
        } => accuracy::run(&platform, function.as_deref(), samples),
        Task::Conformance(arguments) => conformance::run(&[], arguments),
        Task::RandomKernels(arguments) => conformance::run(&["random-kernels"], arguments),
        Task::RandomDefects(arguments) => conformance::run(&["random-defects"], arguments),
        Task::Csmith(arguments) => conformance::run(&["csmith"], arguments),
        Task::HtBench => ht_bench::run(),
        Task::M3000C(arguments) => m3000_c::run(&arguments),
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
        Task::Scaling(arguments) => scaling::run(&arguments),
        Task::Bench { arguments } => bench::run(&arguments),
    }
}
