//! `cargo xtask stress`: the stress of the API in `conformance/` on a platform, and on
//! MOCL3 built with a sanitizer.

use crate::{command, packages, platform};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// What to run; what is not given is left to the program.
#[derive(clap::Args)]
pub struct Arguments {
    /// How long threads run, without the scenarios.
    #[arg(long)]
    seconds: Option<u64>,
    /// How many threads.
    #[arg(long)]
    threads: Option<usize>,
    /// Random choices follow from it. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// Another platform that the loader finds, by part of its name or version.
    #[arg(long)]
    platform: Option<String>,
    /// Only these scenarios, by part of their names, and no threads.
    #[arg(long)]
    scenario: Option<String>,
    /// Build program and library with a sanitizer, and run them so.
    #[arg(long, conflicts_with = "platform")]
    sanitizer: Option<Sanitizer>,
}

/// A sanitizer of the compiler.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Sanitizer {
    /// Memory that is not the program's, freed, or never freed.
    Address,
    /// Accesses that nothing orders.
    Thread,
}

/// The only host that the compiler's code generator is made for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Where `packages::NEEDED` puts the program that sanitizers find source lines with.
const SYMBOLIZER: &str = "/usr/lib/llvm-22/bin/llvm-symbolizer";

impl Sanitizer {
    fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    fn compiler_flags(self) -> &'static str {
        match self {
            Self::Address => "-Zsanitizer=address -Cforce-frame-pointers=yes",
            // The standard library is not built with it.
            Self::Thread => "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        }
    }

    /// Whatever must not be shared with what is built without it.
    fn folder(self) -> PathBuf {
        platform::target().join(format!("sanitizer-{}", self.name()))
    }

    fn cargo(self, task: &str) -> Command {
        let mut cargo = platform::cargo();
        cargo
            .args([task, "--release", "--target", TARGET, "--target-dir"])
            .arg(self.folder())
            // Sanitizers are not stable; the compiler that there is has them.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", self.compiler_flags());
        cargo
    }

    /// Builds the library and the program; where they are.
    fn build(self) -> Result<PathBuf> {
        command::run(self.cargo("build").args(["--package", "icd"]))?;
        // The library finds the sanitizer's functions in the program that loads it.
        let mut program = self.cargo("rustc");
        program.args(["--package", "conformance", "--bin", "conformance"]);
        command::run(program.args(["--", "-Clink-arg=-rdynamic"]))?;
        Ok(self.folder().join(TARGET).join("release"))
    }

    /// The variables that the sanitizer's run-time library reads.
    fn configure(self, program: &mut Command) {
        let suppressions = platform::root().join("conformance/sanitizers");
        let suppressions = suppressions.join(format!("{}.txt", self.name()));
        let suppressions = suppressions.display();
        let common = format!("external_symbolizer_path={SYMBOLIZER}");
        match self {
            Self::Address => program
                .env("ASAN_OPTIONS", format!("{common}:detect_leaks=1"))
                .env("LSAN_OPTIONS", format!("suppressions={suppressions}")),
            Self::Thread => program.env(
                "TSAN_OPTIONS",
                format!("{common}:suppressions={suppressions}:history_size=4"),
            ),
        };
        // Seconds: it is slower.
        program.args(["--sanitized", "--patience", "300"]);
    }
}

/// Builds the program, and the library unless another platform is named, and runs it.
///
/// # Errors
/// Something failed or hung, or nothing could be built.
pub fn run(arguments: &Arguments) -> Result<()> {
    packages::install(packages::NEEDED)?;
    let mut program;
    if let Some(sanitizer) = arguments.sanitizer {
        let folder = sanitizer.build()?;
        program = Command::new(folder.join("conformance"));
        program.arg("stress");
        sanitizer.configure(&mut program);
        // The loader takes a library's path for a folder with one .icd file.
        program.env("OCL_ICD_VENDORS", folder.join("libmocl3.so"));
    } else {
        command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
        program = Command::new(platform::library_folder().join("conformance"));
        program.arg("stress");
        if arguments.platform.is_none() {
            platform::build()?;
            platform::Platform::Ours.point(&mut program);
        }
    }
    let cache = platform::target().join("stress-cache");
    if cache.exists() {
        std::fs::remove_dir_all(&cache).context("the cache of an earlier run")?;
    }
    program
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", &cache);
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            program.args([name, &value]);
        }
    };
    option(
        "--seconds",
        arguments.seconds.map(|number| number.to_string()),
    );
    option(
        "--threads",
        arguments.threads.map(|number| number.to_string()),
    );
    option("--seed", arguments.seed.map(|number| number.to_string()));
    option("--platform", arguments.platform.clone());
    option("--scenario", arguments.scenario.clone());
    command::run(&mut program)
}
