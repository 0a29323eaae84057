//! `cargo xtask sanitizers`: runs programs of `conformance/` with each sanitizer for a bounded
//! time, and prints a table of the results.

use crate::sanitizer::Sanitizer;
use crate::{packages, platform};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The task with random calls, whose commands access the same bytes in any order.
const FUZZ_API: &str = "fuzz-api";

/// The tasks that run with each sanitizer. Their seed is fixed.
const TASKS: &[(&str, &[&str])] = &[
    ("stress", &["stress", "--seconds", "60", "--seed", "1"]),
    (FUZZ_API, &["fuzz-api", "--calls", "20000", "--seed", "1"]),
    (
        "random-kernels",
        &["random-kernels", "--kernels", "100", "--seed", "1"],
    ),
    (
        "fuzz-builds",
        &["fuzz-builds", "--seconds", "60", "--seed", "1"],
    ),
    ("suite, runtime", &["--category", "runtime"]),
    ("suite, events", &["--category", "event"]),
];

/// The result of a task.
struct Row {
    sanitizer: &'static str,
    task: &'static str,
    passed: bool,
    seconds: u64,
}

/// Builds program and library with each sanitizer and runs the tasks, whose output is written to
/// `target/sanitizers/`.
///
/// # Errors
/// A build or a task failed.
pub fn run(only: Option<Sanitizer>) -> Result<()> {
    packages::install(packages::NEEDED)?;
    let logs = platform::target().join("sanitizers");
    std::fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
    let sanitizers = Sanitizer::value_variants().iter().copied();
    let mut rows = Vec::new();
    for sanitizer in sanitizers.filter(|one| only.is_none_or(|only| *one == only)) {
        let folder = sanitizer.build()?;
        for (task, words) in TASKS {
            // The races that ThreadSanitizer would report are the program's own.
            if sanitizer == Sanitizer::Thread && *task == FUZZ_API {
                continue;
            }
            rows.push(run_task(sanitizer, task, words, &folder, &logs)?);
        }
    }
    println!(
        "{:10} {:15} {:7} {:>7}",
        "sanitizer", "task", "result", "seconds"
    );
    for row in &rows {
        let result = if row.passed { "passed" } else { "FAILED" };
        println!(
            "{:10} {:15} {result:7} {:>7}",
            row.sanitizer, row.task, row.seconds
        );
    }
    let failed = rows.iter().filter(|row| !row.passed).count();
    if failed > 0 {
        bail!(
            "{failed} of {} runs failed: see {}",
            rows.len(),
            logs.display()
        );
    }
    Ok(())
}

fn run_task(
    sanitizer: Sanitizer,
    task: &'static str,
    words: &[&str],
    folder: &Path,
    logs: &Path,
) -> Result<Row> {
    let log = logs.join(format!(
        "{}-{}.log",
        sanitizer.name(),
        task.replace(", ", "-")
    ));
    let output = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    println!("{}, {task}: {}", sanitizer.name(), log.display());
    let begin = Instant::now();
    let mut program = Command::new(folder.join("conformance"));
    program
        .args(words)
        .stderr(output.try_clone()?)
        .stdout(output);
    let status = sanitizer
        .point(&mut program, folder)
        .status()
        .with_context(|| format!("cannot start {program:?}"))?;
    Ok(Row {
        sanitizer: sanitizer.name(),
        task,
        passed: status.success(),
        seconds: begin.elapsed().as_secs(),
    })
}
