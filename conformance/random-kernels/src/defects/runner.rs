//! Runs kernels with an injected error, and their twins without, under the platform's checks.

use super::Defect;
use super::injection::inject;
use crate::ast::Program;
use crate::generator::Profile;
use crate::{runner, threads};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use harness::worker::Answer;
use harness::worker_process::{Process, Reply};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run.
pub struct Plan {
    /// Seed of the first kernel; each further kernel has the next one.
    pub seed: u64,
    /// Number of kernels with an error.
    pub kernels: u64,
    /// Maximum number of processes at a time.
    pub jobs: usize,
    /// What is checked: the value of `MOCL3_CHECK`.
    pub checks: String,
}

/// Percentage of the errors that have to be found.
const TO_FIND: u64 = 95;

/// What was seen of one kind of error.
#[derive(Clone, Copy, Default)]
struct Tally {
    injected: u64,
    found: u64,
}

/// What was seen.
#[derive(Default)]
struct Summary {
    tallies: [Tally; Defect::ALL.len()],
    /// Twins without an error that had findings.
    false_findings: u64,
}

/// Runs the plan in processes made by `command`, and prints what was found. True if enough errors
/// were found, and nothing in kernels without.
///
/// # Errors
/// No process can be started, the platform is not there, or its findings cannot be read.
pub fn run(plan: &Plan, command: &(dyn Fn() -> Command + Sync)) -> Result<bool> {
    println!(
        "{} kernels with an error from seed {}",
        plan.kernels, plan.seed
    );
    let next = AtomicU64::new(plan.seed);
    let summary = Mutex::new(Summary::default());
    let last = plan.seed.saturating_add(plan.kernels);
    let work = || -> Result<()> {
        let folder = tempfile::tempdir()?;
        let checking = || {
            let mut command = command();
            command
                .env("MOCL3_CHECK", &plan.checks)
                .env("MOCL3_FINDINGS", folder.path());
            command
        };
        let mut checked = Checked {
            process: Process::new(&checking),
            findings: FindingsReader {
                folder: folder.path(),
                files: HashMap::new(),
            },
        };
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= last {
                return Ok(());
            }
            one_pair(seed, &mut checked, &summary)?;
        }
    };
    threads::run(plan.jobs, work)?
        .into_iter()
        .collect::<Result<()>>()?;
    let summary = summary.into_inner().expect("no thread panicked");
    Ok(summary.print())
}

/// A kernel into which the seed's error can be injected, with and without it.
fn one_pair(seed: u64, checked: &mut Checked<'_>, summary: &Mutex<Summary>) -> Result<()> {
    let number = (seed % Defect::ALL.len() as u64) as usize;
    let defect = Defect::ALL[number];
    let mut random = Rng::with_seed(seed);
    let profile = Profile {
        barriers: random.bool(),
        ..Profile::default()
    };
    let of_attempts = (0..).map(|attempt: u64| seed.wrapping_mul(1 << 20).wrapping_add(attempt));
    let (right, wrong) = of_attempts
        .take(1000)
        .find_map(|seed| {
            let (right, _) = runner::kernel(seed, profile);
            let wrong = inject(&right, defect, &mut random)?;
            Some((right, wrong))
        })
        .context("no kernel has room for the error")?;
    let of_right = checked.findings(&right)?;
    let of_wrong = checked.findings(&wrong)?;
    let is_found = of_wrong.iter().any(|finding| {
        defect
            .findings()
            .iter()
            .any(|kind| finding.starts_with(kind))
    });
    let mut summary = summary.lock().expect("no thread panics");
    summary.tallies[number].injected += 1;
    summary.tallies[number].found += u64::from(is_found);
    if !is_found {
        println!(
            "\n==== seed {seed}: {} not found, but {of_wrong:?}\n{}",
            defect.name(),
            runner::describe(&wrong)
        );
    }
    if !of_right.is_empty() {
        summary.false_findings += 1;
        println!(
            "\n==== seed {seed}: the kernel without the error has {of_right:?}\n{}",
            runner::describe(&right)
        );
    }
    Ok(())
}

impl Summary {
    /// Prints a table; true if it is good.
    fn print(&self) -> bool {
        println!("{:20} {:>8} {:>8}", "error", "injected", "found");
        let mut all = Tally::default();
        for (defect, tally) in Defect::ALL.into_iter().zip(self.tallies) {
            println!(
                "{:20} {:>8} {:>8}",
                defect.name(),
                tally.injected,
                tally.found
            );
            all.injected += tally.injected;
            all.found += tally.found;
        }
        println!("{:20} {:>8} {:>8}", "all", all.injected, all.found);
        println!(
            "kernels without an error, with findings: {}",
            self.false_findings
        );
        all.found * 100 >= all.injected * TO_FIND && self.false_findings == 0
    }
}

/// A process that runs kernels under checks.
struct Checked<'c> {
    process: Process<'c>,
    findings: FindingsReader<'c>,
}

impl Checked<'_> {
    /// What is found in a kernel: kind and line of each finding, or how the process failed.
    fn findings(&mut self, program: &Program) -> Result<Vec<String>> {
        let reply = self.process.ask(&runner::request(program, "")?)?;
        let mut findings = self.findings.read()?;
        match reply {
            Reply::Answered(Answer::Ran(_)) => {}
            Reply::Answered(Answer::BuildFailed(text) | Answer::Failed(text)) => {
                findings.push(text);
            }
            Reply::Failed(failure) => findings.push(failure.to_string()),
        }
        Ok(findings)
    }
}

/// Reads the files that processes write into the folder `MOCL3_FINDINGS`.
struct FindingsReader<'f> {
    folder: &'f Path,
    files: HashMap<PathBuf, FindingsFile>,
}

#[derive(Default)]
struct FindingsFile {
    /// Bytes that have been read.
    read: usize,
    /// Its findings, which later lines refer to by number.
    findings: Vec<String>,
}

impl FindingsReader<'_> {
    /// The findings since the last call.
    fn read(&mut self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.folder)? {
            let path = entry?.path();
            let text = fs::read_to_string(&path)?;
            let file = self.files.entry(path).or_default();
            for line in text[file.read..].lines() {
                let line: Value = serde_json::from_str(line)?;
                let number = match line["again"]["number"].as_u64() {
                    Some(number) => number as usize,
                    None => {
                        let finding = &line["finding"];
                        let kind = finding["kind"].as_str().context("a kind")?;
                        let line = &finding["place"]["line"];
                        file.findings.push(format!("{kind}, line {line}"));
                        file.findings.len() - 1
                    }
                };
                found.push(file.findings.get(number).context("a number")?.clone());
            }
            file.read = text.len();
        }
        Ok(found)
    }
}
