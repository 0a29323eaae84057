//! Threads that do the same work until nothing is left.

use anyhow::Result;

/// Calls `work` on `jobs` threads, at least one, and waits for all of them.
///
/// # Errors
/// The error of the first thread in their order that has one.
///
/// # Panics
/// `work` panics.
pub fn run(jobs: usize, work: impl Fn() -> Result<()> + Sync) -> Result<()> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(&work)).collect();
        for thread in threads {
            thread.join().expect("a thread of a run panicked")?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_thread_works_and_errors_are_passed_on() {
        let calls = AtomicUsize::new(0);
        let outcome = run(3, || match calls.fetch_add(1, Ordering::Relaxed) {
            1 => anyhow::bail!("the second"),
            _ => Ok(()),
        });
        assert_eq!(outcome.unwrap_err().to_string(), "the second");
        assert_eq!(calls.into_inner(), 3);
    }

    #[test]
    fn there_is_at_least_one_thread() {
        let calls = AtomicUsize::new(0);
        run(0, || {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
        .unwrap();
        assert_eq!(calls.into_inner(), 1);
    }
}
