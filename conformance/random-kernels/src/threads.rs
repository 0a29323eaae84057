//! Threads whose stacks suffice for interpreting nested expressions.

use anyhow::Result;
use std::thread::{self, Builder};

/// Size of their stacks, bytes.
const STACK: usize = 64 << 20;

/// Runs `work` on that many threads at the same time, at least one; the results of all.
///
/// # Errors
/// A thread cannot be started.
///
/// # Panics
/// `work` panicked.
pub fn run<R: Send>(count: usize, work: impl Fn() -> R + Sync) -> Result<Vec<R>> {
    thread::scope(|scope| {
        let start = || Builder::new().stack_size(STACK).spawn_scoped(scope, &work);
        let threads = (0..count.max(1)).map(|_| start());
        let threads = threads.collect::<std::io::Result<Vec<_>>>()?;
        let join = |thread: thread::ScopedJoinHandle<'_, R>| {
            thread.join().expect("a thread that runs kernels panicked")
        };
        Ok(threads.into_iter().map(join).collect())
    })
}
