//! What gdb reads of the threads (`tools/mocl3/gdb/mocl3.py`): it hangs if conditions of breakpoints call
//! functions here.

use crate::device_thread::DeviceThread;
use environment::DEBUG;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// Clusters of an MT-3000 node; the threads of further ones, of other machines, are not noted.
const CLUSTERS: usize = 4;

/// No thread runs.
const NONE: i32 = -1;

/// For each cluster the number in its group of the thread that runs, where a debugger runs the process:
/// the threads of a cluster run one after another then.
#[unsafe(export_name = "mocl3_debug_hthreads")]
pub static RUNNING: [AtomicI32; CLUSTERS] = [const { AtomicI32::new(NONE) }; CLUSTERS];

/// Notes that a thread begins to run, or that it does no longer.
pub fn note(thread: &DeviceThread, runs: bool) {
    static IS_ON: LazyLock<bool> = LazyLock::new(|| DEBUG.get().is_some());
    if !*IS_ON {
        return;
    }
    if let Some(running) = RUNNING.get(thread.group.cluster() as usize) {
        let number = if runs { thread.number as i32 } else { NONE };
        running.store(number, Ordering::Relaxed);
    }
}
