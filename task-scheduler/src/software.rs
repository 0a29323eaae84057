//! Scheduling by a runtime system of the host: what the hardware scheduler does, by a processor that
//! finds each part of it in its level 2 cache, and is interrupted when a task ends (HTS paper, section
//! VI.C). It does not speculate.

use crate::error::RunError;
use crate::interpreter::{BranchStep, Interpreter, Step, TaskStep};
use crate::memory_tracker::{Accesses, MemoryTracker};
use crate::outcome::{Outcome, Stalls, TaskRecord};
use crate::settings::{Numbers, Settings};
use crate::units::Units;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use task_isa::Program;

/// A task in flight.
#[derive(Default)]
struct Task {
    number: u64,
    function: usize,
    decoded: u64,
    unit: usize,
    begin: u64,
    end: u64,
    waits: usize,
    waiters: Vec<usize>,
    waited_for: Vec<u64>,
}

/// The runtime system.
struct Runtime<'a> {
    settings: &'a Settings,
    numbers: Numbers,
    /// The time of the processor.
    now: u64,
    interpreter: Interpreter<'a>,
    tasks: Vec<Task>,
    free: Vec<usize>,
    tracker: MemoryTracker,
    units: Units,
    /// Tasks that wait for an accelerator only, by function: numbers and slots.
    ready: Vec<BinaryHeap<Reverse<(u64, usize)>>>,
    /// Interrupts that will come: times, numbers and slots of the tasks.
    interrupts: BinaryHeap<Reverse<(u64, u64, usize)>>,
    ended: u64,
    last_number: u64,
    branches: u64,
    records: Vec<TaskRecord>,
    conflicts: Vec<usize>,
}

pub(crate) fn run(program: &Program, settings: &Settings) -> Result<Outcome, RunError> {
    let numbers = settings.scheduler;
    let functions = settings.functions.len();
    let mut runtime = Runtime {
        settings,
        numbers,
        now: 0,
        interpreter: Interpreter::new(
            program,
            functions,
            numbers.registers,
            settings.instruction_limit,
        ),
        tasks: Vec::new(),
        free: Vec::new(),
        tracker: MemoryTracker::new(numbers.tracker),
        units: Units::new(&settings.functions),
        ready: vec![BinaryHeap::new(); functions],
        interrupts: BinaryHeap::new(),
        ended: 0,
        last_number: 0,
        branches: 0,
        records: Vec::new(),
        conflicts: Vec::new(),
    };
    loop {
        runtime.handle_interrupts();
        match runtime.interpreter.step()? {
            Step::Task(task) => runtime.task(task),
            Step::Branch(branch) => runtime.branch(branch),
            Step::Register | Step::Jump | Step::RegisterBranch { .. } => {
                runtime.access(numbers.decode_accesses);
            }
            Step::End => break,
        }
    }
    while runtime.wait() {}
    Ok(Outcome {
        scheduling: settings.scheduling,
        cycles: runtime.now,
        instructions: runtime.interpreter.instructions,
        tasks: runtime.ended,
        aborted: 0,
        given_up: 0,
        branches: runtime.branches,
        mispredicted: 0,
        copied_back: 0,
        most_tracked: runtime.tracker.most,
        stalls: Stalls::default(),
        units: runtime.units.uses(functions),
        records: runtime.records,
    })
}

impl Runtime<'_> {
    /// Accesses the scheduler's data.
    fn access(&mut self, count: u64) {
        self.now += count * self.numbers.access;
    }

    /// Handles the interrupts that have come.
    fn handle_interrupts(&mut self) {
        while let Some(Reverse((time, ..))) = self.interrupts.peek() {
            if *time > self.now {
                break;
            }
            self.wait();
        }
    }

    /// Waits for the next interrupt and handles it; returns whether there was any.
    fn wait(&mut self) -> bool {
        let Some(Reverse((time, _, slot))) = self.interrupts.pop() else {
            return false;
        };
        self.now = self.now.max(time) + self.numbers.interrupt;
        self.end(slot);
        true
    }

    /// Removes a task that has ended, and issues those that may run.
    fn end(&mut self, slot: usize) {
        self.access(self.numbers.complete_accesses);
        let task = std::mem::take(&mut self.tasks[slot]);
        let (function, busy) = (task.function, task.end - task.begin);
        self.units.release(function, task.unit, busy, true);
        self.tracker.remove(slot);
        self.free.push(slot);
        self.ended += 1;
        for waiter in task.waiters {
            self.access(self.numbers.wake_accesses);
            let waiting = &mut self.tasks[waiter];
            waiting.waits -= 1;
            if waiting.waits == 0 {
                let entry = Reverse((waiting.number, waiter));
                self.ready[waiting.function].push(entry);
            }
        }
        if self.settings.records {
            self.records.push(TaskRecord {
                number: task.number,
                // There are fewer functions than ids.
                function: function as u8,
                unit: task.unit,
                decoded: task.decoded,
                issued: task.begin,
                begin: task.begin,
                computed: task.end,
                end: task.end,
                waited_for: task.waited_for,
                is_aborted: false,
                gave_up: false,
            });
        }
        self.issue();
    }

    /// Issues ready tasks to free accelerators, the oldest first.
    fn issue(&mut self) {
        while let Some(((number, slot), function, unit)) =
            self.units.take_for_oldest(&mut self.ready)
        {
            self.access(self.numbers.issue_accesses);
            let task = &mut self.tasks[slot];
            task.unit = unit;
            task.begin = self.now;
            task.end = self.now + self.settings.functions[function].cycles;
            self.interrupts.push(Reverse((task.end, number, slot)));
        }
    }

    fn task(&mut self, task: TaskStep) {
        while self.tracker.is_full() {
            self.wait();
        }
        let function = usize::from(task.function);
        let accesses = Accesses {
            input: task.input,
            output: task.output,
            is_renamed: false,
        };
        let numbers = self.numbers;
        let compared = self.tracker.len() as u64 * numbers.track_accesses;
        self.access(numbers.decode_accesses + compared + numbers.dispatch_accesses);
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.clear();
        self.tracker.conflicts(accesses, &mut conflicts);
        self.last_number += 1;
        let number = self.last_number;
        let mut new = Task {
            number,
            function,
            decoded: self.now,
            waits: conflicts.len(),
            ..Task::default()
        };
        if self.settings.records {
            let numbers = conflicts.iter().map(|slot| self.tasks[*slot].number);
            new.waited_for = numbers.collect();
        }
        let slot = self.free.pop().unwrap_or(self.tasks.len());
        match self.tasks.get_mut(slot) {
            Some(task) => *task = new,
            None => self.tasks.push(new),
        }
        for &conflict in &conflicts {
            self.tasks[conflict].waiters.push(slot);
        }
        self.tracker.add(slot, number, task.input, task.output);
        if conflicts.is_empty() {
            self.ready[function].push(Reverse((number, slot)));
            self.issue();
        }
        self.conflicts = conflicts;
    }

    /// A branch: the processor waits for the tasks that write its region, and reads it.
    fn branch(&mut self, branch: BranchStep) {
        self.access(self.numbers.decode_accesses);
        while self.tracker.writer(branch.region).is_some() {
            self.wait();
        }
        self.access(1);
        self.branches += 1;
        if let Some(place) = branch.taken_to {
            self.interpreter.state.place = place;
        }
    }
}
