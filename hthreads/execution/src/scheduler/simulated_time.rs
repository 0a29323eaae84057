//! The third part of a round: simulated time advances until a thread has to run.

use super::running::{Running, State};
use super::serving::Server;
use super::timed_launch::{Ending, TimedLaunch};
use crate::exception::{Exception, Raised};
use crate::synchronisation::ThreadNumber;
use device_sim::timing::launch_timing::Activity;
use device_sim::units::Cycles;
use std::sync::Arc;

impl Server<'_> {
    /// Hands the steps of threads that have run to the simulation of their launch. What they requested
    /// is served when they have performed them.
    pub fn take_steps(&mut self) {
        for running in self.threads.values_mut() {
            let (Some(id), Some(_), State::Ready) =
                (running.timed, &running.outcome, running.state)
            else {
                continue;
            };
            let Some(launch) = self.launches.get_mut(&id) else {
                continue;
            };
            let thread = &running.thread;
            if let Some(progress) = &thread.progress {
                let mut progress = progress.borrow_mut();
                progress.settle();
                let steps = progress.take_steps();
                launch.add_steps(thread.number, steps, self.simulation);
            }
            running.state = State::Simulated;
        }
    }

    /// Advances simulated time as far as no thread has to run before, and the host program learns of nothing;
    /// whether something was served.
    pub fn advance(&mut self) -> bool {
        let mut served = false;
        while !self.is_held && !self.has_notified_host && self.advance_to_request() {
            served = true;
        }
        self.now = None;
        served
    }

    /// Advances to the next request, and serves it, or to the end of a launch; false if there is none before a
    /// thread has to run.
    fn advance_to_request(&mut self) -> bool {
        let timed = self.threads.iter().filter(|(_, one)| one.timed.is_some());
        let ready = timed.clone().filter_map(|(_, running)| {
            let is_ready = running.state == State::Ready;
            is_ready.then_some(running.resumes_at)
        });
        let ready = ready.min();
        let deadlines = timed.filter_map(|(number, running)| {
            let deadline = running.state.deadline()?;
            Some((deadline, *number))
        });
        let deadline = deadlines.min();
        let is_first = |time: Cycles| {
            ready.is_none_or(|ready| time <= ready) && deadline.is_none_or(|(end, _)| time <= end)
        };
        let launches = self.launches.iter();
        let arrivals = launches.filter_map(|(id, launch)| Some((launch.in_flight.first()?, *id)));
        let arrival = arrivals.min();
        loop {
            let next = self.simulation.next_event();
            let is_before = |time: Cycles| next.is_none_or(|next| time <= next);
            if let Some((time, id)) = arrival
                && is_before(time)
                && is_first(time)
            {
                self.deliver_first(id);
                return true;
            }
            if ready.is_some_and(is_before) {
                return false;
            }
            if let Some((time, number)) = deadline
                && is_before(time)
            {
                self.end_limited_wait(number, time);
                return true;
            }
            if next.is_none() {
                return false;
            }
            let due = self.simulation.advance();
            if self.finish_launches() {
                return true;
            }
            let Some(place) = due else {
                continue;
            };
            self.now = Some(self.simulation.now());
            let is_of_place = |one: &Running| self.place(one) == Some(place);
            let mut all = self.threads.iter();
            let thread = all.find(|(_, one)| is_of_place(one));
            if let Some(number) = thread.map(|(number, _)| *number) {
                self.serve_due(number);
            }
            return true;
        }
    }

    /// The place of a thread in the simulation, if it has simulated time.
    pub fn place(&self, running: &Running) -> Option<usize> {
        let launch = self.launches.get(&running.timed?)?;
        Some(launch.place(running.thread.number))
    }

    /// The limit of a thread's wait is reached.
    fn end_limited_wait(&mut self, number: ThreadNumber, time: Cycles) {
        self.now = Some(time);
        if let Some(running) = self.threads.get(&number)
            && let Some(place) = self.place(running)
        {
            let activity = running.state.activity();
            self.simulation.proceed(place, time, activity);
        }
        self.stop(number, &Raised::new(Exception::BARRIER));
    }

    /// Serves a thread that has performed its steps.
    fn serve_due(&mut self, number: ThreadNumber) {
        if let Some(running) = self.threads.get_mut(&number)
            && running.state == State::Simulated
        {
            running.state = State::Due;
        }
        self.serve_thread(number);
    }

    /// The threads of a launch have ended, or one was stopped. Threads that are left run without simulated
    /// time.
    pub fn end_launch(&mut self, id: u64, exception: Option<Exception>) {
        self.deliver_all(id);
        let Some(launch) = self.launches.get_mut(&id) else {
            return;
        };
        if launch.ending.is_some() {
            return;
        }
        launch.ending = Some(Ending { exception });
        for running in self.threads.values_mut() {
            if running.timed != Some(id) {
                continue;
            }
            running.timed = None;
            launch.add_totals(&running.thread);
            if let Some(progress) = &running.thread.progress {
                progress.borrow_mut().end();
            }
            if running.state == State::Simulated {
                running.state = State::Due;
            }
        }
        for place in launch.places() {
            self.simulation.end(place, Activity::Idle);
        }
    }

    /// Records launches whose arrays have ended after their threads, and notifies the host program; whether
    /// there were any.
    fn finish_launches(&mut self) -> bool {
        let simulation = &mut *self.simulation;
        let is_over =
            |launch: &TimedLaunch| launch.ending.is_some() && launch.has_ended(simulation);
        let over: Vec<u64> = self
            .launches
            .iter()
            .filter(|(_, launch)| is_over(launch))
            .map(|(id, _)| *id)
            .collect();
        for id in &over {
            let Some(launch) = self.launches.remove(id) else {
                continue;
            };
            let exception = launch.ending.and_then(|ending| ending.exception);
            let (group, number) = (Arc::clone(&launch.group), launch.number);
            launch.finish(exception, self.simulation);
            self.has_notified_host = true;
            self.notify(&group, number, exception);
        }
        !over.is_empty()
    }
}
