//! The schedule of timed commands on the simulated machine, one for each node. The rules are in
//! docs/queues.md, "Simulated time".
//!
//! Everything that decides about times is appended to one log, in the order in which the host
//! program did it: commands enqueued, user events set, ends of commands observed. The log is
//! processed from its front. Only a command that has not ended on the host yet stops the
//! processing, and a command is ordered (put into the log for execution) only when it depends no
//! longer on the host program. Therefore everything before an ended command is processed
//! eventually, whatever the host program does, and times depend on the order of the log alone.
//! A launch whose report is not known yet stops it, too, until a thread has computed the report:
//! the one that needs the times, or one of the pool.
//!
//! One lock guards the log and is held for short; another one the times that are computed from it, by
//! whichever thread comes first. While the latter is held, only the former and the locks of
//! commands' states and of the recording are taken; while the former is held, only those of states,
//! and the latter if that takes no waiting.

use crate::device::{Device, nodes};
use crate::error::Code;
use crate::recording::call_record::PendingCall;
use crate::recording::command_record::RecordedOutcome;
use crate::recording::recorder;
use crate::time::accelerator_schedule::{AcceleratorSchedule, PendingTask};
use crate::time::array_calendars::ArrayCalendars;
use crate::time::command_work::CommandWork;
use crate::time::host_clock::HostClock;
use crate::time::profiling_point::ProfilingPoint;
use crate::time::report_queue;
use crate::time::resource_calendar::{self, ResourceCalendar};
use crate::time::simulated_command::{Dependencies, SimulatedCommand};
use command_log::{Blocking, CommandLog, Entry};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::units::Nanoseconds;
use host_exec::process_lifecycle;
use once_cell::sync::Lazy;
use parking_lot::{Mutex, MutexGuard};
use recording::Migration;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

mod command_log;
mod tasks;

/// The nodes' schedules.
static SCHEDULES: Lazy<Box<[Schedule]>> =
    Lazy::new(|| (0..nodes::count()).map(|_| Schedule::new()).collect());

struct Schedule {
    log: Mutex<CommandLog>,
    times: Mutex<Times>,
    /// Whether a co-simulator sets the host program's clock.
    is_external: AtomicBool,
}

/// The state at the front of the log.
struct Times {
    /// The host program's clock.
    clock: HostClock,
    /// The machine's clusters, indexed by cluster number.
    clusters: Vec<Cluster>,
}

/// The resources that commands of a cluster reserve.
#[derive(Default)]
struct Cluster {
    /// The host processor that serves the cluster.
    processor: [ResourceCalendar; 1],
    /// Its arrays.
    arrays: ArrayCalendars,
    /// The scheduler of a custom device's tasks.
    accelerators: Option<AcceleratorSchedule>,
}

/// Enqueues a command that starts after its dependencies.
pub(crate) fn enqueue(command: &Arc<SimulatedCommand>, dependencies: Dependencies) {
    SCHEDULES[command.node()].enqueue(command, dependencies);
}

/// A command, timed or not, has ended on the host with that execution status. Called before
/// other threads can see the end.
pub(crate) fn ended(command: &Arc<SimulatedCommand>, status: i32) {
    with_schedule(command.node(), |schedule| {
        schedule.ended(command, status);
        if command.unknown_report().is_some() {
            report_queue::add(command, |command| {
                with_schedule(command.node(), |schedule| {
                    schedule.drain(schedule.log.lock())
                });
            });
        }
    });
}

/// The host program sets a user event. Called before other threads can see the new status.
pub(crate) fn user_event_set(event: &Arc<SimulatedCommand>) {
    with_schedule(event.node(), |schedule| schedule.user_event_set(event));
}

/// The host program observes that a command has ended.
pub(crate) fn observed_by_host(command: &Arc<SimulatedCommand>) {
    with_schedule(command.node(), |schedule| {
        schedule.observed_by_host(command)
    });
    if recorder::is_on() && !process_lifecycle::forked() {
        recorder::flush_observed();
    }
}

/// A recorded API call of the node's host program begins.
pub(crate) fn call_begins(node: usize, call: &Arc<PendingCall>) {
    // What the call appends next, its end at the latest, has the entry processed.
    with_schedule(node, |schedule| {
        let entry = Entry::CallBegins(Arc::clone(call));
        schedule.log.lock().append(entry);
    });
}

/// A recorded API call of the node's host program returns.
pub(crate) fn call_ends(node: usize, call: Arc<PendingCall>) {
    with_schedule(node, |schedule| schedule.append(Entry::CallEnds(call)));
}

/// A co-simulator sets the clock of the node's host program. From now on the commands of all the
/// node's queues are timed, and queries of events go by simulated time.
pub(crate) fn set_host_clock(node: usize, time: Nanoseconds) {
    with_schedule(node, |schedule| {
        schedule.is_external.store(true, Ordering::Relaxed);
        schedule.append(Entry::ClockSet(time));
    });
}

/// Whether a co-simulator sets the clock of the node's host program.
pub(crate) fn has_external_clock(node: usize) -> bool {
    SCHEDULES[node].is_external.load(Ordering::Relaxed)
}

/// The clock of the node's host program. Waits for commands whose ends the program has observed,
/// if their times are not known yet. None in a child of `fork`.
pub(crate) fn host_clock(node: usize) -> Option<Nanoseconds> {
    while !process_lifecycle::forked() {
        match SCHEDULES[node].clock() {
            Ok(clock) => return Some(clock.now()),
            Err(observed) => resolve(&observed),
        };
    }
    None
}

/// Processes all logs at the end of the process, without commands that have not executed.
/// Returns the latest time of a host program, or none if a stopped thread holds a lock.
pub(crate) fn finish() -> Option<Nanoseconds> {
    SCHEDULES
        .iter()
        .map(Schedule::finish)
        .try_fold(Nanoseconds::ZERO, |latest, time| Some(latest.max(time?)))
}

/// Does nothing in a child of `fork`: its commands never end, and the locks may stay locked.
fn with_schedule(node: usize, change: impl FnOnce(&Schedule)) {
    if !process_lifecycle::forked() {
        change(&SCHEDULES[node]);
    }
}

/// Waits until the times of an ended command are known. False in a child of `fork` that does not
/// know them.
pub(crate) fn resolve(command: &SimulatedCommand) -> bool {
    while command.end().is_none() {
        if process_lifecycle::forked() {
            return false;
        }
        let schedule = &SCHEDULES[command.node()];
        let Some(blocking) = schedule.process() else {
            schedule.times.lock().end_task(command);
            return command.end().is_some();
        };
        match blocking.host() {
            Some(host) => host.wait_until_ended(),
            None => ended(&blocking, Code::OutOfResources as i32),
        }
    }
    true
}

/// As `resolve` for a command that depends no longer on the host program; false for others.
pub(crate) fn resolve_ordered(command: &SimulatedCommand) -> bool {
    let is_ordered = !process_lifecycle::forked() && command.state.lock().ordered;
    is_ordered && resolve(command)
}

impl Schedule {
    const fn new() -> Self {
        Self {
            log: Mutex::new(CommandLog::new()),
            times: Mutex::new(Times {
                clock: HostClock::new(),
                clusters: Vec::new(),
            }),
            is_external: AtomicBool::new(false),
        }
    }

    fn finish(&self) -> Option<Nanoseconds> {
        let patience = Duration::from_secs(1);
        loop {
            let times = self.times.try_lock_for(patience)?;
            let log = self.log.try_lock_for(patience)?;
            if let Some(Blocking::Report(report)) = self.process_log(log, times) {
                report.get_within(patience)?;
                continue;
            }
            if !self.log.lock().skip() {
                let mut times = self.times.try_lock_for(patience)?;
                times.end_all_tasks();
                return Some(times.clock.now());
            }
        }
    }

    /// The host program's clock after all entries of the log.
    ///
    /// # Errors
    /// It has observed the end of this command, which is not known yet.
    fn clock(&self) -> Result<HostClock, Arc<SimulatedCommand>> {
        let times = self.times.lock();
        let mut clock = times.clock.clone();
        for entry in self.log.lock().entries() {
            match entry {
                Entry::Enqueued(command) => {
                    clock.spend(enqueue_cost(command));
                }
                Entry::Observed(command) => match command.end() {
                    Some(end) => clock.observe(end),
                    None => return Err(Arc::clone(command)),
                },
                Entry::ClockSet(time) => clock.set(*time),
                Entry::Ordered(_)
                | Entry::UserEventSet(_)
                | Entry::CallBegins(_)
                | Entry::CallEnds(_) => {}
            }
        }
        Ok(clock)
    }

    fn enqueue(&self, command: &Arc<SimulatedCommand>, dependencies: Dependencies) {
        let mut log = self.log.lock();
        log.enqueue(command, dependencies);
        // The end of the command, at the latest, has the entries processed.
        if log.is_long() {
            self.drain(log);
        }
    }

    fn ended(&self, command: &Arc<SimulatedCommand>, status: i32) {
        let mut log = self.log.lock();
        log.ended(command, status);
        self.drain(log);
    }

    fn user_event_set(&self, event: &Arc<SimulatedCommand>) {
        let mut log = self.log.lock();
        log.append(Entry::UserEventSet(Arc::clone(event)));
        log.order(event);
        self.drain(log);
    }

    fn observed_by_host(&self, command: &Arc<SimulatedCommand>) {
        let observed = Entry::Observed(Arc::clone(command));
        self.log.lock().append(observed);
        self.process();
    }

    fn append(&self, entry: Entry) {
        let mut log = self.log.lock();
        log.append(entry);
        self.drain(log);
    }

    /// Processes the log up to the first command that has not ended on the host or whose report is not
    /// known, unless another thread does it now.
    fn drain(&self, log: MutexGuard<'_, CommandLog>) {
        if let Some(times) = self.times.try_lock() {
            self.process_log(log, times);
        }
    }

    /// Processes the log up to the first command that has not ended on the host, which it returns,
    /// after what another thread is processing. Computes the reports that it needs.
    fn process(&self) -> Option<Arc<SimulatedCommand>> {
        loop {
            let times = self.times.lock();
            match self.process_log(self.log.lock(), times)? {
                Blocking::Command(command) => return Some(command),
                Blocking::Report(report) => report.get(),
            };
        }
    }

    /// Processes the log up to what stops it, which it returns.
    fn process_log<'a>(
        &'a self,
        mut log: MutexGuard<'a, CommandLog>,
        mut times: MutexGuard<'a, Times>,
    ) -> Option<Blocking> {
        loop {
            let entries = log.take();
            if entries.is_empty() {
                let blocking = log.blocking();
                // First: a thread that appends an entry from now on finds `times` unlocked.
                drop(times);
                drop(log);
                return blocking;
            }
            drop(log);
            for entry in entries {
                times.process_entry(entry);
            }
            log = self.log.lock();
        }
    }
}

impl Times {
    fn process_entry(&mut self, entry: Entry) {
        match entry {
            Entry::Enqueued(command) => {
                let queued = self.clock.spend(enqueue_cost(&command));
                command.set(ProfilingPoint::Queued, queued);
            }
            Entry::Ordered(command) => self.simulate(&command),
            Entry::Observed(command) => {
                self.end_task(&command);
                self.clock
                    .observe(command.end().unwrap_or(Nanoseconds::ZERO));
            }
            Entry::UserEventSet(event) => event.set(ProfilingPoint::End, self.clock.now()),
            Entry::ClockSet(time) => self.clock.set(time),
            Entry::CallBegins(call) => call.set_begin(self.clock.now()),
            Entry::CallEnds(call) => call.write(self.clock.now()),
        }
    }

    /// Reserves the command's resources at the earliest possible time, and sets its times.
    fn simulate(&mut self, command: &Arc<SimulatedCommand>) {
        let mut state = command.state.lock();
        let dependencies = std::mem::take(&mut state.dependencies);
        let mut work = std::mem::take(&mut state.work);
        let (record, status) = (state.record.take(), state.status);
        let chain = state.chain.take();
        drop(state);
        let queued = command.at(ProfilingPoint::Queued);
        let waits_for = self.pending_dependencies(command, &dependencies, work.task.is_some());
        // A dependency has no end if it is untimed, or if this command was terminated with its
        // context before the dependency ended.
        let submit = dependencies
            .iter()
            .filter_map(|dependency| dependency.end())
            .chain(queued)
            .max()
            .unwrap_or(Nanoseconds(1));
        if let Some(task) = work.task.take() {
            let pending = PendingTask {
                command: Arc::clone(command),
                task,
                work,
                record,
                status,
                queued,
                submit,
                migration: None,
                chain,
            };
            self.submit_task(pending, waits_for);
            return;
        }
        let Reservation {
            migration,
            start,
            end,
        } = self.reserve(command, &work, submit);
        set_times(command, [submit, start, end]);
        if let Some(record) = record {
            let times = [queued.unwrap_or(Nanoseconds(1)), submit, start, end];
            let report = work.report.take().map(|report| Arc::clone(report.get()));
            record.write(outcome(command, status, &work, migration, times, report));
        }
    }

    /// The resources of a device's commands.
    fn cluster(&mut self, device: &Device) -> &mut Cluster {
        let index = device.index();
        if self.clusters.len() <= index {
            self.clusters.resize_with(index + 1, Cluster::default);
        }
        &mut self.clusters[index]
    }

    /// Reserves the resources of a command from `submit` on.
    fn reserve(
        &mut self,
        command: &SimulatedCommand,
        work: &CommandWork,
        submit: Nanoseconds,
    ) -> Reservation {
        let Some(device) = command.device() else {
            return Reservation {
                migration: None,
                start: submit,
                end: submit,
            };
        };
        let machine = device.machine();
        let cluster = self.cluster(device);
        let (before, own) = work.host_times(machine);
        let begin =
            resource_calendar::reserve(&mut cluster.processor, submit, before.saturating_add(own));
        let moved = begin.saturating_add(before);
        let migration = (moved > begin).then_some(begin..moved);
        let Some(report) = work.report.as_ref().map(|report| report.get()) else {
            return Reservation {
                migration,
                start: moved,
                end: moved.saturating_add(own),
            };
        };
        let arrays = device.arrays().numbers();
        let arrays = arrays.start as usize..arrays.end as usize;
        let clock = machine.clock();
        let duration = clock.nanoseconds(report.timing.end);
        let begin = cluster.arrays.reserve(arrays, moved, duration);
        let start = report.timing.start.min(report.timing.end);
        let start = clock.nanoseconds(start);
        Reservation {
            migration,
            start: begin.saturating_add(start),
            end: begin.saturating_add(duration),
        }
    }
}

/// The times at which a command has its resources.
struct Reservation {
    /// Of the migrations before it.
    migration: Option<Range<Nanoseconds>>,
    start: Nanoseconds,
    end: Nanoseconds,
}

fn set_times(command: &SimulatedCommand, [submit, start, end]: [Nanoseconds; 3]) {
    command.set(ProfilingPoint::Submit, submit);
    command.set(ProfilingPoint::Start, start);
    command.set(ProfilingPoint::End, end);
}

/// What is recorded of a command with these times, from QUEUED to END.
fn outcome(
    command: &SimulatedCommand,
    status: i32,
    work: &CommandWork,
    migration: Option<Range<Nanoseconds>>,
    times: [Nanoseconds; 4],
    report: Option<Arc<LaunchReport>>,
) -> RecordedOutcome {
    RecordedOutcome {
        number: command.number(),
        status,
        gave_up: command.gave_up(),
        bytes: work.host.map_or(0, |transfer| transfer.bytes),
        moved: work.moved_bytes(),
        migration: migration.map(|during| Migration {
            begin: during.start.0,
            end: during.end.0,
            bytes: work.bytes_moved_before(),
        }),
        times,
        report,
        predicted: work.predicted,
    }
}

/// Simulated time that the host program spends on enqueuing the command.
fn enqueue_cost(command: &SimulatedCommand) -> Nanoseconds {
    let cost = |device: &Arc<Device>| Nanoseconds(device.machine().host.enqueue.value);
    command.device().map_or(Nanoseconds::ZERO, cost)
}

#[cfg(test)]
mod tests;
