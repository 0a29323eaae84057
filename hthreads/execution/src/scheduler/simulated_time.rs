//! The third part of a round: launches in simulated time advance until a thread has to run.

use super::running::{Running, State};
use super::serving::Server;
use super::timed_launch::TimedLaunch;
use crate::exception::{Exception, Raised};
use crate::synchronisation::ThreadNumber;
use device_sim::units::Cycles;

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
                launch.add_steps(thread.number as usize, steps);
            }
            running.state = State::Simulated;
        }
    }

    /// Advances all launches as far as no thread has to run before, and the host program gets no
    /// interrupt; whether something was served.
    pub fn advance(&mut self) -> bool {
        let mut served = false;
        let is_held = self.is_held;
        let advances = |launch: &TimedLaunch| !(is_held && launch.expects_interrupts);
        let all = self.launches.iter().filter(|(_, launch)| advances(launch));
        let ids: Vec<u64> = all.map(|(id, _)| *id).collect();
        for id in ids {
            while self.advance_launch(id) {
                served = true;
                if self.has_called_host {
                    break;
                }
            }
        }
        self.now = None;
        served
    }

    /// Advances a launch to the next request, and serves it; false if there is none before a thread
    /// has to run.
    fn advance_launch(&mut self, id: u64) -> bool {
        let ready = self.of_launch(id).filter_map(|(_, running)| {
            let is_ready = running.state == State::Ready;
            is_ready.then_some(running.resumes_at)
        });
        let ready = ready.min();
        let deadlines = self.of_launch(id).filter_map(|(number, running)| {
            let deadline = running.state.deadline()?;
            Some((deadline, number))
        });
        let deadline = deadlines.min();
        let is_first = |time: Cycles| {
            ready.is_none_or(|ready| time <= ready) && deadline.is_none_or(|(end, _)| time <= end)
        };
        loop {
            let Some(launch) = self.launches.get_mut(&id) else {
                return false;
            };
            let base = launch.base;
            let next = launch.simulation.next_event();
            let is_before = |time: Cycles| next.is_none_or(|next| time <= next);
            let arrival = launch.in_flight.first();
            if arrival.is_some_and(|time| is_before(time) && is_first(time)) {
                self.deliver_first(id);
                return true;
            }
            if ready.is_some_and(is_before) {
                return false;
            }
            if let Some((time, number)) = deadline
                && is_before(time)
            {
                self.now = Some(base + time);
                if let Some(running) = self.threads.get(&number) {
                    let place = running.thread.number as usize;
                    launch
                        .simulation
                        .proceed(place, time, running.state.activity());
                }
                self.stop(number, &Raised::new(Exception::BARRIER));
                return true;
            }
            if next.is_none() {
                return false;
            }
            let Some(place) = launch.simulation.advance() else {
                continue;
            };
            self.now = Some(launch.base + launch.simulation.now());
            let thread = self
                .of_launch(id)
                .find(|(_, running)| running.thread.number as usize == place)
                .map(|(number, _)| number);
            if let Some(number) = thread {
                self.serve_due(number);
            }
            return true;
        }
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

    fn of_launch(&self, id: u64) -> impl Iterator<Item = (ThreadNumber, &Running)> {
        let all = self.threads.iter();
        all.filter(move |(_, running)| running.timed == Some(id))
            .map(|(number, running)| (*number, running))
    }

    /// A launch is over in simulated time. Threads that are left run without it.
    pub fn end_launch(&mut self, id: u64, exception: Option<Exception>) {
        self.deliver_all(id);
        let Some(mut launch) = self.launches.remove(&id) else {
            return;
        };
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
        launch.end(exception);
    }
}
