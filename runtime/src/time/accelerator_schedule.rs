//! The tasks of a custom device in simulated time. The device's scheduler decides when a task runs, and later
//! tasks may run before earlier ones. So a task has no times until the host program has come to its end, or
//! something else needs to know it.

use crate::device::Accelerators;
use crate::recording::command_record::PendingRecord;
use crate::time::accelerator_task::AcceleratorTask;
use crate::time::command_work::CommandWork;
use crate::time::simulated_command::{ChainLink, SimulatedCommand};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::units::{ClockRate, Cycles, Nanoseconds};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use task_scheduler::{ArrivingTask, TaskStream, TaskTimes};

/// A task without times.
pub(super) struct PendingTask {
    pub command: Arc<SimulatedCommand>,
    pub task: AcceleratorTask,
    /// The rest of its work.
    pub work: CommandWork,
    pub record: Option<PendingRecord>,
    pub status: i32,
    pub queued: Option<Nanoseconds>,
    pub submit: Nanoseconds,
    /// Migrations before it.
    pub migration: Option<Range<Nanoseconds>>,
    /// Its place in a chain.
    pub chain: Option<Box<ChainLink>>,
}

/// When and where a task ran.
pub(super) struct EndedTask {
    pub pending: PendingTask,
    /// The report of its execution.
    pub report: Arc<LaunchReport>,
    /// Whether the task queue manager gave it up.
    pub gave_up: bool,
    pub start: Nanoseconds,
    pub end: Nanoseconds,
}

/// The scheduler of a custom device.
pub(super) struct AcceleratorSchedule {
    stream: TaskStream,
    clock: ClockRate,
    /// By their numbers in the stream.
    pending: HashMap<u64, PendingTask>,
}

impl AcceleratorSchedule {
    pub fn new(accelerators: &Accelerators) -> Self {
        Self {
            stream: TaskStream::new(accelerators.scheduler()),
            clock: accelerators.clock(),
            pending: HashMap::new(),
        }
    }

    /// The host program has come to that time; returns the tasks whose times are known since.
    pub fn advance(&mut self, now: Nanoseconds) -> Vec<EndedTask> {
        self.stream.advance(self.clock.complete_cycles(now).0);
        self.take_ended()
    }

    /// Submits a task that arrives at that time, and waits for others, which are named by their numbers;
    /// returns its number.
    pub fn submit(
        &mut self,
        pending: PendingTask,
        arrival: Nanoseconds,
        waits_for: Vec<u64>,
    ) -> u64 {
        let mut descriptor = pending.task.descriptor.clone();
        if let Some(chain) = &pending.chain {
            // The task before it has no number any more if it has ended.
            descriptor.follows = chain.before.as_ref().and_then(|one| one.state.lock().task);
            descriptor.is_followed = chain.is_followed;
            descriptor.priority = chain.priority;
        }
        let number = self.stream.submit(ArrivingTask {
            function: pending.task.function,
            cycles: pending.task.cycles.total(),
            arrival: self.clock.cycles(arrival).0,
            waits_for,
            descriptor,
        });
        self.pending.insert(number, pending);
        number
    }

    /// The task whose end the host program observes, and the others that have ended before. No task that
    /// is submitted later arrives before.
    pub fn observe(&mut self, number: u64) -> Vec<EndedTask> {
        let observed = self.pending.remove(&number).map(|pending| {
            let times = self.stream.times(number);
            self.ended(pending, times)
        });
        let others = self.take_ended();
        observed.into_iter().chain(others).collect()
    }

    /// The task whose end another device has to know. What is submitted later may still run before it, and
    /// changes its times no more.
    pub fn predict(&mut self, number: u64) -> Option<EndedTask> {
        let pending = self.pending.remove(&number)?;
        let times = self.stream.clone().times(number);
        Some(self.ended(pending, times))
    }

    /// All tasks, at the end of the process.
    pub fn finish(&mut self) -> Vec<EndedTask> {
        let mut numbers: Vec<u64> = self.pending.keys().copied().collect();
        numbers.sort_unstable();
        let each = numbers.into_iter();
        each.flat_map(|number| self.observe(number)).collect()
    }

    fn take_ended(&mut self) -> Vec<EndedTask> {
        let mut ended = self.stream.take_ended();
        ended.sort_unstable_by_key(|(number, _)| *number);
        let ended = ended.into_iter();
        ended
            .filter_map(|(number, times)| {
                let pending = self.pending.remove(&number)?;
                Some(self.ended(pending, times))
            })
            .collect()
    }

    fn ended(&self, pending: PendingTask, times: TaskTimes) -> EndedTask {
        let at = |cycle| self.clock.nanoseconds(Cycles(cycle));
        let duration = Cycles(times.computed - times.begin);
        let report = match times.gave_up {
            true => Arc::new(LaunchReport::of_task_on_host(duration)),
            false => {
                let units = std::iter::once(times.unit).chain(times.others);
                let units = units.map(|unit| pending.task.first_unit + unit as u64);
                pending.task.report(&units.collect::<Vec<_>>(), duration)
            }
        };
        EndedTask {
            report,
            gave_up: times.gave_up,
            start: at(times.begin),
            end: at(times.end),
            pending,
        }
    }
}
