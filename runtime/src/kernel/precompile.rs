//! Compilation ahead of launches: while one kernel of a program compiles or executes, background
//! threads compile others of the program that are likely to be launched next.

use host_exec::{host_threads, process_lifecycle, threads};
use kernel_compiler::executable::{Executable, NormalisedSpecialisation};
use kernel_compiler::process_end::{self, Use};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

/// A kernel to compile.
struct PendingKernel {
    /// Weak: dropped programs need no code.
    executable: Weak<Executable>,
    number: usize,
    version: NormalisedSpecialisation,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    kernels: VecDeque::new(),
    threads: 0,
});

struct Queue {
    kernels: VecDeque<PendingKernel>,
    threads: usize,
}

/// Called before the launch of kernel `number` in `version`. Starts compiling the kernels that
/// are likely to be launched next, and returns without waiting.
pub(crate) fn compile(
    executable: &Arc<Executable>,
    number: usize,
    version: &NormalisedSpecialisation,
) {
    // No thread is reserved for the caller, which will mostly wait for one of these.
    let max_threads = host_threads::count();
    if max_threads == 1 || process_lifecycle::forked() {
        return;
    }
    let mut predicted = executable.predict_launches(number, version);
    predicted.retain(|(number, version)| !executable.has_code(*number, version));
    if predicted.is_empty() {
        return;
    }
    let mut queue = QUEUE.lock();
    // Existing threads are busy.
    let threads = max_threads.min(queue.threads + predicted.len());
    for (number, version) in predicted {
        queue.kernels.push_back(PendingKernel {
            executable: Arc::downgrade(executable),
            number,
            version,
        });
    }
    while queue.threads < threads {
        // Begun here, not by the thread, so that the end of the process waits for it.
        let Ok(in_use) = Use::begin() else {
            queue.kernels.clear();
            return;
        };
        let started = threads::start("mocl3-ahead", None, move || {
            let _in_use = in_use;
            work();
        });
        match started {
            Ok(()) => queue.threads += 1,
            Err(error) => {
                // The kernels are compiled at their launches instead.
                log::debug!("no thread to compile kernels ahead: {error}");
                if queue.threads == 0 {
                    queue.kernels.clear();
                }
                break;
            }
        }
    }
}

/// Compiles until the queue is empty.
fn work() {
    loop {
        let mut queue = QUEUE.lock();
        if process_end::is_closed() {
            queue.kernels.clear();
        }
        let Some(kernel) = queue.kernels.pop_front() else {
            queue.threads -= 1;
            return;
        };
        drop(queue);
        let Some(executable) = kernel.executable.upgrade() else {
            continue;
        };
        // A launch of this code will fail for the same reason and report it.
        let code = || {
            executable
                .work_group_code(kernel.number, kernel.version)
                .is_ok()
        };
        if catch_unwind(AssertUnwindSafe(code)).is_err() {
            log::error!("compiling a kernel ahead: internal error, please report it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_compiler::executable::Specialisation;
    use kernel_compiler::options::{BuildCall, BuildOptions};
    use std::thread;
    use std::time::{Duration, Instant};

    #[test]
    fn only_the_next_kernels_are_compiled() {
        const KERNELS: usize = 20;
        if host_threads::count() == 1 {
            return;
        }
        let source: String = (0..KERNELS)
            .map(|number| format!("kernel void k{number}(global int *x) {{ *x = {number}; }}\n"))
            .collect();
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        let unit = kernel_compiler::compile(&source, &options, &[]).unwrap();
        let executable = Executable::link(&[&unit]).unwrap();
        let wanted = Specialisation {
            local_size: Some([16, 1, 1]),
            small_launch: true,
            ..Specialisation::default()
        };
        // The kernels are alike, so this is each one's version.
        let version = executable.normalise(0, wanted);
        let there = || {
            let has = |number: &usize| executable.has_code(*number, &version);
            (0..KERNELS).filter(has).collect::<Vec<_>>()
        };
        compile(&executable, 0, &version);
        compile(&executable, 1, &version);
        let start = Instant::now();
        while there() != [1, 2, 3, 4, 5] {
            assert!(start.elapsed() < Duration::from_secs(60), "{:?}", there());
            thread::sleep(Duration::from_millis(1));
        }
        // Idle threads end and keep no program alive.
        while Arc::strong_count(&executable) > 1 {
            assert!(start.elapsed() < Duration::from_secs(60), "still held");
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(there(), [1, 2, 3, 4, 5]);
    }
}
