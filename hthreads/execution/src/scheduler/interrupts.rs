//! Interrupts: when they arrive, and what they let threads and the host program do.

use super::in_flight::{Arriving, FromThread};
use super::report;
use super::running::{InterruptedWait, State};
use super::serving::{self, Server};
use crate::device_thread::DeviceThread;
use crate::group::Group;
use crate::host_service::HostInterrupt;
use crate::synchronisation::ThreadNumber;
use device_sim::units::Cycles;
use std::sync::Arc;

impl Server<'_> {
    /// A thread interrupts the host program. In simulated time the program learns of it later.
    pub fn interrupt_host(&mut self, number: ThreadNumber, value: u64, is_test: bool) {
        self.note_interrupt(number);
        let Some(running) = self.threads.get(&number) else {
            return;
        };
        let interrupt = FromThread {
            thread: running.thread.number,
            value,
            is_test,
        };
        match running.timed.and_then(|id| self.launches.get_mut(&id)) {
            Some(launch) => {
                let time = self.simulation.now().saturating_add(launch.notice);
                launch.in_flight.add(time, Arriving::AtHost(interrupt));
            }
            None => {
                let group = Arc::clone(&running.thread.group);
                self.call_host(&group, interrupt);
            }
        }
        self.make_ready(number, 0);
    }

    /// The host program gets an interrupt.
    fn call_host(&mut self, group: &Group, interrupt: FromThread) {
        self.has_notified_host = true;
        let FromThread {
            thread,
            value,
            is_test,
        } = interrupt;
        if is_test {
            report::test_interrupt(self.cluster, group, value);
            return;
        }
        // Its handler may use groups that are not running any more.
        serving::notify_host(self.stopped);
        (self.host)(&HostInterrupt {
            group,
            thread,
            value,
            time: self.now.map(|now| self.clock.nanoseconds(now)),
        });
    }

    /// An interrupt of the host program for a thread of a group is sent; in simulated time it arrives at
    /// `time` of the machine's clock.
    pub fn send(&mut self, group: &Group, thread: u32, number: u32, time: Option<Cycles>) {
        let is_target = |one: &DeviceThread| std::ptr::eq(&raw const *one.group, group);
        let mut all = self.threads.iter();
        let found = all.find(|(_, one)| is_target(&one.thread) && one.thread.number == thread);
        let Some((target, running)) = found else {
            report::lost_interrupts(self.cluster, group.id, thread, &[number]);
            return;
        };
        let target = *target;
        let launch = running.timed.and_then(|id| self.launches.get_mut(&id));
        match (launch, time) {
            (Some(launch), Some(time)) => {
                let time = time.max(self.simulation.now());
                let arriving = Arriving::AtThread {
                    thread: target,
                    place: thread,
                    number,
                };
                launch.in_flight.add(time, arriving);
            }
            _ => {
                self.interrupt_thread(target, number);
            }
        }
    }

    /// The first interrupt of a launch that is in flight arrives.
    pub fn deliver_first(&mut self, id: u64) {
        let Some(launch) = self.launches.get_mut(&id) else {
            return;
        };
        let Some((time, arriving)) = launch.in_flight.take_first() else {
            return;
        };
        self.now = Some(time);
        match arriving {
            Arriving::AtThread {
                thread,
                place,
                number,
            } => {
                let group = launch.group.id;
                if !self.interrupt_thread(thread, number) {
                    report::lost_interrupts(self.cluster, group, place, &[number]);
                }
            }
            Arriving::AtHost(interrupt) => {
                let group = Arc::clone(&launch.group);
                self.call_host(&group, interrupt);
            }
        }
    }

    /// The launch is over: what was sent before arrives.
    pub fn deliver_all(&mut self, id: u64) {
        let now = self.now;
        while let Some(launch) = self.launches.get_mut(&id)
            && launch.in_flight.first().is_some()
        {
            self.deliver_first(id);
        }
        self.now = now;
    }

    /// A thread is interrupted, if it has not ended. If it waits, it continues to take the interrupt.
    fn interrupt_thread(&mut self, number: ThreadNumber, interrupt: u32) -> bool {
        self.note_interrupt(number);
        let Some(running) = self.threads.get_mut(&number) else {
            return false;
        };
        running.thread.interrupts.arrive(interrupt);
        self.interrupt_wait(number);
        true
    }

    /// Lets a thread that waits continue if it has an interrupt to take.
    pub fn interrupt_wait(&mut self, number: ThreadNumber) {
        let Some(running) = self.threads.get_mut(&number) else {
            return;
        };
        if running.state.can_be_interrupted() && running.thread.interrupts.interrupt_wait() {
            running.interrupted.push(InterruptedWait {
                state: running.state,
                is_over: false,
            });
            self.make_ready(number, 0);
        }
    }

    /// A thread that took an interrupt continues its wait.
    pub fn wait_on(&mut self, number: ThreadNumber) {
        let Some(running) = self.threads.get_mut(&number) else {
            return;
        };
        match running.interrupted.pop() {
            Some(InterruptedWait {
                state,
                is_over: false,
            }) if state != State::ForInterrupt => self.wait(number, state),
            _ => self.make_ready(number, 0),
        }
    }

    /// A wait of a thread has ended: it continues, unless it takes an interrupt.
    pub fn end_wait(&mut self, number: ThreadNumber, is_wait: impl Fn(State) -> bool) {
        let Some(running) = self.threads.get_mut(&number) else {
            return;
        };
        if is_wait(running.state) {
            self.make_ready(number, 0);
            return;
        }
        let mut waits = running.interrupted.iter_mut().rev();
        if let Some(wait) = waits.find(|wait| is_wait(wait.state) && !wait.is_over) {
            wait.is_over = true;
        }
    }
}
