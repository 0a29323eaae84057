//! The stress of the API on MOCL3: each scenario, and threads for a few seconds.

use harness::built::library;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::Command;
use stress::scenarios;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_stress");

/// Enough for a hundred thousand calls; `cargo xtask stress` runs longer.
const SECONDS: &str = "6";

fn main() {
    let mut trials = vec![Trial::test("threads", || {
        let few = [
            "stress",
            "--threads-only",
            "--seed",
            "1",
            "--seconds",
            SECONDS,
        ];
        run(&few, None)
    })];
    for scenario in scenarios::ALL {
        for (what, threads) in scenarios::HOST_THREADS {
            let name = format!("{}, {what}", scenario.name);
            trials.push(Trial::test(name, move || {
                run(&["stress-scenario", scenario.name], threads)
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(arguments: &[&str], host_threads: Option<&str>) -> Result<(), Failed> {
    let executable = Path::new(EXECUTABLE);
    let cache = tempfile::tempdir()?;
    let mut process = Command::new(executable);
    process
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", cache.path());
    // ocl-icd takes a library's path for a folder with one .icd file.
    process
        .args(arguments)
        .env("OCL_ICD_VENDORS", library(executable)?);
    if let Some(threads) = host_threads {
        process.env(scenarios::HOST_THREADS_VARIABLE, threads);
    }
    let output = process.output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}\n{text}{errors}", output.status).into())
}
