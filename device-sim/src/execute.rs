//! Runs a work-group function for every group of an NDRange on the host's threads.

use crate::arrays::Arrays;
use crate::host_threads;
use crate::scratchpad::{self, NoStorage, Parts};
use crate::work_group::{NdRange, WorkGroupContext, WorkGroupFunction};
use defects::Defect;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A launch that lasts no longer is not worth waking other threads for.
const ALONE: Duration = Duration::from_micros(15);

/// Groups a thread takes at once should last about this long.
const CHUNK: Duration = Duration::from_micros(40);

/// A launch.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The kernel.
    pub function: WorkGroupFunction,
    /// Its argument block, aligned to 128 bytes.
    pub arguments: &'a [u8],
    /// The index space.
    pub nd_range: NdRange,
    /// Bytes of local memory of a group.
    pub local_memory: u64,
    /// Local memory holds zeros when a group begins, not what was there before.
    pub zeroed: bool,
    /// Bytes of private memory of a group.
    pub private_memory: u64,
    /// The arrays it runs on.
    pub arrays: Arrays,
    /// As soon as it is true, no group begins any more.
    pub stop: Option<&'a AtomicBool>,
}

impl Launch<'_> {
    fn groups(&self) -> u64 {
        let groups = self.nd_range.groups();
        let arrays = self.arrays.count();
        if defects::has(Defect::GroupsLeftOut) && groups > arrays {
            return groups - groups % arrays;
        }
        groups
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Runs all groups, unless it is stopped; returns when the last has ended.
///
/// The launching thread starts alone; if the launch turns out to be long, the pool
/// joins in, as far as the arrays allow, and groups are taken in chunks of about equal
/// duration.
///
/// # Errors
/// The host has no memory for a scratchpad.
///
/// # Safety
/// The function must be made for this argument block, and what the block points to
/// must be valid for all groups.
pub unsafe fn execute(launch: &Launch<'_>) -> Result<(), NoStorage> {
    let groups = launch.groups();
    let begin = Instant::now();
    let mut done = 0;
    scratchpad::with(launch.local_memory, launch.private_memory, |parts| {
        let mut step = 1;
        while done < groups {
            let next = (done + step).min(groups);
            // SAFETY: as the caller promises.
            unsafe { run(launch, parts, done, next) };
            done = next;
            if done < groups && begin.elapsed() > ALONE {
                break;
            }
            step *= 2;
        }
    })?;
    if done == groups {
        return Ok(());
    }
    let each = begin.elapsed().as_nanos() as u64 / done;
    let threads = launch.arrays.host_threads() as u64;
    let chunk =
        (CHUNK.as_nanos() as u64 / each.max(1)).clamp(1, ((groups - done) / (4 * threads)).max(1));
    let shared = Shared {
        next: AtomicU64::new(done),
        chunk,
        failed: AtomicBool::new(false),
    };
    // SAFETY: as the caller promises.
    let work = || unsafe { take_chunks(launch, &shared) };
    let others = (threads - 1).min((groups - done).div_ceil(chunk).saturating_sub(1));
    host_threads::together(others as usize, &work);
    if shared.failed.into_inner() {
        return Err(NoStorage(launch.local_memory + launch.private_memory));
    }
    Ok(())
}

/// Which groups are still to be taken.
struct Shared {
    next: AtomicU64,
    chunk: u64,
    failed: AtomicBool,
}

/// # Safety
/// As `execute`.
unsafe fn take_chunks(launch: &Launch<'_>, shared: &Shared) {
    let groups = launch.groups();
    let outcome = scratchpad::with(launch.local_memory, launch.private_memory, |parts| {
        loop {
            let first = shared.next.fetch_add(shared.chunk, Ordering::Relaxed);
            if first >= groups || shared.failed.load(Ordering::Relaxed) || launch.is_stopped() {
                break;
            }
            let end = (first + shared.chunk).min(groups);
            // SAFETY: as the caller promises.
            unsafe { run(launch, parts, first, end) };
        }
    });
    if outcome.is_err() {
        shared.failed.store(true, Ordering::Relaxed);
    }
}

/// Runs groups `first` to `end` (x fastest) one after another.
///
/// # Safety
/// As `execute`.
unsafe fn run(launch: &Launch<'_>, parts: Parts, first: u64, end: u64) {
    let count = launch.nd_range.group_count;
    let mut context = WorkGroupContext {
        nd_range: launch.nd_range,
        group_id: [
            first % count[0],
            first / count[0] % count[1],
            first / (count[0] * count[1]),
        ],
        local_memory: parts.local_memory,
        private_memory: parts.private_memory,
    };
    for _ in first..end {
        if launch.is_stopped() {
            return;
        }
        if launch.zeroed {
            // SAFETY: the parts hold what the launch asks for.
            unsafe {
                parts
                    .local_memory
                    .write_bytes(0, launch.local_memory as usize)
            };
        }
        // SAFETY: as the caller promises; the parts hold what the launch asks for.
        unsafe { (launch.function)(launch.arguments.as_ptr(), &context) };
        let id = &mut context.group_id;
        id[0] += 1;
        if id[0] == count[0] {
            id[0] = 0;
            id[1] += 1;
            if id[1] == count[1] {
                id[1] = 0;
                id[2] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::thread::ThreadId;

    #[repr(C, align(128))]
    struct Arguments {
        seen: *const Mutex<Vec<([u64; 3], ThreadId)>>,
        local: u64,
        private: u64,
        pause: u64,
    }

    unsafe extern "C" fn record(arguments: *const u8, context: *const WorkGroupContext) {
        // SAFETY: the test passes such a block.
        let (arguments, context) = unsafe { (&*arguments.cast::<Arguments>(), &*context) };
        // SAFETY: the launch asked for these bytes.
        unsafe {
            context
                .local_memory
                .write_bytes(1, arguments.local as usize);
            context
                .private_memory
                .write_bytes(2, arguments.private as usize);
        }
        if arguments.pause > 0 {
            std::thread::sleep(Duration::from_micros(arguments.pause));
        }
        // SAFETY: the test keeps the list alive.
        unsafe { &*arguments.seen }
            .lock()
            .unwrap()
            .push((context.group_id, std::thread::current().id()));
    }

    fn groups_run(group_count: [u64; 3], local: u64, private: u64, pause: u64) {
        groups_run_on(Arrays::all(24), group_count, local, private, pause);
    }

    /// Checks that each group runs once; on how many host threads.
    fn groups_run_on(
        arrays: Arrays,
        group_count: [u64; 3],
        local: u64,
        private: u64,
        pause: u64,
    ) -> usize {
        let seen = Mutex::new(Vec::new());
        let arguments = Arguments {
            seen: &raw const seen,
            local,
            private,
            pause,
        };
        let nd_range = NdRange {
            work_dimensions: 3,
            global_offset: [0; 3],
            global_size: group_count.map(|count| count * 2),
            local_size: [2; 3],
            group_count,
        };
        // SAFETY: the block is what `record` reads.
        unsafe {
            let bytes = std::slice::from_raw_parts(
                (&raw const arguments).cast::<u8>(),
                size_of::<Arguments>(),
            );
            execute(&Launch {
                function: record,
                arguments: bytes,
                nd_range,
                local_memory: local,
                zeroed: false,
                private_memory: private,
                arrays,
                stop: None,
            })
            .unwrap();
        }
        let (mut seen, threads): (Vec<_>, HashSet<_>) =
            seen.into_inner().unwrap().into_iter().unzip();
        seen.sort_by_key(|id| [id[2], id[1], id[0]]);
        let mut expected = Vec::new();
        for z in 0..group_count[2] {
            for y in 0..group_count[1] {
                expected.extend((0..group_count[0]).map(|x| [x, y, z]));
            }
        }
        assert_eq!(seen, expected, "{group_count:?}");
        threads.len()
    }

    #[test]
    fn each_group_runs_once() {
        for count in [
            [1, 1, 1],
            [7, 1, 1],
            [1, 5, 3],
            [13, 11, 7],
            [1000, 3, 1],
            [2, 2, 2],
        ] {
            groups_run(count, 0, 0, 0);
        }
        groups_run([9, 3, 2], 0, 0, 50);
        groups_run([300, 1, 1], 0, 0, 20);
    }

    #[test]
    fn a_part_of_a_cluster_uses_as_many_threads_as_it_has_arrays() {
        let all = Arrays::all(24);
        for count in [1, 2, 3] {
            let threads = groups_run_on(all.part(5, count).unwrap(), [400, 1, 1], 0, 0, 50);
            assert!(threads as u64 <= count, "{threads} threads");
        }
        let threads = groups_run_on(all, [400, 1, 1], 0, 0, 50);
        assert!(threads <= host_threads::count());
    }

    #[test]
    fn every_thread_has_its_memories() {
        groups_run([50, 2, 1], 600_000, 100_000, 30);
    }
}
