//! The schedule of timed commands on the simulated machine. The rules are in docs/queues.md,
//! "Simulated time".
//!
//! Everything that decides about times is appended to one log, in the order in which the host
//! program did it: commands enqueued, user events set, ends of commands observed. The log is
//! processed from its front. Only a command that has not ended on the host yet stops the
//! processing, and a command is ordered (put into the log for execution) only when it depends no
//! longer on the host program. Therefore everything before an ended command is processed
//! eventually, whatever the host program does, and times depend on the order of the log alone.
//!
//! One lock guards the schedule. While it is held, only the locks of commands' states and of the
//! recording are taken.

use crate::error::Code;
use crate::recording::call_record::{self, PendingCall};
use crate::recording::command_record::RecordedOutcome;
use crate::recording::recorder;
use crate::time::array_calendars::ArrayCalendars;
use crate::time::command_work::CommandWork;
use crate::time::host_clock::HostClock;
use crate::time::profiling_point::ProfilingPoint;
use crate::time::resource_calendar::{self, ResourceCalendar};
use crate::time::simulated_command::{CommandKind, Dependencies, SimulatedCommand};
use device_sim::machine::Machine;
use device_sim::units::Nanoseconds;
use host_exec::process_lifecycle;
use parking_lot::Mutex;
use recording::Migration;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

static SCHEDULE: Mutex<Schedule> = Mutex::new(Schedule::new());

struct Schedule {
    log: VecDeque<Entry>,
    /// The host program's clock at the front of the log.
    clock: HostClock,
    /// The machine's clusters, indexed by cluster number.
    clusters: Vec<Cluster>,
    /// Number of commands enqueued so far.
    commands: u64,
}

/// An entry of the log.
enum Entry {
    /// A command has been enqueued.
    Enqueued(Arc<SimulatedCommand>),
    /// A command no longer depends on the host program, and can be scheduled.
    Ordered(Arc<SimulatedCommand>),
    /// The host program has observed the end of a command.
    Observed(Arc<SimulatedCommand>),
    /// The host program has set a user event.
    UserEventSet(Arc<SimulatedCommand>),
    /// A recorded API call begins.
    CallBegins(Arc<PendingCall>),
    /// A recorded API call returns.
    CallEnds(Arc<PendingCall>),
}

/// The resources that commands of a cluster reserve.
#[derive(Default)]
struct Cluster {
    /// The host processor that serves the cluster.
    processor: [ResourceCalendar; 1],
    /// Its arrays.
    arrays: ArrayCalendars,
}

/// Enqueues a command that starts after its dependencies.
pub(crate) fn enqueue(command: &Arc<SimulatedCommand>, dependencies: Dependencies) {
    SCHEDULE.lock().enqueue(command, dependencies);
}

/// A command, timed or not, has ended on the host with that execution status. Called before
/// other threads can see the end.
pub(crate) fn ended(command: &Arc<SimulatedCommand>, status: i32) {
    with_schedule(|schedule| schedule.ended(command, status));
}

/// The host program sets a user event. Called before other threads can see the new status.
pub(crate) fn user_event_set(event: &Arc<SimulatedCommand>) {
    with_schedule(|schedule| schedule.user_event_set(event));
}

/// The host program observes that a command has ended.
pub(crate) fn observed_by_host(command: &Arc<SimulatedCommand>) {
    with_schedule(|schedule| schedule.observed_by_host(command));
    if recorder::is_on() && !process_lifecycle::forked() {
        recorder::flush();
    }
}

/// A recorded API call begins.
pub(crate) fn call_begins(call: &Arc<PendingCall>) {
    with_schedule(|schedule| schedule.append(Entry::CallBegins(Arc::clone(call))));
}

/// A recorded API call returns.
pub(crate) fn call_ends(call: Arc<PendingCall>) {
    with_schedule(|schedule| schedule.append(Entry::CallEnds(call)));
}

/// Processes the whole log at the end of the process, without commands that have not executed.
/// Returns the host program's time, or none if a stopped thread holds the lock.
pub(crate) fn finish() -> Option<Nanoseconds> {
    let mut schedule = SCHEDULE.try_lock_for(Duration::from_secs(1))?;
    schedule.abandon();
    Some(schedule.clock.now())
}

/// Does nothing in a child of `fork`: its commands never end, and the lock may stay locked.
fn with_schedule(change: impl FnOnce(&mut Schedule)) {
    if !process_lifecycle::forked() {
        change(&mut SCHEDULE.lock());
    }
}

/// Waits until the times of an ended command are known. False in a child of `fork` that does not
/// know them.
pub(crate) fn resolve(command: &SimulatedCommand) -> bool {
    while command.end().is_none() {
        if process_lifecycle::forked() {
            return false;
        }
        let blocking = match SCHEDULE.lock().log.front() {
            Some(Entry::Ordered(blocking)) => Arc::clone(blocking),
            // Another thread has just processed the log.
            _ => return command.end().is_some(),
        };
        match blocking.host() {
            Some(host) => host.wait_until_ended(),
            None => ended(&blocking, Code::OutOfResources as i32),
        }
    }
    true
}

impl Schedule {
    const fn new() -> Self {
        Self {
            log: VecDeque::new(),
            clock: HostClock::new(),
            clusters: Vec::new(),
            commands: 0,
        }
    }

    fn enqueue(&mut self, command: &Arc<SimulatedCommand>, dependencies: Dependencies) {
        self.commands += 1;
        command.set_number(self.commands);
        call_record::set_enqueued(self.commands);
        self.log.push_back(Entry::Enqueued(Arc::clone(command)));
        let mut unordered = 0;
        for dependency in &dependencies {
            let mut dependency = dependency.state.lock();
            if !dependency.ordered {
                dependency.followers.push(Arc::clone(command));
                unordered += 1;
            }
        }
        let mut state = command.state.lock();
        // A command of a terminated context may have ended before.
        if !state.ended {
            state.dependencies = dependencies;
            state.unordered = unordered;
        }
        drop(state);
        if unordered == 0 && command.kind == CommandKind::Device {
            self.order(command);
        }
        self.drain();
    }

    fn ended(&mut self, command: &Arc<SimulatedCommand>, status: i32) {
        let mut state = command.state.lock();
        state.ended = true;
        state.status = status;
        drop(state);
        // A command of a terminated context may end before it has been ordered.
        self.order(command);
        self.drain();
    }

    fn user_event_set(&mut self, event: &Arc<SimulatedCommand>) {
        self.log.push_back(Entry::UserEventSet(Arc::clone(event)));
        self.order(event);
        self.drain();
    }

    fn observed_by_host(&mut self, command: &Arc<SimulatedCommand>) {
        self.append(Entry::Observed(Arc::clone(command)));
    }

    fn append(&mut self, entry: Entry) {
        self.log.push_back(entry);
        self.drain();
    }

    /// Orders a command, and those that waited for nothing else, in the order of enqueuing.
    fn order(&mut self, first: &Arc<SimulatedCommand>) {
        let mut ready = BinaryHeap::from([Reverse(ByNumber(Arc::clone(first)))]);
        while let Some(Reverse(ByNumber(command))) = ready.pop() {
            let mut state = command.state.lock();
            if state.ordered {
                continue;
            }
            state.ordered = true;
            let followers = std::mem::take(&mut state.followers);
            drop(state);
            if command.kind != CommandKind::Untimed {
                self.log.push_back(Entry::Ordered(Arc::clone(&command)));
            }
            for follower in followers {
                let mut state = follower.state.lock();
                state.unordered = state.unordered.saturating_sub(1);
                let is_ready = state.unordered == 0 && follower.kind == CommandKind::Device;
                drop(state);
                if is_ready {
                    ready.push(Reverse(ByNumber(follower)));
                }
            }
        }
    }

    /// Processes the whole log, without commands that have not executed.
    fn abandon(&mut self) {
        loop {
            self.drain();
            if self.log.pop_front().is_none() {
                return;
            }
        }
    }

    /// Processes the log up to the first command that has not ended on the host.
    fn drain(&mut self) {
        while let Some(entry) = self.log.front() {
            if let Entry::Ordered(command) = entry
                && !command.state.lock().ended
            {
                return;
            }
            match self.log.pop_front() {
                Some(Entry::Enqueued(command)) => {
                    let cost = command
                        .device()
                        .map_or(Nanoseconds::ZERO, |device| enqueue_cost(device.machine()));
                    command.set(ProfilingPoint::Queued, self.clock.spend(cost));
                }
                Some(Entry::Ordered(command)) => self.simulate(&command),
                Some(Entry::Observed(command)) => {
                    self.clock
                        .observe(command.end().unwrap_or(Nanoseconds::ZERO));
                }
                Some(Entry::UserEventSet(event)) => {
                    event.set(ProfilingPoint::End, self.clock.now());
                }
                Some(Entry::CallBegins(call)) => call.set_begin(self.clock.now()),
                Some(Entry::CallEnds(call)) => call.write(self.clock.now()),
                None => {}
            }
        }
        if self.log.is_empty() && self.log.capacity() > 1024 {
            self.log.shrink_to(64);
        }
    }

    /// Reserves the command's resources at the earliest possible time, and sets its times.
    fn simulate(&mut self, command: &Arc<SimulatedCommand>) {
        let mut state = command.state.lock();
        let dependencies = std::mem::take(&mut state.dependencies);
        let work = std::mem::take(&mut state.work);
        let (record, status) = (state.record.take(), state.status);
        drop(state);
        let queued = command.at(ProfilingPoint::Queued);
        // A dependency has no end if it is untimed, or if this command was terminated with its
        // context before the dependency ended.
        let submit = dependencies
            .iter()
            .filter_map(|dependency| dependency.end())
            .chain(queued)
            .max()
            .unwrap_or(Nanoseconds(1));
        let Reservation {
            migration,
            start,
            end,
        } = self.reserve(command, &work, submit);
        command.set(ProfilingPoint::Submit, submit);
        command.set(ProfilingPoint::Start, start);
        command.set(ProfilingPoint::End, end);
        if let Some(record) = record {
            record.write(RecordedOutcome {
                number: command.number(),
                status,
                bytes: work.host.map_or(0, |transfer| transfer.bytes),
                moved: work.moved_bytes(),
                migration: migration.map(|during| Migration {
                    begin: during.start.0,
                    end: during.end.0,
                    bytes: work.bytes_moved_before(),
                }),
                times: [queued.unwrap_or(Nanoseconds(1)), submit, start, end],
                report: work.report,
            });
        }
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
        if self.clusters.len() <= device.index() {
            self.clusters
                .resize_with(device.index() + 1, Cluster::default);
        }
        let cluster = &mut self.clusters[device.index()];
        let (before, own) = work.host_times(machine);
        let begin =
            resource_calendar::reserve(&mut cluster.processor, submit, before.saturating_add(own));
        let moved = begin.saturating_add(before);
        let migration = (moved > begin).then_some(begin..moved);
        let Some(report) = &work.report else {
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

/// Simulated time that the host program spends on enqueuing a command.
fn enqueue_cost(machine: &Machine) -> Nanoseconds {
    Nanoseconds(machine.host.enqueue.value)
}

/// A command, compared by the order of enqueuing.
struct ByNumber(Arc<SimulatedCommand>);

impl PartialEq for ByNumber {
    fn eq(&self, other: &Self) -> bool {
        self.0.number() == other.0.number()
    }
}

impl Eq for ByNumber {}

impl PartialOrd for ByNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByNumber {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.number().cmp(&other.0.number())
    }
}

#[cfg(test)]
mod tests;
