//! The second part of a round: requests are served one after the other.

use super::report;
use super::running::{Limit, Outcome, Running, State};
use super::timed_launch::TimedLaunch;
use crate::check::Checking;
use crate::device_thread::{DeviceThread, Request};
use crate::exception::{Exception, Raised};
use crate::group::Group;
use crate::host_service::HostService;
use crate::synchronisation::{Arrival, ThreadNumber, Units};
use device_sim::timing::engine::live::LiveCluster;
use device_sim::units::{ClockRate, Cycles, Nanoseconds};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The threads of a cluster, by the order in which they were started.
pub type Threads = BTreeMap<ThreadNumber, Running>;

/// A launch that an exception of one of its threads has stopped.
pub struct StoppedLaunch {
    group: Arc<Group>,
    launch: u64,
    exception: Exception,
}

/// Notifies the host program of stopped launches, in their order.
pub fn notify_host(stopped: &mut Vec<StoppedLaunch>) {
    for one in stopped.drain(..) {
        one.group.stop(one.launch, one.exception);
    }
}

/// Serves what the threads of a cluster requested in this round.
pub struct Server<'s> {
    /// The cluster.
    pub cluster: u32,
    /// Its threads.
    pub threads: &'s mut Threads,
    /// Its units.
    pub units: &'s mut Units,
    /// Its launches in simulated time.
    pub launches: &'s mut BTreeMap<u64, TimedLaunch>,
    /// What their arrays do.
    pub simulation: &'s mut LiveCluster<'static>,
    /// The simulated time of what is served; none without.
    pub now: Option<Cycles>,
    /// The clock of the arrays.
    pub clock: ClockRate,
    /// The host program's part of interrupts.
    pub host: &'s HostService,
    /// Launches that exceptions have stopped in this round, of which the host program does not know yet.
    pub stopped: &'s mut Vec<StoppedLaunch>,
    /// Whether the host program got an interrupt, or has learned of the end of a launch in simulated time, and
    /// may have asked something of the cluster.
    pub has_notified_host: bool,
    /// Whether simulated time is held.
    pub is_held: bool,
}

impl Server<'_> {
    /// Serves all.
    pub fn serve_all(&mut self) {
        let asking = self.threads.iter().filter(|(_, one)| one.is_served());
        let numbers: Vec<ThreadNumber> = asking.map(|(number, _)| *number).collect();
        for number in numbers {
            self.serve_thread(number);
        }
    }

    /// Serves what a thread requested.
    pub fn serve_thread(&mut self, number: ThreadNumber) {
        while let Some(outcome) = self.take_outcome(number) {
            match outcome {
                Outcome::Ended => self.end(number),
                Outcome::Asked(request) => self.serve(number, request),
            }
        }
    }

    fn take_outcome(&mut self, number: ThreadNumber) -> Option<Outcome> {
        self.threads.get_mut(&number)?.outcome.take()
    }

    /// The kernel has returned.
    fn end(&mut self, number: ThreadNumber) {
        let Some(running) = self.threads.remove(&number) else {
            return;
        };
        let (group, launch) = (&running.thread.group, running.thread.launch);
        group.note_arithmetic(
            launch,
            running.thread.number,
            running.thread.arithmetic.raised(),
        );
        if let Some(checking) = Checking::of(&running.thread) {
            checking.end();
        }
        let lost = running.thread.interrupts.pending();
        report::lost_interrupts(self.cluster, group.id, running.thread.number, &lost);
        if let Some(place) = self.place(&running) {
            self.simulation.end(place, running.state.activity());
        }
        self.add_totals(&running);
        if !group.end_thread(launch) {
            return;
        }
        let exception = (group.missing() > 0).then_some(Exception::BARRIER);
        if exception.is_some() {
            // The machine's own library would wait for the missing threads for ever.
            report::missing_threads(self.cluster, group);
        }
        self.end_or_notify(&running.thread, exception);
    }

    /// Adds what a thread has done to its launch.
    pub fn add_totals(&mut self, running: &Running) {
        if let Some(timed) = running.timed.and_then(|id| self.launches.get_mut(&id)) {
            timed.add_totals(&running.thread);
        }
    }

    /// The threads of a launch have ended, or one of them, `thread`, was stopped by an exception: the host program
    /// learns of it, in simulated time when the arrays have ended.
    pub fn end_or_notify(&mut self, thread: &DeviceThread, exception: Option<Exception>) {
        let (group, launch) = (&thread.group, thread.launch);
        let is_same =
            |timed: &TimedLaunch| timed.number == launch && Arc::ptr_eq(&timed.group, group);
        let mut timed = self.launches.iter();
        match timed.find(|(_, timed)| is_same(timed)).map(|(id, _)| *id) {
            Some(id) => self.end_launch(id, exception),
            None => self.notify(group, launch, exception),
        }
    }

    /// The host program learns that a launch does not run; of an exception at the end of the round.
    pub fn notify(&mut self, group: &Arc<Group>, launch: u64, exception: Option<Exception>) {
        match exception {
            None => group.complete(launch),
            // Not at once: exceptions of other threads are reported before the program may end.
            Some(exception) => self.stopped.push(StoppedLaunch {
                group: Arc::clone(group),
                launch,
                exception,
            }),
        }
    }

    fn serve(&mut self, number: ThreadNumber, request: Request) {
        match request {
            Request::Together => self.make_ready(number, 0),
            Request::Alone | Request::Access => {
                if let Some(running) = self.threads.get_mut(&number) {
                    running.answer = 0;
                    running.resume();
                }
            }
            Request::Barrier {
                unit,
                threads,
                limit,
            } => match self.arrive(number, unit, threads) {
                Arrival::Waits => {
                    let limit = limit.map(|cycles| self.limit(number, cycles));
                    self.wait(number, State::AtBarrier { unit, limit });
                }
                Arrival::Releases(all) => {
                    self.note_meeting(&all);
                    let is_wait =
                        |state| matches!(state, State::AtBarrier { unit: at, .. } if at == unit);
                    for waiting in all.into_iter().filter(|one| *one != number) {
                        self.end_wait(waiting, is_wait);
                    }
                    self.make_ready(number, 0);
                }
                Arrival::Conflicts => self.stop(number, &Raised::new(Exception::BARRIER)),
            },
            Request::Lock { unit, writes } => {
                if self.units.lock(unit).take(number, writes) {
                    self.note_lock(number, unit, writes);
                    self.make_ready(number, 0);
                } else {
                    self.wait(number, State::ForLock { unit, writes });
                }
            }
            Request::TryLock { unit, writes } => {
                let taken = self.units.lock(unit).try_take(writes);
                if taken {
                    self.note_lock(number, unit, writes);
                }
                self.make_ready(number, u64::from(taken));
            }
            Request::Unlock(unit) => {
                let writes = self.units.lock(unit).is_written();
                self.note_unlock(number, unit, writes);
                let next = self.units.lock(unit).give_back();
                let is_wait =
                    |state| matches!(state, State::ForLock { unit: of, .. } if of == unit);
                for (waiting, writes) in next {
                    self.note_lock(waiting, unit, writes);
                    self.end_wait(waiting, is_wait);
                }
                self.make_ready(number, 0);
            }
            Request::Sleep(delay) => self.sleep(number, delay),
            Request::Clock => {
                let now = self.now.unwrap_or_default().0;
                self.make_ready(number, now);
            }
            Request::IsPending(event) => {
                let pending = self.is_pending(number, event);
                self.make_ready(number, pending.into());
            }
            Request::InterruptHost(value) => self.interrupt_host(number, value, false),
            Request::TestInterrupt(value) => self.interrupt_host(number, value, true),
            Request::WaitForInterrupt => self.wait(number, State::ForInterrupt),
            Request::WaitOn => self.wait_on(number),
            Request::Raise(raised) => self.stop(number, &raised),
            Request::Halt => self.wait(number, State::Halted),
        }
    }

    fn arrive(&mut self, number: ThreadNumber, unit: u32, threads: usize) -> Arrival {
        self.note_arrival(number);
        self.units.barrier(unit).arrive(number, threads)
    }

    pub fn make_ready(&mut self, number: ThreadNumber, answer: u64) {
        self.make_ready_after(number, answer, Cycles::ZERO);
    }

    /// Lets a thread continue; in simulated time some cycles from now.
    fn make_ready_after(&mut self, number: ThreadNumber, answer: u64, delay: Cycles) {
        let Some(running) = self.threads.get_mut(&number) else {
            return;
        };
        let activity = running.state.activity();
        running.state = State::Ready;
        running.answer = answer;
        // What is served may be later than the last event.
        let now = self.now.unwrap_or_default().max(self.simulation.now());
        running.resumes_at = now.saturating_add(delay);
        let launch = running.timed.and_then(|id| self.launches.get(&id));
        if let Some(launch) = launch {
            let place = launch.place(running.thread.number);
            self.simulation.proceed(place, running.resumes_at, activity);
        }
    }

    /// The end of a limited wait of a thread that begins now.
    fn limit(&self, number: ThreadNumber, cycles: u64) -> Limit {
        match self.threads.get(&number).and_then(|one| one.timed) {
            Some(_) => Limit::At(self.simulation.now().saturating_add(Cycles(cycles))),
            None => Limit::NoProgress,
        }
    }

    fn sleep(&mut self, number: ThreadNumber, delay: Duration) {
        let is_timed = self
            .threads
            .get(&number)
            .is_some_and(|one| one.timed.is_some());
        if is_timed {
            let nanoseconds = u64::try_from(delay.as_nanos()).unwrap_or(u64::MAX);
            let cycles = self.clock.cycles(Nanoseconds(nanoseconds));
            self.make_ready_after(number, 0, cycles);
        } else if let Some(end) = Instant::now().checked_add(delay) {
            self.wait(number, State::Until(end));
        } else {
            self.wait(number, State::Halted);
        }
    }

    fn is_pending(&self, number: ThreadNumber, event: u32) -> bool {
        let running = self.threads.get(&number);
        let place = running.and_then(|running| self.place(running));
        place.is_some_and(|place| self.simulation.is_pending(place, event))
    }

    pub fn wait(&mut self, number: ThreadNumber, state: State) {
        if let Some(running) = self.threads.get_mut(&number) {
            running.state = state;
        }
        self.interrupt_wait(number);
    }

    /// Stops a thread for ever; its group is not running any more for the host program.
    pub fn stop(&mut self, number: ThreadNumber, raised: &Raised) {
        let Some(running) = self.threads.remove(&number) else {
            return;
        };
        self.units.forget(number);
        report::exception(self.cluster, &running.thread, raised);
        let thread = &running.thread;
        let of_arithmetic = thread.arithmetic.raised();
        thread
            .group
            .note_arithmetic(thread.launch, thread.number, of_arithmetic);
        self.add_totals(&running);
        self.end_or_notify(&running.thread, Some(raised.exception));
    }
}
