//! Builds in processes of the C program `build_and_run`, and their output.

use crate::process::compile;
use crate::session::vendors;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

pub const SOURCE: &str = "kernel void k(global int *x) {\n#warning old\n  *x += 41;\n}\n";

/// The kinds of cache entries of a program with one kernel that was launched once.
pub const KINDS: [&str; 3] = ["unit", "executable", "native code"];

pub static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("build_and_run"));

/// The output of a process that builds and launches a kernel.
pub struct BuildOutput {
    /// Standard output: the result and the build log.
    pub text: String,
    /// Standard error: the log of the compile cache.
    pub log: String,
}

impl BuildOutput {
    pub fn parse(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let build = Self {
            text: text(&output.stdout),
            log: text(&output.stderr),
        };
        assert!(output.status.success(), "{}{}", build.text, build.log);
        build
    }

    /// The kinds of entries for which the cache logs this verb.
    pub fn cache(&self, verb: &str) -> Vec<&'static str> {
        let happened = |kind: &&str| self.log.contains(&format!("compile cache: {verb} {kind} "));
        KINDS.into_iter().filter(happened).collect()
    }

    #[track_caller]
    pub fn gives(&self, result: i32) -> &Self {
        let line = format!("result {result}\n");
        assert!(self.text.contains(&line), "{}{}", self.text, self.log);
        self
    }

    #[track_caller]
    pub fn compiled_nothing(&self) -> &Self {
        assert_eq!(self.cache("has"), KINDS, "{}", self.log);
        assert!(self.cache("keeps").is_empty(), "{}", self.log);
        self
    }

    #[track_caller]
    pub fn compiled_all(&self) -> &Self {
        assert_eq!(self.cache("keeps"), KINDS, "{}", self.log);
        self
    }
}

/// The program `build_and_run` with the cache in `folder`.
pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(&*PROGRAM);
    command
        .args(words)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", folder)
        .env("MOCL3_LOG", "kernel_compiler::cache=debug")
        .stdin(Stdio::null());
    command
}

/// Builds and launches a program from source.
pub fn build(folder: &Path, source: &str, options: &str) -> BuildOutput {
    let output = command(folder, &["source", source, options]).output();
    BuildOutput::parse(&output.unwrap())
}

/// An empty folder for a cache.
pub fn place() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The files of a cache's entries.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.file_name().unwrap().len() == 64)
        .collect()
}
