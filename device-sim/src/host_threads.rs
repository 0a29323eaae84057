//! The host threads that run work-groups. One pool serves all clusters: it is as
//! wide as the host, whatever the machine simulated is.

use crate::process;
use once_cell::sync::Lazy;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How many host threads run work-groups: a number from 1 on.
pub const VARIABLE: &str = "MOCL3_HOST_THREADS";

/// Most threads that `MOCL3_HOST_THREADS` may ask for.
const MOST: usize = 4096;

/// Kernels keep large private data elsewhere; calls of library functions need some.
const STACK_BYTES: usize = 8 << 20;

/// How many threads run work-groups together, the launching thread included.
pub fn count() -> usize {
    static COUNT: Lazy<usize> = Lazy::new(|| {
        let host = std::thread::available_parallelism().map_or(1, usize::from);
        let Some(text) = std::env::var_os(VARIABLE) else {
            return host;
        };
        parse(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!("{VARIABLE}={text:?} is no number from 1 to {MOST}; using {host}");
            host
        })
    });
    *COUNT
}

fn parse(text: &str) -> Option<usize> {
    let count: usize = text.trim().parse().ok()?;
    (1..=MOST).contains(&count).then_some(count)
}

/// The threads beside the launching one. None if there are none: one host thread
/// only, a child of `fork`, or a system that starts no more threads.
pub(crate) fn pool() -> Option<&'static ThreadPool> {
    static POOL: Lazy<Option<ThreadPool>> = Lazy::new(|| {
        process::watch();
        if count() == 1 {
            return None;
        }
        ThreadPoolBuilder::new()
            .num_threads(count() - 1)
            .thread_name(|index| format!("mocl3-host-{index}"))
            .stack_size(STACK_BYTES)
            .build()
            .inspect_err(|error| log::warn!("no host threads: {error}"))
            .ok()
    });
    if process::forked() {
        return None;
    }
    POOL.as_ref()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_variable_is_a_number_from_one() {
        assert_eq!(parse(" 3 "), Some(3));
        for bad in ["", "0", "-1", "four", "100000"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
