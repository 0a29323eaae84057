//! What each change is called, why it helps, and how it is made.

use crate::profile::KernelProfile;
use crate::profile::format::{bytes, count};
use device_sim::timing::launch_timing::Activity;
use device_sim::timing::what_if::Change;

/// What a finding says of a change.
pub struct Words {
    /// The change, in a few words.
    pub title: &'static str,
    /// How to make it.
    pub remedy: &'static str,
    /// The activity whose source lines are concerned.
    pub activity: Activity,
}

/// The words for a change of a kernel.
pub fn words(change: Change, kernel: &KernelProfile) -> Words {
    if kernel.is_of_hthreads
        && let Some(words) = of_hthreads(change)
    {
        return words;
    }
    let (title, remedy, activity) = match change {
        Change::Coalesced => (
            "access consecutive elements",
            "let neighbouring work-items access neighbouring elements: exchange the indices of loops or \
             dimensions, transpose the data, or store fields of a struct in arrays of their own; let a \
             work-item load several small elements at once (vload4)",
            Activity::Memory,
        ),
        Change::Dma => (
            "move data by DMA",
            "copy what a work-group needs to local memory by async_work_group_copy, the next part into a \
             second buffer while the first one is computed on; what several work-items read is then read \
             once, and saves more than estimated",
            Activity::Memory,
        ),
        Change::LocalCopies => (
            "keep arguments in local memory",
            "copy the group's part of these arguments to local memory by async_work_group_copy before it \
             begins, and load it from there; what does not change with the group may be copied once by \
             a group that does the work of several",
            Activity::Memory,
        ),
        Change::DoubleBuffered => (
            "use two buffers",
            "start the async_work_group_copy of the next part into a second buffer before the code that \
             uses the first one; where a group has one part only, let it process several",
            Activity::DmaWait,
        ),
        Change::FewerTransfers => (
            "start fewer transfers",
            "copy several rows by one call, contiguous data by one async_work_group_copy",
            Activity::DmaWait,
        ),
        Change::LargerTransfers => (
            "transfer more at a time",
            "let a work-group copy larger parts to local memory, and compute more on each: fewer transfers \
             are started and awaited, and there are fewer barriers",
            Activity::DmaWait,
        ),
        Change::Balanced => (
            "give all arrays the same work",
            "use as many groups as a multiple of the arrays, smaller ones if there are few, and order the \
             work so that groups of the same remainder by the number of arrays take as long as others",
            Activity::Idle,
        ),
        Change::AllLanesActive => (
            "keep all lanes active",
            "let the work-items of a group that are neighbours take the same branches and as many \
             iterations; use groups of a multiple of the lanes",
            Activity::Compute,
        ),
        Change::OneLockPerGroup => (
            "use fewer global atomics",
            "combine the values of a group in local memory, and let one work-item do the atomic operation",
            Activity::LockWait,
        ),
    };
    Words {
        title,
        remedy,
        activity,
    }
}

/// The words for a change of device code of hthreads, if it has other ones than OpenCL C.
fn of_hthreads(change: Change) -> Option<Words> {
    let (title, remedy, activity) = match change {
        Change::Dma => (
            "move data by DMA",
            "copy what the code accesses in DDR to AM or SM by vector_load_async, scalar_load_async or dma_p2p, \
             the next part into a second buffer while the first one is computed on",
            Activity::Memory,
        ),
        Change::DoubleBuffered => (
            "use two buffers",
            "start the transfer of the next part into a second buffer (vector_load_async, dma_p2p) before the \
             computation on the first one, and wait for it afterwards",
            Activity::DmaWait,
        ),
        Change::Balanced => (
            "give all threads the same work",
            "divide the work so that each thread of the group computes and moves as much as the others",
            Activity::Idle,
        ),
        _ => return None,
    };
    Some(Words {
        title,
        remedy,
        activity,
    })
}

/// The place of a change among those of a kernel that save about as much: first the one that is simpler to
/// make, or that promises more than estimated.
pub fn rank(change: Change, kernel: &KernelProfile) -> u32 {
    match change {
        Change::Dma => 1,
        Change::LocalCopies if !is_loaded_repeatedly(kernel) => 2,
        _ => 0,
    }
}

/// Whether work-groups load the same bytes of some argument repeatedly.
fn is_loaded_repeatedly(kernel: &KernelProfile) -> bool {
    let mut copies = kernel.local_copies.iter();
    copies.any(|copy| copy.loaded.0 >= 2 * copy.different.0)
}

/// Why a change helps a kernel: its counters.
pub fn evidence(change: Change, kernel: &KernelProfile) -> String {
    let share = |activity: Activity| {
        let all = kernel.array_cycles.total().0.max(1);
        100.0 * kernel.array_cycles[activity].0 as f64 / all as f64
    };
    let transfers = kernel.dma_transfers.max(1);
    match change {
        Change::Coalesced | Change::Dma => format!(
            "{:.0} % of the arrays' time waits for memory; DDR moves {}",
            share(Activity::Memory),
            bytes(kernel.bandwidth.ddr.total)
        ),
        Change::LocalCopies => {
            let copies = kernel.local_copies.iter().map(|copy| {
                format!(
                    "{} of `{}`, {} of them different",
                    bytes(copy.loaded.0),
                    copy.argument,
                    bytes(copy.different.0)
                )
            });
            format!(
                "{:.0} % of the arrays' time waits for memory; a work-group loads {}",
                share(Activity::Memory),
                copies.collect::<Vec<_>>().join(", ")
            )
        }
        Change::DoubleBuffered | Change::FewerTransfers | Change::LargerTransfers => format!(
            "{:.0} % of the arrays' time waits for {} transfers of {} on average",
            share(Activity::DmaWait),
            count(kernel.dma_transfers),
            bytes(kernel.dma_bytes / transfers)
        ),
        Change::Balanced if kernel.is_of_hthreads => format!(
            "{:.0} % of the arrays' time is idle or waits at barriers; of {} arrays, the busiest one has {:.2} times \
             the mean's work",
            share(Activity::Idle) + share(Activity::Barrier),
            kernel.arrays,
            kernel.imbalance
        ),
        Change::Balanced => format!(
            "{:.0} % of the arrays' time is idle; {} groups in {} launches on {} arrays, of which the \
             busiest one has {:.2} times the mean's work",
            share(Activity::Idle),
            count(kernel.groups),
            count(kernel.launches),
            kernel.arrays,
            kernel.imbalance
        ),
        Change::AllLanesActive => format!(
            "{:.1} of {} lanes are active on average",
            kernel.lanes_active.unwrap_or(0.0),
            kernel.lanes
        ),
        Change::OneLockPerGroup => format!(
            "{:.0} % of the arrays' time waits for locks, of which {} groups take {}",
            share(Activity::LockWait),
            count(kernel.groups),
            count(kernel.locks)
        ),
    }
}
