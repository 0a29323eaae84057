//! The second part of a round: requests are served one after the other.

use super::report;
use super::running::{Outcome, Running, State};
use crate::device_thread::Request;
use crate::exception::{Exception, Raised};
use crate::synchronisation::{Arrival, ThreadNumber, Units};
use std::collections::BTreeMap;

/// The threads of a cluster, by the order in which they were started.
pub type Threads = BTreeMap<ThreadNumber, Running>;

/// Serves what the threads of a cluster requested in this round.
pub struct Server<'s> {
    /// The cluster.
    pub cluster: u32,
    /// Its threads.
    pub threads: &'s mut Threads,
    /// Its units.
    pub units: &'s mut Units,
}

impl Server<'_> {
    /// Serves all.
    pub fn serve_all(&mut self) {
        let numbers: Vec<ThreadNumber> = self.threads.keys().copied().collect();
        for number in numbers {
            while let Some(outcome) = self.take_outcome(number) {
                match outcome {
                    Outcome::Ended => self.end(number),
                    Outcome::Asked(request) => self.serve(number, request),
                }
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
        if !group.end_thread(launch) {
            return;
        }
        if group.missing() == 0 {
            group.complete(launch);
            return;
        }
        // The machine's own library would wait for the missing threads for ever.
        report::missing_threads(self.cluster, group);
        group.stop(launch, Exception::BARRIER);
    }

    fn serve(&mut self, number: ThreadNumber, request: Request) {
        match request {
            Request::Together => self.make_ready(number, 0),
            Request::Alone => {
                if let Some(running) = self.threads.get_mut(&number) {
                    running.answer = 0;
                    running.resume();
                }
            }
            Request::Barrier {
                unit,
                threads,
                is_limited,
            } => match self.units.barrier(unit).arrive(number, threads) {
                Arrival::Waits => self.wait(number, State::AtBarrier { unit, is_limited }),
                Arrival::Releases(all) => all.into_iter().for_each(|one| self.make_ready(one, 0)),
                Arrival::Conflicts => self.stop(number, &Raised::new(Exception::BARRIER)),
            },
            Request::Lock { unit, writes } => {
                if self.units.lock(unit).take(number, writes) {
                    self.make_ready(number, 0);
                } else {
                    self.wait(number, State::ForLock { unit, writes });
                }
            }
            Request::TryLock { unit, writes } => {
                let taken = self.units.lock(unit).try_take(writes);
                self.make_ready(number, u64::from(taken));
            }
            Request::Unlock(unit) => {
                let next = self.units.lock(unit).give_back();
                next.into_iter().for_each(|one| self.make_ready(one, 0));
                self.make_ready(number, 0);
            }
            Request::Sleep(until) => self.wait(number, State::Until(until)),
            Request::Raise(raised) => self.stop(number, &raised),
            Request::Halt => self.wait(number, State::Halted),
        }
    }

    fn make_ready(&mut self, number: ThreadNumber, answer: u64) {
        if let Some(running) = self.threads.get_mut(&number) {
            running.state = State::Ready;
            running.answer = answer;
        }
    }

    fn wait(&mut self, number: ThreadNumber, state: State) {
        if let Some(running) = self.threads.get_mut(&number) {
            running.state = state;
        }
    }

    /// Stops a thread for ever; its group is not running any more for the host program.
    pub fn stop(&mut self, number: ThreadNumber, raised: &Raised) {
        let Some(running) = self.threads.remove(&number) else {
            return;
        };
        self.units.forget(number);
        report::exception(self.cluster, &running.thread, raised);
        running
            .thread
            .group
            .stop(running.thread.launch, raised.exception);
    }
}
