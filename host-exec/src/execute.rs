//! Runs a work-group function for every group of an NDRange on the host's threads.

use crate::dma_checker::DmaChecker;
use crate::fault;
use crate::host_threads;
use crate::scratchpad::{self, NoStorage, Parts};
use crate::work_group::{NdRange, WorkGroupContext, WorkGroupFunction};
use crate::work_partition::GroupRanges;
use device_sim::array_range::ArrayRange;
use device_sim::timing::recorder::Recorder;
use device_sim::timing::recorder_shard::RecorderShard;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A launch that lasts no longer is not worth calling threads for that look for work.
const ALONE: Duration = Duration::from_micros(12);

/// A launch that lasts no longer is not worth waking threads for.
const ALONE_IF_OTHERS_SLEEP: Duration = Duration::from_micros(15);

/// How long the groups of a kernel last: what the launch before found out.
#[derive(Debug, Default)]
pub struct GroupTimeEstimate {
    /// Nanoseconds of a group, in 2^-10; 0 if there was no launch.
    group: AtomicU64,
}

impl GroupTimeEstimate {
    /// How long so many groups will last on one thread, if that is known.
    fn expected(&self, groups: u64) -> Option<Duration> {
        let group = self.group.load(Ordering::Relaxed);
        let nanoseconds = group.saturating_mul(groups) >> 10;
        (group > 0).then(|| Duration::from_nanos(nanoseconds))
    }

    /// So many groups have lasted so long.
    fn set(&self, groups: u64, duration: Duration) {
        let group = ((duration.as_nanos() as u64) << 10) / groups.max(1);
        self.group.store(group.max(1), Ordering::Relaxed);
    }
}

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
    pub arrays: ArrayRange,
    /// As soon as it is true, no group begins any more.
    pub stop: Option<&'a AtomicBool>,
    /// Of launches of this kernel with this local size.
    pub group_time: &'a GroupTimeEstimate,
    /// Of code that tells of its accesses: what is found.
    pub checker: Option<&'a DmaChecker>,
    /// Of timed code: what notes down what it does.
    pub recorder: Option<&'a Recorder>,
}

impl Launch<'_> {
    fn groups(&self) -> u64 {
        fault::groups_to_run(self.nd_range.groups(), self.arrays.count())
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Runs all groups, unless it is stopped; returns when the last has ended.
///
/// If the launch before was short, or there was none, the launching thread starts alone;
/// the pool joins in, as far as the arrays allow, if the launch turns out to be long. Else
/// it does so from the beginning.
///
/// # Errors
/// The host has no memory for a scratchpad.
///
/// # Safety
/// The function must be made for this argument block, and what the block points to
/// must be valid for all groups.
pub unsafe fn execute(launch: &Launch<'_>) -> Result<(), NoStorage> {
    let groups = launch.groups();
    let threads = (host_threads::for_arrays(launch.arrays) as u64).min(groups) as usize;
    if threads <= 1 {
        return scratchpad::with(launch.local_memory, launch.private_memory, |parts| {
            // SAFETY: as the caller promises.
            unsafe { run(&mut Thread::new(launch, parts), 0, groups) };
        });
    }
    let alone = match host_threads::are_awake() {
        true => ALONE,
        false => ALONE_IF_OTHERS_SLEEP,
    };
    let mut done = 0;
    let expected = launch.group_time.expected(groups);
    if expected.is_none_or(|expected| expected <= alone) {
        // SAFETY: as the caller promises.
        done = unsafe { run_alone(launch, alone) }?;
    }
    if done == groups {
        return Ok(());
    }
    let group = launch.group_time.expected(1).unwrap_or_default();
    let shares = GroupRanges::new(done..groups, threads, group);
    let failed = AtomicBool::new(false);
    // SAFETY: as the caller promises.
    let work = |thread| unsafe { run_shares(launch, &shares, thread, &failed) };
    let others = (threads - 1).min((groups - done) as usize - 1);
    host_threads::together(others, &work);
    if failed.into_inner() {
        return Err(NoStorage(launch.local_memory + launch.private_memory));
    }
    Ok(())
}

/// Runs groups on this thread until all have ended, or the time is over; how many it ran.
///
/// # Safety
/// As `execute`.
unsafe fn run_alone(launch: &Launch<'_>, time: Duration) -> Result<u64, NoStorage> {
    let groups = launch.groups();
    let expected = launch.group_time.expected(groups).is_some();
    // As many as take about a third of the time are sure not to be too many.
    let mut step = match launch.group_time.expected(1) {
        Some(group) => (time.as_nanos() / 3 / group.as_nanos().max(1)).max(1) as u64,
        None => 1,
    };
    if expected {
        step = step.min(groups);
    }
    let begin = Instant::now();
    let mut done = 0;
    scratchpad::with(launch.local_memory, launch.private_memory, |parts| {
        let mut thread = Thread::new(launch, parts);
        while done < groups {
            let next = (done + step).min(groups);
            // SAFETY: as the caller promises.
            unsafe { run(&mut thread, done, next) };
            done = next;
            if done < groups && begin.elapsed() > time {
                break;
            }
            step *= 2;
        }
    })?;
    launch.group_time.set(done, begin.elapsed());
    Ok(done)
}

/// Runs groups as long as there are any.
///
/// # Safety
/// As `execute`.
unsafe fn run_shares(
    launch: &Launch<'_>,
    shares: &GroupRanges,
    number: usize,
    failed: &AtomicBool,
) {
    let outcome = scratchpad::with(launch.local_memory, launch.private_memory, |parts| {
        let begin = Instant::now();
        let mut done = 0;
        let mut thread = Thread::new(launch, parts);
        while let Some(groups) = shares.take(number) {
            if failed.load(Ordering::Relaxed) || launch.is_stopped() {
                return;
            }
            done += groups.end - groups.start;
            // SAFETY: as the caller promises.
            unsafe { run(&mut thread, groups.start, groups.end) };
        }
        if number == 0 && done > 0 {
            launch.group_time.set(done, begin.elapsed());
        }
    });
    if outcome.is_err() {
        failed.store(true, Ordering::Relaxed);
    }
}

/// What a thread runs groups with.
struct Thread<'a> {
    launch: &'a Launch<'a>,
    parts: Parts,
    /// Of timed code.
    recording: Option<(&'a Recorder, RecorderShard)>,
}

impl<'a> Thread<'a> {
    fn new(launch: &'a Launch<'a>, parts: Parts) -> Self {
        let local_memory = parts.local_memory.addr();
        let local_memory = local_memory..local_memory + launch.local_memory as usize;
        let part = |recorder: &'a Recorder| (recorder, recorder.take_shard(local_memory));
        Self {
            launch,
            parts,
            recording: launch.recorder.map(part),
        }
    }
}

impl Drop for Thread<'_> {
    fn drop(&mut self) {
        if let Some((recorder, part)) = self.recording.take() {
            recorder.return_shard(part);
        }
    }
}

/// Runs groups `first` to `end` (x fastest) one after another.
///
/// # Safety
/// As `execute`.
unsafe fn run(thread: &mut Thread<'_>, first: u64, end: u64) {
    let Thread {
        launch,
        parts,
        recording,
    } = thread;
    let count = launch.nd_range.group_count;
    let (mut counters, mut noted) = (std::ptr::null_mut(), std::ptr::null_mut());
    if let Some((_, part)) = recording {
        counters = part.counters().as_mut_ptr();
        noted = std::ptr::from_mut(part.group_recorder()).cast();
    }
    let mut context = WorkGroupContext {
        nd_range: launch.nd_range,
        group_id: [
            first % count[0],
            first / count[0] % count[1],
            first / (count[0] * count[1]),
        ],
        local_memory: parts.local_memory,
        private_memory: parts.private_memory,
        counters,
        recorder: noted,
    };
    for group in first..end {
        if launch.is_stopped() {
            break;
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
        if let Some((recorder, part)) = recording {
            recorder.end_group(part, group);
        }
        if let Some(checker) = launch.checker {
            checker.group_ended();
        }
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
        groups_run_on(ArrayRange::all(24), group_count, local, private, pause);
    }

    /// Checks that each group runs once; on how many host threads.
    fn groups_run_on(
        arrays: ArrayRange,
        group_count: [u64; 3],
        local: u64,
        private: u64,
        pause: u64,
    ) -> usize {
        groups_run_at(
            &GroupTimeEstimate::default(),
            arrays,
            group_count,
            local,
            private,
            pause,
        )
    }

    fn groups_run_at(
        group_time: &GroupTimeEstimate,
        arrays: ArrayRange,
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
                group_time,
                checker: None,
                recorder: None,
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

    /// What launches expect may be wrong either way.
    #[test]
    fn each_group_runs_once_whatever_is_expected() {
        let group_time = GroupTimeEstimate::default();
        let all = ArrayRange::all(24);
        for (count, pause) in [
            ([3000, 1, 1], 0),
            ([200, 1, 1], 50),
            ([10, 10, 1], 0),
            ([2, 1, 1], 1000),
            ([100_000, 1, 1], 0),
            ([1, 1, 1], 0),
            ([3, 5, 7], 10),
        ] {
            groups_run_at(&group_time, all, count, 0, 0, pause);
            groups_run_at(&group_time, all, count, 0, 0, pause);
        }
        for (groups, duration) in [(1, Duration::MAX), (u64::MAX, Duration::ZERO)] {
            group_time.set(groups, duration.min(Duration::from_secs(1 << 30)));
            groups_run_at(&group_time, all, [300, 2, 1], 0, 0, 0);
        }
    }

    #[test]
    fn a_long_launch_is_shared_from_its_beginning_the_second_time() {
        let all = ArrayRange::all(24);
        let group_time = GroupTimeEstimate::default();
        assert_eq!(group_time.expected(2), None);
        groups_run_at(&group_time, all, [2, 1, 1], 0, 0, 2000);
        assert!(group_time.expected(2) > Some(Duration::from_millis(3)));
    }

    #[test]
    fn a_part_of_a_cluster_uses_as_many_threads_as_it_has_arrays() {
        let all = ArrayRange::all(24);
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
