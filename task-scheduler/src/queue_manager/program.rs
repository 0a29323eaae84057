//! A program of tasks under the task queue manager. A general-purpose processor executes the program, and
//! enqueues its tasks; their data have no sizes.

use super::stream::ManagerStream;
use crate::arrival::{Descriptor, Scheduler, Waiting};
use crate::error::RunError;
use crate::interpreter::{BranchStep, Interpreter, Step, TaskStep};
use crate::memory_tracker::{Accesses, MemoryTracker};
use crate::outcome::{Outcome, Stalls, TaskRecord};
use crate::settings::Settings;
use rustc_hash::FxHashMap;
use task_isa::Program;

/// A task in flight.
struct Enqueued {
    function: u8,
    at: u64,
    waited_for: Vec<u64>,
}

/// The processor that executes the program.
struct Processor<'a> {
    settings: &'a Settings,
    manager: ManagerStream,
    /// The tracker's entries are numbers of tasks.
    tracker: MemoryTracker,
    /// By number.
    enqueued: FxHashMap<u64, Enqueued>,
    now: u64,
    last: u64,
    /// Until when the tasks take that have ended.
    end: u64,
    given_up: u64,
    branches: u64,
    records: Vec<TaskRecord>,
}

pub(crate) fn run(program: &Program, settings: &Settings) -> Result<Outcome, RunError> {
    let functions = settings.functions.len();
    let numbers = settings.scheduler;
    let mut interpreter = Interpreter::new(
        program,
        functions,
        numbers.registers,
        settings.instruction_limit,
    );
    let mut processor = Processor {
        settings,
        manager: ManagerStream::new(settings),
        tracker: MemoryTracker::new(numbers.tracker),
        enqueued: FxHashMap::default(),
        now: 0,
        last: 0,
        end: 0,
        given_up: 0,
        branches: 0,
        records: Vec::new(),
    };
    loop {
        match interpreter.step()? {
            Step::Task(task) => processor.enqueue(task),
            Step::Branch(branch) => {
                processor.branch(branch);
                if let Some(place) = branch.taken_to {
                    interpreter.state.place = place;
                }
            }
            Step::Register | Step::Jump | Step::RegisterBranch { .. } => {}
            Step::End => break,
        }
        processor.now += numbers.push;
    }
    while processor.wait() {}
    Ok(Outcome {
        scheduling: settings.scheduling,
        cycles: processor.end.max(processor.now),
        instructions: interpreter.instructions,
        tasks: processor.last,
        aborted: 0,
        given_up: processor.given_up,
        branches: processor.branches,
        mispredicted: 0,
        copied_back: 0,
        most_tracked: processor.tracker.most,
        stalls: Stalls::default(),
        units: processor.manager.into_units().uses(functions),
        records: processor.records,
    })
}

impl Processor<'_> {
    /// Enqueues a task. The program waits while the tracker is full.
    fn enqueue(&mut self, task: TaskStep) {
        self.manager.run(self.now, None);
        self.collect();
        while self.tracker.is_full() && self.wait() {}
        let accesses = Accesses {
            input: task.input,
            output: task.output,
            is_renamed: false,
        };
        let mut conflicts = Vec::new();
        self.tracker.conflicts(accesses, &mut conflicts);
        let mut waits_for: Vec<u64> = conflicts.iter().map(|number| *number as u64).collect();
        waits_for.sort_unstable();
        self.last += 1;
        let number = self.last;
        self.tracker
            .add(number as usize, number, task.input, task.output);
        let waited_for = match self.settings.records {
            true => waits_for.clone(),
            false => Vec::new(),
        };
        self.enqueued.insert(
            number,
            Enqueued {
                function: task.function,
                at: self.now,
                waited_for,
            },
        );
        let function = usize::from(task.function);
        let waiting = Waiting {
            function,
            cycles: self.settings.functions[function].cycles,
            waits_for,
            descriptor: Descriptor::default(),
        };
        self.manager.arrive(number, self.now, waiting);
        // A call of the operating system occupies the processor.
        self.now += self.settings.manager.trap;
    }

    /// The program waits for the tasks that write the branch's region, and reads it.
    fn branch(&mut self, branch: BranchStep) {
        self.branches += 1;
        self.manager.run(self.now, None);
        self.collect();
        while self.tracker.writer(branch.region).is_some() && self.wait() {}
        self.now += self.settings.scheduler.memory_read;
    }

    /// Waits until the manager has done something; false if nothing is left.
    fn wait(&mut self) -> bool {
        let has_stepped = self.manager.step();
        self.now = self.now.max(self.manager.now());
        self.collect();
        has_stepped
    }

    /// Removes the tasks that have ended.
    fn collect(&mut self) {
        for (number, times) in self.manager.take_ended() {
            self.tracker.remove(number as usize);
            self.end = self.end.max(times.end);
            self.given_up += u64::from(times.gave_up);
            let Some(task) = self.enqueued.remove(&number) else {
                continue;
            };
            if self.settings.records {
                self.records.push(TaskRecord {
                    number,
                    function: task.function,
                    unit: times.unit,
                    decoded: task.at,
                    issued: times.begin,
                    begin: times.begin,
                    computed: times.computed,
                    end: times.end,
                    waited_for: task.waited_for,
                    is_aborted: false,
                    gave_up: times.gave_up,
                });
            }
        }
    }
}
