//! Runs a work-group function for every group of an NDRange on the host's threads.

use crate::definedness;
use crate::dma_checker;
use crate::error::ExecError;
use crate::group_order::GroupOrder;
use crate::host_threads;
use crate::launch::Launch;
use crate::races::checker::RaceChecker;
use crate::scratchpad::GroupMemories;
use crate::signals::running_group::{Mark, RunningGroup};
use crate::signals::{self, running_launches};
use crate::store_trial::{EndedLaunch, Stores};
use crate::threads;
use crate::time_limit::abandonable_call::{self, Resumption};
use crate::time_limit::{self, LaunchLimit, Limited};
use crate::work_group::{WorkGroupContext, WorkGroupFunction};
use crate::work_partition::GroupRanges;
use device_sim::timing::cost::GroupDependence;
use device_sim::timing::recorder::Recorder;
use device_sim::timing::recorder_shard::RecorderShard;
use once_cell::sync::OnceCell;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// Maximum expected duration of a launch that one thread runs although pool threads spin.
const SERIAL_TIME: Duration = Duration::from_micros(12);

/// Maximum expected duration of a launch that one thread runs if pool threads would have to be woken.
const SERIAL_TIME_IF_ASLEEP: Duration = Duration::from_micros(15);

/// Minimum expected duration of a thread's share of a launch: less is not worth waking a thread,
/// which takes the launching thread a few microseconds.
const MIN_SHARE: Duration = Duration::from_micros(5);

/// Runs all groups, unless it is stopped; returns when the last has ended.
///
/// If the launch is expected to be short, or nothing is known of it, the launching thread starts
/// alone, and pool threads, at most as many as the launch has arrays, join only if it turns out to
/// be long. Otherwise they join from the beginning. Their number is in proportion to the expected
/// duration.
///
/// ```
/// use device_sim::array_range::ArrayRange;
/// use host_exec::execute::execute;
/// use host_exec::group_order::GroupOrder;
/// use host_exec::launch::{
///     CodeAddresses, GroupTimeEstimate, Launch, LaunchConfiguration, next_number,
/// };
/// use host_exec::store_trial::Stores;
/// use host_exec::work_group::{NdRange, WorkGroupContext};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// static SUM: AtomicU64 = AtomicU64::new(0);
///
/// unsafe extern "C" fn add_group_id(_: *const u8, context: *const WorkGroupContext) {
///     // SAFETY: the executor passes a valid context.
///     SUM.fetch_add(unsafe { (*context).group_id[0] }, Ordering::Relaxed);
/// }
///
/// let nd_range = NdRange {
///     work_dimensions: 1,
///     global_offset: [0; 3],
///     global_size: [40, 1, 1],
///     local_size: [4, 1, 1],
///     group_count: [10, 1, 1],
/// };
/// let launch = Launch {
///     kernel: &"add_group_id",
///     number: next_number(),
///     function: add_group_id,
///     code: CodeAddresses::default(),
///     stack_bytes: 0,
///     arguments: &[],
///     configuration: LaunchConfiguration {
///         nd_range,
///         group_order: GroupOrder::X_FIRST,
///         local_memory: 0,
///         zeroes_local_memory: false,
///         private_memory: 0,
///         machine_private_memory: 0,
///     },
///     arrays: ArrayRange::all(24),
///     stop: None,
///     limit: None,
///     group_time: &GroupTimeEstimate::default(),
///     store_trial: None,
///     stores: Stores::Streaming,
///     dma_checker: None,
///     memory_checker: None,
///     barrier_checker: None,
///     race_checker: None,
///     recorder: None,
///     counter_slice: None,
/// };
/// // SAFETY: the function does not use its arguments.
/// unsafe { execute(&launch) }.unwrap();
/// assert_eq!(SUM.load(Ordering::Relaxed), 45);
/// ```
///
/// # Errors
/// The host has no memory for a scratchpad, no stack for the code, or the launch took too long
/// (`MOCL3_TIMEOUT`).
///
/// # Safety
/// The function must have been compiled for this argument block, and the block's pointers must be
/// valid for all groups.
pub unsafe fn execute(launch: &Launch<'_>) -> Result<(), ExecError> {
    signals::install();
    let _entered = running_launches::enter(launch);
    let limited = time_limit::begin();
    let launch = Launch {
        limit: limited.as_ref().map(Limited::limit),
        ..*launch
    };
    // SAFETY: as the caller promises.
    unsafe { execute_on_trial(launch) }?;
    limited.as_ref().map_or(Ok(()), Limited::check)?;
    Ok(())
}

/// Runs the groups of these numbers one after another on this thread.
///
/// # Errors
/// Those of `execute`.
///
/// # Safety
/// As `execute`.
pub unsafe fn execute_sample(launch: &Launch<'_>, groups: &[u64]) -> Result<(), ExecError> {
    signals::install();
    let _entered = running_launches::enter(launch);
    launch.with_memories(|memories| {
        let mut thread = Thread::new(launch, memories);
        for group in groups {
            // SAFETY: as the caller promises.
            unsafe { run(&mut thread, *group, group + 1) };
        }
    })?;
    Ok(())
}

/// Executes all groups with the stores that the launch's trial is at.
///
/// # Safety
/// As `execute`.
unsafe fn execute_on_trial(launch: Launch<'_>) -> Result<(), ExecError> {
    let Some(trial) = launch.store_trial else {
        // SAFETY: as the caller promises.
        return unsafe { execute_groups(&launch) };
    };
    let groups = launch.groups();
    let stores = trial.begin(groups);
    let begin = Instant::now();
    // SAFETY: as the caller promises.
    unsafe { execute_groups(&Launch { stores, ..launch }) }?;
    let end = Instant::now();
    trial.end(groups, stores, EndedLaunch { begin, end });
    Ok(())
}

/// # Safety
/// As `execute`.
unsafe fn execute_groups(launch: &Launch<'_>) -> Result<(), ExecError> {
    let groups = launch.groups();
    let threads = (host_threads::for_arrays(launch.arrays) as u64).min(groups) as usize;
    let needs_order = launch.race_checker.is_some_and(RaceChecker::needs_order);
    if threads <= 1 || needs_order {
        let begin = Instant::now();
        launch.with_memories(|memories| {
            // SAFETY: as the caller promises.
            unsafe { run(&mut Thread::new(launch, memories), 0, groups) };
        })?;
        launch.group_time.set(groups, begin.elapsed());
        return Ok(());
    }
    let serial_time = match host_threads::are_awake() {
        true => SERIAL_TIME,
        false => SERIAL_TIME_IF_ASLEEP,
    };
    let mut done = 0;
    let expected = launch.group_time.expected(groups);
    if expected.is_none_or(|expected| expected <= serial_time) {
        // SAFETY: as the caller promises.
        done = unsafe { run_serially(launch, serial_time) }?;
    }
    if done == groups {
        return Ok(());
    }
    let group = launch.group_time.expected(1).unwrap_or_default();
    let left = launch.group_time.expected(groups - done);
    let threads = threads.min(worthwhile_threads(left.unwrap_or_default()));
    let ranges = GroupRanges::new(done..groups, threads, group);
    let failed = OnceCell::new();
    // SAFETY: as the caller promises.
    let work = |thread| unsafe { run_ranges(launch, &ranges, thread, &failed) };
    let others = (threads - 1).min((groups - done) as usize - 1);
    host_threads::run_parallel(others, &work);
    failed.into_inner().map_or(Ok(()), Err)
}

/// Most threads for work of this duration on one thread; at least two, since work that is shared
/// has turned out to be long.
fn worthwhile_threads(work: Duration) -> usize {
    let shares = work.as_nanos() / MIN_SHARE.as_nanos();
    usize::try_from(shares).unwrap_or(usize::MAX).max(2)
}

/// Runs groups on this thread until all have ended or `time` has elapsed; the number it ran.
///
/// # Safety
/// As `execute`.
unsafe fn run_serially(launch: &Launch<'_>, time: Duration) -> Result<u64, ExecError> {
    let groups = launch.groups();
    let expected = launch.group_time.expected(groups).is_some();
    // A third of the time, so that a wrong estimate does not exceed it by much.
    let mut step = match launch.group_time.expected(1) {
        Some(group) => (time.as_nanos() / 3 / group.as_nanos().max(1)).max(1) as u64,
        None => 1,
    };
    if expected {
        step = step.min(groups);
    }
    let begin = Instant::now();
    let mut done = 0;
    launch.with_memories(|memories| {
        let mut thread = Thread::new(launch, memories);
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

/// Runs groups until all have been taken.
///
/// # Safety
/// As `execute`.
unsafe fn run_ranges(
    launch: &Launch<'_>,
    ranges: &GroupRanges,
    number: usize,
    failed: &OnceCell<ExecError>,
) {
    let outcome = launch.with_memories(|memories| {
        let begin = (number == 0).then(Stopwatch::start);
        let mut done = 0;
        let mut thread = Thread::new(launch, memories);
        while let Some(groups) = ranges.take(number) {
            if failed.get().is_some() || launch.is_stopped() {
                return;
            }
            done += groups.end - groups.start;
            // SAFETY: as the caller promises.
            unsafe { run(&mut thread, groups.start, groups.end) };
        }
        if let Some(begin) = begin.filter(|_| done > 0) {
            launch.group_time.set(done, begin.elapsed());
        }
    });
    if let Err(error) = outcome {
        failed.get_or_init(|| error);
    }
}

/// Measures a thread's work. With more threads than processors the elapsed time includes the work
/// of others, and an estimate that is too long has even more threads share the next launch.
enum Stopwatch {
    Elapsed(Instant),
    Processor(Duration),
}

impl Stopwatch {
    fn start() -> Self {
        if host_threads::exceed_processors() {
            Self::Processor(threads::processor_time())
        } else {
            Self::Elapsed(Instant::now())
        }
    }

    fn elapsed(&self) -> Duration {
        match self {
            Self::Elapsed(begin) => begin.elapsed(),
            Self::Processor(begin) => threads::processor_time().saturating_sub(*begin),
        }
    }
}

/// The state of a thread that runs groups.
struct Thread<'a> {
    launch: &'a Launch<'a>,
    memories: GroupMemories,
    /// The recorder of timed code, and this thread's shard of it.
    recording: Option<(&'a Recorder, Box<RecorderShard>)>,
}

impl<'a> Thread<'a> {
    fn new(launch: &'a Launch<'a>, memories: GroupMemories) -> Self {
        let local_memory = memories.local_memory.addr();
        let local_memory = local_memory..local_memory + launch.configuration.local_memory as usize;
        let part = |recorder: &'a Recorder| (recorder, recorder.take_shard(local_memory));
        if let Some(races) = launch.race_checker {
            let bytes = launch.configuration.local_memory;
            // SAFETY: the memories have the sizes of the launch, with shadows.
            unsafe { races.begin(memories.local_memory, bytes) };
        }
        Self {
            launch,
            memories,
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

/// Prepares local memory and the checker of transfers for a group of the launch.
fn begin_group(launch: &Launch<'_>, context: &WorkGroupContext) {
    let is_zeroed = launch.configuration.zeroes_local_memory;
    let bytes = launch.configuration.local_memory as usize;
    if is_zeroed {
        // SAFETY: local memory has the size of the launch.
        unsafe { context.local_memory.write_bytes(0, bytes) };
    }
    if launch
        .memory_checker
        .is_some_and(|checker| checker.has_shadows)
    {
        // SAFETY: local memory has the size of the launch, and a shadow.
        unsafe { definedness::begin_group(context, is_zeroed) };
    }
    if let Some(checker) = launch.dma_checker {
        checker.begin_group(context);
    }
}

/// Has a function execute a group; false if it was ended because the launch takes too long.
///
/// # Safety
/// As `execute`.
unsafe fn call(function: WorkGroupFunction, running: &RunningGroup<'_>) -> bool {
    let Launch {
        arguments, limit, ..
    } = *running.launch;
    let arguments = arguments.as_ptr();
    // SAFETY: as the caller promises.
    unsafe {
        if limit.is_some() {
            return abandonable_call::call(
                function,
                arguments,
                running.context,
                &running.resumption,
            );
        }
        function(arguments, running.context);
    }
    true
}

/// Records a group that has been executed; false if it was ended because the launch takes too long.
///
/// # Safety
/// As `execute`.
unsafe fn record(
    running: &RunningGroup<'_>,
    recording: &mut Option<(&Recorder, Box<RecorderShard>)>,
    group: u64,
) -> bool {
    let Some((recorder, part)) = recording else {
        return true;
    };
    if let Some(slice) = running.launch.counter_slice {
        if slice.dependence.group == GroupDependence::None && recorder.can_repeat(part) {
            recorder.repeat_group(part, group);
            return true;
        }
        // SAFETY: as the caller promises.
        if !unsafe { call(slice.function, running) } {
            return false;
        }
    }
    recorder.end_group(part, group);
    true
}

/// The address of what compiled code passes on, or null.
fn address<T>(passed: Option<&T>) -> *const c_void {
    passed.map_or(std::ptr::null(), |passed| std::ptr::from_ref(passed).cast())
}

/// Runs groups `first` to `end` one after another.
///
/// # Safety
/// As `execute`.
unsafe fn run(thread: &mut Thread<'_>, first: u64, end: u64) {
    let Thread {
        launch,
        memories,
        recording,
    } = thread;
    let configuration = launch.configuration;
    let count = configuration.nd_range.group_count;
    let order = match launch.recorder {
        Some(_) => GroupOrder::X_FIRST,
        None => configuration.group_order,
    };
    let (mut counters, mut group_recorder) = (std::ptr::null_mut(), std::ptr::null_mut());
    if let Some((_, part)) = recording {
        counters = part.counters().as_ptr().cast::<u64>().cast_mut();
        group_recorder = std::ptr::from_mut(part.group_recorder()).cast();
    }
    let mut context = WorkGroupContext {
        nd_range: configuration.nd_range,
        group_id: order.group(first, &count),
        local_memory: memories.local_memory,
        private_memory: memories.private_memory,
        counters,
        recorder: group_recorder,
        argument_bounds: launch
            .memory_checker
            .map_or(std::ptr::null(), |checker| checker.bounds().cast()),
        checker: address(launch.memory_checker),
        barrier_checker: address(launch.barrier_checker),
        race_checker: address(launch.race_checker),
        dma_checker: address(launch.dma_checker),
        watched_memory: launch
            .dma_checker
            .map_or(std::ptr::null(), |_| dma_checker::checker::watched().cast()),
        local_memory_bytes: configuration.local_memory,
        footprints: std::ptr::null_mut(),
        ordinary_stores: u64::from(launch.stores == Stores::Ordinary),
    };
    let running = RunningGroup {
        launch,
        context: &raw const context,
        resumption: Resumption::default(),
    };
    let _runs_groups = launch.limit.map(LaunchLimit::enter);
    let _mark = Mark::set(&running);
    for group in first..end {
        if launch.is_stopped() {
            break;
        }
        context.footprints = recording
            .as_mut()
            .and_then(|(recorder, part)| recorder.footprints(part, group))
            .map_or(std::ptr::null_mut(), |footprints| {
                std::ptr::from_mut(footprints).cast()
            });
        begin_group(launch, &context);
        // SAFETY: as the caller promises; the memories have the sizes of the launch.
        let has_ended =
            unsafe { call(launch.function, &running) && record(&running, recording, group) };
        if !has_ended {
            // What was recorded of the group is incomplete.
            *recording = None;
            break;
        }
        if let Some(checker) = launch.dma_checker {
            checker.end_group(&context);
        }
        order.advance(&mut context.group_id, &count);
    }
    end_streaming_stores();
}

/// Code may have stored past the caches, which is not ordered with what follows otherwise.
fn end_streaming_stores() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: each x86-64 processor has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::{CodeAddresses, GroupTimeEstimate, LaunchConfiguration, next_number};
    use crate::work_group::NdRange;
    use device_sim::array_range::ArrayRange;
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
        // SAFETY: the launch requested these bytes.
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

    /// Checks that each group runs once; the number of host threads used.
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
                kernel: &"record",
                number: next_number(),
                function: record,
                arguments: bytes,
                configuration: LaunchConfiguration {
                    nd_range,
                    group_order: GroupOrder::X_FIRST,
                    local_memory: local,
                    zeroes_local_memory: false,
                    private_memory: private,
                    machine_private_memory: private,
                },
                arrays,
                stop: None,
                limit: None,
                code: CodeAddresses::default(),
                stack_bytes: 0,
                group_time,
                store_trial: None,
                stores: Stores::Streaming,
                dma_checker: None,
                memory_checker: None,
                barrier_checker: None,
                race_checker: None,
                recorder: None,
                counter_slice: None,
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

    /// Estimates may be too small or too large.
    #[test]
    fn each_group_runs_once_with_wrong_estimates() {
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
    fn the_number_of_threads_is_in_proportion_to_the_work() {
        for (microseconds, threads) in [(0, 2), (9, 2), (12, 2), (20, 4), (1280, 256)] {
            let work = Duration::from_micros(microseconds);
            assert_eq!(worthwhile_threads(work), threads, "{work:?}");
        }
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
    fn threads_have_separate_scratchpads() {
        groups_run([50, 2, 1], 600_000, 100_000, 30);
    }
}
