//! Library and program built with a sanitizer of the compiler.

use crate::{command, platform};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A sanitizer of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Sanitizer {
    /// Accesses outside allocations or after their release; leaks.
    Address,
    /// Data races.
    Thread,
}

/// The target triple: kernel-compiler supports no other host.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The program with which sanitizers find source lines, from `packages::NEEDED`.
const SYMBOLIZER: &str = "/usr/lib/llvm-22/bin/llvm-symbolizer";

impl Sanitizer {
    /// The sanitizer's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    fn compiler_flags(self) -> &'static str {
        match self {
            Self::Address => "-Zsanitizer=address -Cforce-frame-pointers=yes",
            // The standard library is not instrumented.
            Self::Thread => "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        }
    }

    /// The target folder: instrumented and other code must not be mixed.
    fn folder(self) -> PathBuf {
        platform::target().join(format!("sanitizer-{}", self.name()))
    }

    fn cargo(self, task: &str) -> Command {
        let mut cargo = platform::cargo();
        cargo
            .args([task, "--release", "--target", TARGET, "--target-dir"])
            .arg(self.folder())
            // Sanitizers are unstable; this lets the stable compiler use them.
            .env("RUSTC_BOOTSTRAP", "1")
            // Suppressions name source files.
            .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only")
            // The program extends its time limits (conformance/harness/src/sanitized.rs).
            .env(
                "RUSTFLAGS",
                format!("{} --cfg sanitized", self.compiler_flags()),
            );
        cargo
    }

    /// Builds the library and the program `conformance`; returns their folder.
    ///
    /// # Errors
    /// cargo's.
    pub fn build(self) -> Result<PathBuf> {
        command::run(self.cargo("build").args(["--package", "icd"]))?;
        // The sanitizer's run-time library is linked into the program, not into the library.
        let mut program = self.cargo("rustc");
        program.args(["--package", "conformance", "--bin", "conformance"]);
        command::run(program.args(["--", "-Clink-arg=-rdynamic"]))?;
        Ok(self.folder().join(TARGET).join("release"))
    }

    /// Makes `program` use the library in its folder, and sets the variables that the sanitizer's
    /// run-time library reads.
    pub fn point<'a>(self, program: &'a mut Command, folder: &Path) -> &'a mut Command {
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
        // The loader takes a library's path for a folder with one .icd file.
        program.env("OCL_ICD_VENDORS", folder.join("libmocl3.so"))
    }
}
