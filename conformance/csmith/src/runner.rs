//! Runs csmith's programs and reports failures.

use super::configurations::Configuration;
use super::{external, translation};
use anyhow::Result;
use harness::jobs;
use harness::worker::{Answer, Argument, Request};
use harness::worker_process::{Failure, Process, Reply};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Work-items of each program: two groups, each of which fills one and a half vectors of sixteen
/// lanes.
pub const ITEMS: usize = 48;
const GROUP: usize = 24;

/// A run ends after this number of failures.
const ENOUGH_FAILURES: u64 = 20;

/// A run of the fuzzer.
pub struct Plan {
    /// Seed of the first program; each further program has the next one.
    pub seed: u64,
    /// Number of programs.
    pub programs: u64,
    /// Maximum number of programs at a time.
    pub jobs: usize,
    /// The configurations of each program.
    pub configurations: Vec<&'static Configuration>,
    /// Time limit of a program in one configuration.
    pub limit: Duration,
}

/// Starts a process for a configuration, with its folder for recordings.
pub type Start = dyn Fn(&Configuration, &Path) -> Command + Sync;

/// The result of a program.
enum Outcome {
    Passed,
    /// The program does not end in time on the host, so there is nothing to compare.
    LeftOut,
    /// A report for each configuration in which it failed.
    Failed(Vec<String>),
}

/// Runs the plan and returns the number of programs that failed.
///
/// # Errors
/// csmith, gcc or the platform is missing.
pub fn run(plan: &Plan, start: &Start) -> Result<u64> {
    let names: Vec<&str> = plan.configurations.iter().map(|one| one.name).collect();
    println!(
        "{} programs from seed {} in the configurations {}",
        plan.programs,
        plan.seed,
        names.join(", ")
    );
    let next = AtomicU64::new(0);
    let (failed, left_out) = (AtomicU64::new(0), AtomicU64::new(0));
    let report = Mutex::new(());
    jobs::run(plan.jobs, || {
        let bench = Bench::new(plan, start)?;
        bench.serve(|check| {
            while failed.load(Ordering::Relaxed) < ENOUGH_FAILURES {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= plan.programs {
                    break;
                }
                let seed = plan.seed + number;
                let program = translation::translate(&external::csmith(seed)?, ITEMS)?;
                match check(&program)? {
                    Outcome::Passed => {}
                    Outcome::LeftOut => {
                        left_out.fetch_add(1, Ordering::Relaxed);
                    }
                    Outcome::Failed(reports) => {
                        failed.fetch_add(1, Ordering::Relaxed);
                        let _one_at_a_time = report.lock();
                        print_failure(&format!("seed {seed}"), &reports);
                        println!("again: cargo xtask csmith --seed {seed} --programs 1");
                    }
                }
                if (number + 1).is_multiple_of(100) {
                    println!("{} programs done", number + 1);
                }
            }
            Ok(())
        })
    })?;
    let failed = failed.into_inner();
    println!(
        "{} programs from seed {} in {} configurations: {failed} failed; {} left out, which do \
         not end in time on the host",
        next.into_inner().min(plan.programs),
        plan.seed,
        names.len(),
        left_out.into_inner()
    );
    Ok(failed)
}

/// Runs one text of the form of [`translation::translate`] by the plan. Returns whether it passed.
///
/// # Errors
/// As [`run`], and the host's compiler refuses the text, or the program does not end.
pub fn run_text(text: &str, plan: &Plan, start: &Start) -> Result<bool> {
    Bench::new(plan, start)?.serve(|check| match check(text)? {
        Outcome::Passed => {
            println!("passed in {} configurations", plan.configurations.len());
            Ok(true)
        }
        Outcome::LeftOut => anyhow::bail!("it does not end in time on the host"),
        Outcome::Failed(reports) => {
            print_failure("the file", &reports);
            Ok(false)
        }
    })
}

fn print_failure(name: &str, reports: &[String]) {
    println!("\n==== {name}");
    for report in reports {
        println!("{report}");
    }
}

/// The worker processes of a thread, and the folder of its files.
struct Bench<'p> {
    plan: &'p Plan,
    start: &'p Start,
    folder: tempfile::TempDir,
}

impl<'p> Bench<'p> {
    fn new(plan: &'p Plan, start: &'p Start) -> Result<Self> {
        Ok(Self {
            plan,
            start,
            folder: tempfile::tempdir()?,
        })
    }

    /// Calls `work` with a function that runs a program in all configurations.
    fn serve<R>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(&str) -> Result<Outcome>) -> Result<R>,
    ) -> Result<R> {
        let commands: Vec<_> = (self.plan.configurations.iter())
            .map(|&configuration| move || (self.start)(configuration, self.folder.path()))
            .collect();
        let mut processes: Vec<Process<'_>> = (commands.iter())
            .map(|command| Process::new(command).with_limit(self.plan.limit))
            .collect();
        work(&mut |program| self.check(program, &mut processes))
    }

    /// Runs a program on the host and in all configurations.
    fn check(&self, program: &str, processes: &mut [Process<'_>]) -> Result<Outcome> {
        let Some(expected) = external::on_host(program, "-O1", self.folder.path())? else {
            return Ok(Outcome::LeftOut);
        };
        let mut reports = Vec::new();
        for (configuration, process) in self.plan.configurations.iter().zip(processes) {
            let failure = match process.ask(&request(program, configuration))? {
                Reply::Failed(failure) => Some(failure),
                Reply::Answered(answer) => judge(&expected, answer),
            };
            if let Some(failure) = failure {
                reports.push(format!("{}: {failure}", configuration.name));
            }
        }
        if reports.is_empty() {
            return Ok(Outcome::Passed);
        }
        // If two builds of the host's compiler differ, the program is at fault.
        if external::on_host(program, "-O0", self.folder.path())?.as_ref() != Some(&expected) {
            reports.push("without optimisation the host says something else".to_owned());
        }
        Ok(Outcome::Failed(reports))
    }
}

fn request(program: &str, configuration: &Configuration) -> Request {
    Request {
        source: program.to_owned(),
        options: configuration.options.to_owned(),
        kernel: translation::KERNEL.to_owned(),
        arguments: vec![Argument::Buffer(vec![0; ITEMS * size_of::<u64>()])],
        global: vec![ITEMS],
        local: vec![GROUP],
        offset: vec![0],
    }
}

/// The failure of an answer, if it is wrong.
fn judge(expected: &[u64], answer: Answer) -> Option<Failure> {
    let buffers = match answer {
        Answer::BuildFailed(log) => return Some(Failure::BuildFailed(log)),
        Answer::Failed(error) => return Some(Failure::CallFailed(error)),
        Answer::Ran(buffers) => buffers,
    };
    let bytes = buffers.concat();
    let got: Vec<u64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect();
    if got.len() != expected.len() {
        return Some(Failure::Wrong(format!("{} sums", got.len())));
    }
    let different: Vec<usize> = (0..got.len())
        .filter(|&item| got[item] != expected[item])
        .collect();
    let &first = different.first()?;
    Some(Failure::Wrong(format!(
        "work-item {first}: {:x}, not {:x}; work-items that differ: {different:?}",
        got[first], expected[first]
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_work_items_sum_counts() {
        let bytes = |sums: [u64; 3]| sums.map(u64::to_le_bytes).concat();
        let answer = |sums| Answer::Ran(vec![bytes(sums)]);
        assert!(judge(&[1, 2, 3], answer([1, 2, 3])).is_none());
        let text = judge(&[1, 2, 3], answer([1, 5, 9])).unwrap().to_string();
        assert!(
            text.contains("work-item 1: 5, not 2; work-items that differ: [1, 2]"),
            "{text}"
        );
        assert!(judge(&[1, 2], answer([1, 2, 3])).is_some());
    }
}
