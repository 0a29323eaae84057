//! Jobs that run at the same time, as many as the host has processors. Each uses one thread, so that no
//! processor waits for the last tests of a program.

use anyhow::Result;
use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What became of a job's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What is printed when the job has ended.
    pub output: String,
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
}

/// A job.
pub struct Job<'a> {
    /// What it runs.
    pub name: String,
    /// Runs it; an error counts as one failed test.
    pub run: Box<dyn FnOnce() -> Result<Outcome> + Send + 'a>,
}

/// Runs the jobs, the first ones first, and prints what they print one after the other. Returns the numbers of passed
/// and failed tests.
pub fn run(jobs: Vec<Job<'_>>) -> (usize, usize) {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let pending = Mutex::new(VecDeque::from(jobs));
    let totals = Mutex::new((0, 0));
    let next = || {
        pending
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    };
    let work = || {
        while let Some(job) = next() {
            let start = Instant::now();
            let outcome = (job.run)().unwrap_or_else(|error| Outcome {
                output: format!("{error:#}\n"),
                passed: 0,
                failed: 1,
            });
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            totals.0 += outcome.passed;
            totals.1 += outcome.failed;
            // While the totals are locked, no other job prints.
            print!("{}", outcome.output);
            println!("== {} s: {}", start.elapsed().as_secs(), job.name);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    totals.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn all_jobs_are_counted() {
        let job = |number: usize| Job {
            name: number.to_string(),
            run: Box::new(move || {
                if number == 3 {
                    bail!("cannot start");
                }
                Ok(Outcome {
                    passed: number,
                    failed: number % 2,
                    ..Outcome::default()
                })
            }),
        };
        assert_eq!(run((0..6).map(job).collect()), (12, 3));
        assert_eq!(run(Vec::new()), (0, 0));
    }
}
