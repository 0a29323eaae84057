//! The state of the scheduler, and its cycles.

use super::branches::Branches;
use super::bus::Bus;
use super::look_up_buffer::LookUpBuffer;
use super::queue::TaskQueue;
use super::stations::Stations;
use super::tasks::Tasks;
use crate::error::RunError;
use crate::interpreter::{Interpreter, Step};
use crate::memory_tracker::MemoryTracker;
use crate::outcome::{Outcome, Stall, Stalls, TaskRecord};
use crate::settings::{Function, Numbers, Settings};
use crate::units::Units;
use device_sim::machine::Scheduling;
use std::collections::VecDeque;
use task_isa::Program;

/// The scheduler.
pub(super) struct Engine<'a> {
    pub settings: &'a Settings,
    pub numbers: Numbers,
    pub is_speculative: bool,
    /// The cycle.
    pub now: u64,
    pub interpreter: Interpreter<'a>,
    pub queue: TaskQueue,
    /// A decoded instruction that waits for a resource.
    pub held: Option<Step>,
    /// When decoding continues after a bubble or a copy, and why it does not before.
    pub blocked: (u64, Stall),
    /// What is wrong with the next instruction; it counts only if that is not speculative.
    pub error: Option<RunError>,
    pub has_ended: bool,
    /// The number of the last task or branch.
    pub last_number: u64,
    pub tasks: Tasks,
    /// Slots of the tasks in the dispatch window, and when their look-ups end.
    pub window: VecDeque<(usize, u64)>,
    pub stations: Stations,
    pub tracker: MemoryTracker,
    pub units: Units,
    pub bus: Bus,
    pub branches: Branches,
    pub look_up_buffer: LookUpBuffer,
    pub stalls: Stalls,
    /// Why no instruction was decoded in this cycle.
    pub stalled: Option<Stall>,
    pub ended: u64,
    /// Tasks that ended before the branches in front of them were decided: numbers, and places in
    /// `records`.
    pub ended_early: Vec<(u64, usize)>,
    pub aborted: u64,
    /// The cycle of the last announcement or decision.
    pub last: u64,
    pub records: Vec<TaskRecord>,
    /// The slots of the tasks that a new one waits for; the list is used again.
    pub conflicts: Vec<usize>,
}

/// Runs a program.
///
/// # Errors
/// The program uses what the machine does not have, or does not end.
pub(crate) fn run(program: &Program, settings: &Settings) -> Result<Outcome, RunError> {
    let mut engine = Engine::new(program, settings);
    loop {
        let has_changed = engine.cycle()?;
        if engine.is_done() {
            break;
        }
        let next = match has_changed {
            true => engine.now + 1,
            false => engine.next_event(),
        };
        if let Some(stall) = engine.stalled {
            engine.stalls.add(stall, next - engine.now);
        }
        engine.now = next;
    }
    Ok(engine.outcome())
}

impl<'a> Engine<'a> {
    fn new(program: &'a Program, settings: &'a Settings) -> Self {
        let numbers = settings.scheduler;
        let mut functions = settings.functions.clone();
        // What reads memory for branches is one more function.
        functions.push(Function {
            name: String::new(),
            units: numbers.readers,
            cycles: numbers.memory_read,
        });
        Self {
            settings,
            numbers,
            is_speculative: settings.scheduling == Scheduling::Speculative,
            now: 0,
            interpreter: Interpreter::new(
                program,
                settings.functions.len(),
                numbers.registers,
                settings.instruction_limit,
            ),
            queue: TaskQueue::new(numbers.queue, numbers.push),
            held: None,
            blocked: (0, Stall::Bubble),
            error: None,
            has_ended: false,
            last_number: 0,
            tasks: Tasks::default(),
            window: VecDeque::new(),
            stations: Stations::new(functions.len(), numbers.stations),
            tracker: MemoryTracker::new(numbers.tracker),
            units: Units::new(&functions),
            bus: Bus::new(numbers.bus_latency),
            branches: Branches::default(),
            look_up_buffer: LookUpBuffer::new(numbers.look_up_buffer, numbers.transactional_memory),
            stalls: Stalls::default(),
            stalled: None,
            ended: 0,
            ended_early: Vec::new(),
            aborted: 0,
            last: 0,
            records: Vec::new(),
            conflicts: Vec::new(),
        }
    }

    /// The function that reads memory for branches.
    pub fn reader(&self) -> usize {
        self.settings.functions.len()
    }

    /// Cycles of a task.
    pub fn cycles(&self, function: usize) -> u64 {
        let function = self.settings.functions.get(function);
        function.map_or(self.numbers.memory_read, |function| function.cycles)
    }

    /// Simulates the cycle `now`; returns whether anything changed.
    fn cycle(&mut self) -> Result<bool, RunError> {
        let announced = self.announce();
        let decided = self.decide();
        let issued = self.issue();
        let dispatched = self.dispatch();
        let decoded = self.decode()?;
        Ok(announced | decided | issued | dispatched | decoded)
    }

    fn is_done(&self) -> bool {
        self.has_ended && self.tracker.len() == 0 && self.branches.is_empty()
    }

    /// The next cycle in which something can happen, after one in which nothing did.
    fn next_event(&mut self) -> u64 {
        let now = self.now;
        let look_ups = self.window.iter().map(|(_, time)| *time);
        let mut times = [
            self.bus.time(),
            self.branches.next_decision(self.numbers.resolve),
            look_ups.filter(|time| *time > now).min(),
            Some(self.blocked.0).filter(|time| *time > now),
            self.queue.is_empty(now).then(|| self.queue.next()),
        ];
        for time in times.iter_mut().flatten() {
            *time = (*time).max(now + 1);
        }
        times.into_iter().flatten().min().unwrap_or(now + 1)
    }

    fn outcome(self) -> Outcome {
        Outcome {
            scheduling: self.settings.scheduling,
            cycles: self.last,
            instructions: self.interpreter.instructions,
            tasks: self.ended,
            aborted: self.aborted,
            given_up: 0,
            branches: self.branches.decided,
            mispredicted: self.branches.mispredicted,
            copied_back: self.look_up_buffer.copied,
            most_tracked: self.tracker.most,
            stalls: self.stalls,
            units: self.units.uses(self.settings.functions.len()),
            records: self.records,
        }
    }
}
