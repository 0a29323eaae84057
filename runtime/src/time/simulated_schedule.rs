//! When timed commands ran on the simulated machine. The rules are in docs/queues.md, "Simulated
//! time".
//!
//! What decides about times is kept in one log, in the order in which the host program did it:
//! commands that it put into queues, user events that it set, ends of commands that it observed_by_host of.
//! The log is gone through from its front. Only a command that has not run on the host yet holds
//! this up, and only commands have a place in the log that need nothing more from the host
//! program to run; so everything before a command that has ended is gone through in the end,
//! whatever the host program does, and times depend on the order of the log alone.
//!
//! One lock guards it all. Nothing is called under it that takes another, but for the locks of
//! commands' states, which are held for moments, and of the recording.

use crate::error::Code;
use crate::event::ProfilingPoint;
use crate::recording::recorder::{self, PendingCall};
use crate::time::command_work::CommandWork;
use crate::time::host_clock::{HostClock, Nanoseconds};
use crate::time::resource_calendar::{self, ResourceCalendar};
use crate::time::simulated_command::{After, CommandKind, SimulatedCommand};
use device_sim::machine::Machine;
use host_exec::process_lifecycle;
use parking_lot::Mutex;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

static SCHEDULE: Mutex<Schedule> = Mutex::new(Schedule::new());

struct Schedule {
    log: VecDeque<Entry>,
    /// As the front of the log finds it.
    clock: HostClock,
    clusters: Vec<Cluster>,
    /// How many have been put into queues.
    commands: u64,
}

/// What decides about times.
enum Entry {
    /// A command has been put into a queue.
    Enqueued(Arc<SimulatedCommand>),
    /// It waits for nothing any more that only the host program can end.
    Ordered(Arc<SimulatedCommand>),
    /// The host program has observed_by_host that it has ended.
    ObservedByHost(Arc<SimulatedCommand>),
    /// The host program has set a user event.
    Set(Arc<SimulatedCommand>),
    /// The host program calls a function, which is recorded.
    CallBegins(Arc<PendingCall>),
    /// The call returns.
    CallEnds(Arc<PendingCall>),
}

/// What commands of a cluster take.
#[derive(Default)]
struct Cluster {
    /// The processor that does for it what the host has to do.
    processor: [ResourceCalendar; 1],
    arrays: Vec<ResourceCalendar>,
}

/// A command has been put into a queue, where it waits for `after`.
pub(crate) fn enqueue(time: &Arc<SimulatedCommand>, after: After) {
    SCHEDULE.lock().enqueue(time, after);
}

/// The command, or whatever else it is the time of, has ended with that execution status. Before
/// anybody can see that.
pub(crate) fn ended(time: &Arc<SimulatedCommand>, status: i32) {
    locked(|schedule| schedule.ended(time, status));
}

/// The host program sets a user event. Before anybody can see that.
pub(crate) fn set(time: &Arc<SimulatedCommand>) {
    locked(|schedule| schedule.set(time));
}

/// The host program learns that a command has ended.
pub(crate) fn observed_by_host(time: &Arc<SimulatedCommand>) {
    locked(|schedule| schedule.observed_by_host(time));
}

/// The host program calls a function, which is recorded.
pub(crate) fn call_begins(call: &Arc<PendingCall>) {
    locked(|schedule| schedule.add(Entry::CallBegins(Arc::clone(call))));
}

/// The call returns.
pub(crate) fn call_ends(call: Arc<PendingCall>) {
    locked(|schedule| schedule.add(Entry::CallEnds(call)));
}

/// The process ends: what has not run on the host never will. The host program's time. None if
/// a thread that goes through the log was stopped.
pub(crate) fn end() -> Option<Nanoseconds> {
    let mut schedule = SCHEDULE.try_lock_for(Duration::from_secs(1))?;
    schedule.abandon();
    Some(schedule.clock.now())
}

/// A child of `fork` has commands that will never end, and perhaps a lock that is never unlocked.
fn locked(change: impl FnOnce(&mut Schedule)) {
    if !process_lifecycle::forked() {
        change(&mut SCHEDULE.lock());
    }
}

/// Waits until the times of a command that has ended are known. False in a child of `fork` that
/// does not know them.
pub(crate) fn resolve(time: &SimulatedCommand) -> bool {
    while time.end().is_none() {
        if process_lifecycle::forked() {
            return false;
        }
        let held_up_by = match SCHEDULE.lock().log.front() {
            Some(Entry::Ordered(command)) => Arc::clone(command),
            // Another thread has just gone on.
            _ => return time.end().is_some(),
        };
        match held_up_by.event() {
            Some(event) => _ = event.wait_for_end(),
            None => ended(&held_up_by, Code::OutOfResources as i32),
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

    fn enqueue(&mut self, time: &Arc<SimulatedCommand>, after: After) {
        self.commands += 1;
        time.set_number(self.commands);
        recorder::enqueued(self.commands);
        self.log.push_back(Entry::Enqueued(Arc::clone(time)));
        let mut unordered = 0;
        for earlier in &after {
            let mut earlier = earlier.state.lock();
            if !earlier.ordered {
                earlier.followers.push(Arc::clone(time));
                unordered += 1;
            }
        }
        let mut state = time.state.lock();
        // It has ended before if its context has been terminated.
        if !state.ended {
            state.after = after;
            state.unordered = unordered;
        }
        drop(state);
        if unordered == 0 && time.kind == CommandKind::Device {
            self.place(time);
        }
        self.drain();
    }

    fn ended(&mut self, time: &Arc<SimulatedCommand>, status: i32) {
        let mut state = time.state.lock();
        state.ended = true;
        state.status = status;
        drop(state);
        // A command ends without having had a place if its context is terminated.
        self.place(time);
        self.drain();
    }

    fn set(&mut self, user_event: &Arc<SimulatedCommand>) {
        self.log.push_back(Entry::Set(Arc::clone(user_event)));
        self.place(user_event);
        self.drain();
    }

    fn observed_by_host(&mut self, time: &Arc<SimulatedCommand>) {
        self.add(Entry::ObservedByHost(Arc::clone(time)));
    }

    fn add(&mut self, entry: Entry) {
        self.log.push_back(entry);
        self.drain();
    }

    /// Gives something its place, and with it all that waited for nothing else.
    fn place(&mut self, first: &Arc<SimulatedCommand>) {
        // Commands in the order of enqueuing.
        let mut all = BinaryHeap::from([Reverse(ByNumber(Arc::clone(first)))]);
        while let Some(Reverse(ByNumber(time))) = all.pop() {
            let mut state = time.state.lock();
            if state.ordered {
                continue;
            }
            state.ordered = true;
            let followers = std::mem::take(&mut state.followers);
            drop(state);
            if time.kind != CommandKind::Untimed {
                self.log.push_back(Entry::Ordered(Arc::clone(&time)));
            }
            for follower in followers {
                let mut state = follower.state.lock();
                state.unordered = state.unordered.saturating_sub(1);
                let ready = state.unordered == 0 && follower.kind == CommandKind::Device;
                drop(state);
                if ready {
                    all.push(Reverse(ByNumber(follower)));
                }
            }
        }
    }

    /// Goes through the whole log, without commands that have not run.
    fn abandon(&mut self) {
        loop {
            self.drain();
            if self.log.pop_front().is_none() {
                return;
            }
        }
    }

    /// Goes through the log as far as commands have run.
    fn drain(&mut self) {
        while let Some(entry) = self.log.front() {
            if let Entry::Ordered(time) = entry
                && !time.state.lock().ended
            {
                return;
            }
            match self.log.pop_front() {
                Some(Entry::Enqueued(time)) => {
                    let cost = time
                        .device()
                        .map_or(0, |device| enqueue_cost(device.machine()));
                    time.set(ProfilingPoint::Queued, self.clock.spend(cost));
                }
                Some(Entry::Ordered(time)) => self.run(&time),
                Some(Entry::ObservedByHost(time)) => self.clock.learn_of(time.end().unwrap_or(0)),
                Some(Entry::Set(time)) => time.set(ProfilingPoint::End, self.clock.now()),
                Some(Entry::CallBegins(call)) => call.begun_at(self.clock.now()),
                Some(Entry::CallEnds(call)) => call.ended_at(self.clock.now()),
                None => {}
            }
        }
        if self.log.is_empty() && self.log.capacity() > 1024 {
            self.log.shrink_to(64);
        }
    }

    /// The command runs on the machine, as soon as what it needs is free.
    fn run(&mut self, time: &Arc<SimulatedCommand>) {
        let mut state = time.state.lock();
        let after = std::mem::take(&mut state.after);
        let spent = std::mem::take(&mut state.spent);
        let (record, status) = (state.record.take(), state.status);
        drop(state);
        // One of them has no time if it is of no timed queue, or this command was ended with
        // its context without having waited for it.
        let submit = after
            .iter()
            .filter_map(|earlier| earlier.end())
            .chain(time.at(ProfilingPoint::Queued))
            .max()
            .unwrap_or(1);
        let (start, end) = self.begin_and_end(time, &spent, submit);
        time.set(ProfilingPoint::Submit, submit);
        time.set(ProfilingPoint::Start, start);
        time.set(ProfilingPoint::End, end);
        if let Some(record) = record {
            record.write(time, &spent, status);
        }
    }

    fn begin_and_end(
        &mut self,
        time: &SimulatedCommand,
        spent: &CommandWork,
        submit: Nanoseconds,
    ) -> (Nanoseconds, Nanoseconds) {
        let Some(device) = time.device() else {
            return (submit, submit);
        };
        let machine = device.machine();
        if self.clusters.len() <= device.index() {
            self.clusters
                .resize_with(device.index() + 1, Cluster::default);
        }
        let cluster = &mut self.clusters[device.index()];
        let (before, own) = spent.host_times(machine);
        let begin =
            resource_calendar::reserve(&mut cluster.processor, submit, before.saturating_add(own));
        let moved = begin.saturating_add(before);
        let Some(report) = &spent.report else {
            return (moved, moved.saturating_add(own));
        };
        let numbers = device.arrays().numbers();
        let numbers = numbers.start as usize..numbers.end as usize;
        if cluster.arrays.len() < numbers.end {
            cluster
                .arrays
                .resize_with(numbers.end, ResourceCalendar::default);
        }
        let duration = machine.clock().nanoseconds(report.timing.end).0;
        let begin = resource_calendar::reserve(&mut cluster.arrays[numbers], moved, duration);
        let start = report.timing.start.min(report.timing.end);
        let start = machine.clock().nanoseconds(start).0;
        (begin.saturating_add(start), begin.saturating_add(duration))
    }
}

/// Nanoseconds of the host program's for each command that it puts into a queue.
fn enqueue_cost(machine: &Machine) -> Nanoseconds {
    machine.host.enqueue.value
}

/// Ordered by the order of enqueuing.
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
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::device::partition::Partition;
    use crate::device::platform::Platform;
    use device_sim::timing::launch_report::LaunchReport;
    use device_sim::timing::launch_timing::LaunchTiming;
    use device_sim::units::Cycles;
    use std::ops::Range;

    /// The machine's cycles are 5 nanoseconds for 6 of them.
    const UNIT: u64 = 6_000;
    const TIME: u64 = 5_000;

    fn device(number: usize) -> Arc<Device> {
        Arc::clone(&Platform::get().devices()[number])
    }

    /// What the host program takes for a command.
    fn cost() -> u64 {
        enqueue_cost(device(0).machine())
    }

    fn command(
        schedule: &mut Schedule,
        kind: CommandKind,
        on: &Arc<Device>,
        after: &[&Arc<SimulatedCommand>],
    ) -> Arc<SimulatedCommand> {
        let time = SimulatedCommand::of_command(kind, on);
        schedule.enqueue(&time, after.iter().map(|one| Arc::clone(one)).collect());
        time
    }

    fn launch(
        schedule: &mut Schedule,
        on: &Arc<Device>,
        after: &[&Arc<SimulatedCommand>],
    ) -> Arc<SimulatedCommand> {
        command(schedule, CommandKind::Device, on, after)
    }

    /// The launch has been run, and took so many units, of which the first was its start.
    fn ran(schedule: &mut Schedule, time: &Arc<SimulatedCommand>, units: u64) {
        let timing = LaunchTiming {
            start: Cycles(UNIT),
            end: Cycles(units * UNIT),
            ..LaunchTiming::default()
        };
        let report = Some(Arc::new(LaunchReport {
            timing,
            ..LaunchReport::default()
        }));
        time.spend(CommandWork {
            report,
            ..CommandWork::default()
        });
        schedule.ended(time, 0);
    }

    /// From when to when it was on the arrays.
    fn span(time: &SimulatedCommand) -> Range<u64> {
        let start = time.at(ProfilingPoint::Start).unwrap();
        let end = time.end().unwrap();
        let queued = time.at(ProfilingPoint::Queued).unwrap();
        let submit = time.at(ProfilingPoint::Submit).unwrap();
        assert!(0 < queued && queued <= submit && submit <= start - TIME && start <= end);
        start - TIME..end
    }

    #[test]
    fn launches_come_one_after_another_in_the_order_of_enqueuing() {
        let mut schedule = Schedule::new();
        let all: Vec<_> = (0..3)
            .map(|_| launch(&mut schedule, &device(0), &[]))
            .collect();
        // Whatever the host does first.
        ran(&mut schedule, &all[2], 2);
        ran(&mut schedule, &all[1], 3);
        assert_eq!(all[2].end(), None);
        ran(&mut schedule, &all[0], 4);
        let first = 1 + cost();
        assert_eq!(span(&all[0]), first..first + 4 * TIME);
        assert_eq!(span(&all[1]), first + 4 * TIME..first + 7 * TIME);
        assert_eq!(span(&all[2]), first + 7 * TIME..first + 9 * TIME);
        assert!(schedule.log.is_empty());
    }

    #[test]
    fn clusters_and_sub_devices_with_other_arrays_run_at_the_same_time() {
        let mut schedule = Schedule::new();
        let parts = device(1).divide(&Partition::Equally(8)).unwrap();
        let on = [&device(0), &parts[0], &parts[2], &device(1), &parts[1]];
        let all = on.map(|device| launch(&mut schedule, device, &[]));
        for time in &all {
            ran(&mut schedule, time, 10);
        }
        let [other, first, third, whole, second] = all.map(|time| span(&time));
        assert_eq!(first.start, other.start + cost());
        assert_eq!(third.start, other.start + 2 * cost());
        assert_eq!(whole.start, third.end, "all its arrays are needed at once");
        // It came last, but nothing that came before is later for it if it is long enough ahead.
        assert_eq!(second.start, whole.end);
    }

    #[test]
    fn the_host_programs_clock_goes_on_when_it_learns_of_an_end() {
        let mut schedule = Schedule::new();
        let long = launch(&mut schedule, &device(0), &[]);
        let other = launch(&mut schedule, &device(1), &[]);
        ran(&mut schedule, &long, 100);
        ran(&mut schedule, &other, 1);
        assert_eq!(schedule.clock.now(), 1 + 2 * cost());
        schedule.observed_by_host(&other);
        assert_eq!(schedule.clock.now(), span(&other).end.max(1 + 2 * cost()));
        schedule.observed_by_host(&long);
        schedule.observed_by_host(&other);
        assert_eq!(schedule.clock.now(), span(&long).end);
        let next = launch(&mut schedule, &device(2), &[]);
        assert_eq!(
            next.at(ProfilingPoint::Queued),
            Some(span(&long).end + cost())
        );
    }

    /// What is observed_by_host of while it is not known when it happened.
    #[test]
    fn the_clock_need_not_be_known_for_the_host_program_to_go_on() {
        let mut schedule = Schedule::new();
        let held_up = launch(&mut schedule, &device(0), &[]);
        let behind = launch(&mut schedule, &device(0), &[]);
        ran(&mut schedule, &behind, 2);
        schedule.observed_by_host(&behind);
        let next = launch(&mut schedule, &device(1), &[&behind]);
        ran(&mut schedule, &next, 2);
        assert_eq!(next.at(ProfilingPoint::Queued), None);
        ran(&mut schedule, &held_up, 50);
        assert_eq!(span(&behind).start, span(&held_up).end);
        assert_eq!(
            next.at(ProfilingPoint::Queued),
            Some(span(&behind).end + cost())
        );
    }

    #[test]
    fn what_waits_for_the_host_program_holds_nothing_up() {
        let mut schedule = Schedule::new();
        let user_event = SimulatedCommand::untimed();
        let gated = launch(&mut schedule, &device(0), &[&user_event]);
        let behind = launch(&mut schedule, &device(0), &[&gated]);
        let free = launch(&mut schedule, &device(0), &[]);
        ran(&mut schedule, &free, 10);
        schedule.observed_by_host(&free);
        let clock = schedule.clock.now();
        assert_eq!(clock, span(&free).end, "known although others wait");
        schedule.set(&user_event);
        assert_eq!(user_event.end(), Some(clock));
        // Put in after the event was set, so after the others.
        let last = launch(&mut schedule, &device(0), &[]);
        ran(&mut schedule, &last, 1);
        ran(&mut schedule, &behind, 1);
        ran(&mut schedule, &gated, 1);
        assert_eq!(gated.at(ProfilingPoint::Submit), Some(clock));
        assert_eq!(span(&behind).start, span(&gated).end);
        assert_eq!(span(&last).start, span(&behind).end);
    }

    #[test]
    fn native_kernels_take_no_time_and_have_their_place_when_they_have_ended() {
        let mut schedule = Schedule::new();
        let before = launch(&mut schedule, &device(0), &[]);
        let native = command(&mut schedule, CommandKind::Native, &device(0), &[&before]);
        let after = launch(&mut schedule, &device(0), &[&native]);
        let other = launch(&mut schedule, &device(0), &[]);
        ran(&mut schedule, &before, 5);
        ran(&mut schedule, &other, 5);
        assert_eq!(span(&other).start, span(&before).end);
        schedule.ended(&native, 0);
        ran(&mut schedule, &after, 5);
        assert_eq!(native.end(), before.end());
        assert_eq!(native.at(ProfilingPoint::Start), before.end());
        assert_eq!(span(&after).start, span(&other).end);
    }

    #[test]
    fn commands_end_with_their_context_without_having_waited() {
        let mut schedule = Schedule::new();
        let user_event = SimulatedCommand::untimed();
        let first = launch(&mut schedule, &device(0), &[&user_event]);
        let second = launch(&mut schedule, &device(0), &[&first]);
        schedule.ended(&second, -5);
        schedule.ended(&first, -5);
        schedule.set(&user_event);
        assert!(first.end().is_some() && second.end().is_some());
        assert!(schedule.log.is_empty());
        let weak = Arc::downgrade(&first);
        drop((first, second, user_event));
        assert_eq!(weak.strong_count(), 0);
    }

    /// Long chains are neither kept nor gone through by recursion.
    #[test]
    fn a_hundred_thousand_commands_wait_for_each_other() {
        let mut schedule = Schedule::new();
        let user_event = SimulatedCommand::untimed();
        let mut chain = vec![Arc::clone(&user_event)];
        for _ in 0..100_000 {
            let next = launch(&mut schedule, &device(0), &[&chain[chain.len() - 1]]);
            chain.push(next);
        }
        schedule.set(&user_event);
        for time in &chain[1..] {
            ran(&mut schedule, time, 2);
        }
        let first = chain[1].end().unwrap();
        assert_eq!(chain[100_000].end(), Some(first + 99_999 * 2 * TIME));
        let weak = Arc::downgrade(&chain[1]);
        let last = chain.pop();
        drop(chain);
        assert_eq!(weak.strong_count(), 0);
        drop(last);
    }
}
