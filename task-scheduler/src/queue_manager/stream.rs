//! The simulation: the manager is a processor that handles one request, or one end of a task, after the
//! other.

mod dispatch;

use super::chunks::{Chunk, Chunks};
use super::queue::Queue;
use super::settings::ManagerSettings;
use super::task::{Extent, Task};
use crate::arrival::{Scheduler, TaskTimes, Waiting, has_ended};
use crate::settings::Settings;
use crate::units::Units;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use std::sync::Arc;

/// What happens to a task that is executed, in the order in which it is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// Its accelerators have its results.
    Computed,
    /// Its results are in the host's memory.
    Written,
}

/// The task queue manager.
#[derive(Clone)]
pub(crate) struct ManagerStream {
    settings: Arc<ManagerSettings>,
    /// Until when the manager is at work.
    now: u64,
    arrived: VecDeque<(u64, u64, Waiting)>,
    /// Tasks that have not ended.
    tasks: FxHashMap<u64, Task>,
    /// By function.
    queues: Vec<Queue>,
    /// Descriptors for which the queues have room.
    rooms: Vec<usize>,
    units: Units,
    /// Sums of the ends of the accelerators at work, by function.
    ends: Vec<u128>,
    memory: Chunks,
    /// Until when transfers from and to the host's memory take.
    transfers: u64,
    /// Until when the general-purpose processors execute tasks that have been given up.
    processors: Vec<u64>,
    endings: BinaryHeap<Reverse<(u64, Ending, u64)>>,
    /// Functions whose first task is held, or waits for memory.
    held: BTreeSet<usize>,
    ended: Vec<(u64, TaskTimes)>,
}

impl ManagerStream {
    pub fn new(settings: &Settings) -> Self {
        let functions = settings.functions.len();
        let manager = Arc::clone(&settings.manager);
        let memory = &manager.memory;
        Self {
            now: 0,
            arrived: VecDeque::new(),
            tasks: FxHashMap::default(),
            queues: vec![Queue::default(); functions],
            rooms: vec![manager.queue; functions],
            units: Units::new(&settings.functions),
            ends: vec![0; functions],
            memory: Chunks::new(memory.size.value, memory.page.value),
            transfers: 0,
            processors: vec![0; manager.processors],
            endings: BinaryHeap::new(),
            held: BTreeSet::new(),
            ended: Vec::new(),
            settings: manager,
        }
    }

    /// The accelerators, which have the use of each.
    pub fn into_units(self) -> Units {
        self.units
    }

    /// Until when the manager is at work.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// When the manager does something next; none if nothing is left to do.
    fn next(&self) -> Option<u64> {
        let ending = self.endings.peek().map(|Reverse((time, ..))| *time);
        let arrival = self.arrived.front().map(|(arrival, ..)| *arrival);
        let next = ending.into_iter().chain(arrival).min()?;
        Some(next.max(self.now))
    }

    /// Does what is next; false if nothing was left to do.
    pub fn step(&mut self) -> bool {
        let ending = self.endings.peek().map(|Reverse((time, ..))| *time);
        match self.arrived.front() {
            Some((arrival, ..)) if ending.is_none_or(|ending| *arrival < ending) => {
                if let Some((arrival, number, task)) = self.arrived.pop_front() {
                    self.request(arrival, number, task);
                }
            }
            _ => {
                let Some(Reverse((time, ending, number))) = self.endings.pop() else {
                    return false;
                };
                self.now = self.now.max(time);
                match ending {
                    Ending::Computed => self.computed(number, time),
                    Ending::Written => self.written(number),
                }
            }
        }
        true
    }

    /// The manager is at work for some cycles.
    fn spend(&mut self, cycles: u64) {
        self.now = self.now.saturating_add(cycles);
    }

    /// Reads the descriptor of a task, which then waits for others or enters its queue.
    fn request(&mut self, arrival: u64, number: u64, mut waiting: Waiting) {
        self.now = self.now.max(arrival);
        self.spend(self.settings.request);
        let mut waits_for = std::mem::take(&mut waiting.waits_for);
        // Earlier tasks of its chain have results when the one before it has.
        let before = waiting.descriptor.follows;
        let mut earlier = before.and_then(|before| self.before(before));
        while let Some(number) = earlier {
            waits_for.retain(|other| *other != number);
            earlier = self.before(number);
        }
        let mut task = Task::new(number, arrival, waiting, self.settings.slowdown);
        for earlier in waits_for {
            let Some(other) = self.tasks.get_mut(&earlier) else {
                continue;
            };
            let is_before = task.descriptor.follows == Some(earlier);
            if is_before {
                other.next = Some(number);
            }
            if !is_before || !other.is_chained {
                other.waiters.push(number);
                task.waits += 1;
            }
        }
        let is_ready = task.waits == 0;
        self.tasks.insert(number, task);
        if is_ready {
            self.enter(number);
        }
    }

    /// The task before a task in its chain.
    fn before(&self, number: u64) -> Option<u64> {
        self.tasks.get(&number)?.descriptor.follows
    }

    /// A task that waits for no other one enters its queue, unless it is given up.
    fn enter(&mut self, number: u64) {
        self.inherit(number);
        let Some(task) = self.tasks.get(&number) else {
            return;
        };
        let (function, values) = (task.function, task.values);
        let state = self.state(function);
        if self.settings.policy.gives_up(&values, &state) {
            self.give_up(number);
            return;
        }
        if self.queues[function].len() >= self.rooms[function] {
            self.rooms[function] *= 2;
            self.spend(self.settings.expand);
        }
        let queue = &mut self.queues[function];
        queue.add(number, self.settings.policy.order(&values), values.cycles);
        self.dispatch([function].into());
    }

    /// Takes over the memory of the task before it in its chain.
    fn inherit(&mut self, number: u64) {
        let before = self.tasks.get(&number);
        let before = before.and_then(|task| task.descriptor.follows);
        let Some(before) = before.and_then(|before| self.tasks.get_mut(&before)) else {
            return;
        };
        let is_left = !before.times.gave_up;
        let left = u64::from(is_left) * before.descriptor.output;
        let chunks = std::mem::take(&mut before.chunks);
        let mut chain = std::mem::take(&mut before.chain);
        chain.push(before.values.number);
        if let Some(task) = self.tasks.get_mut(&number) {
            task.inherited = left.min(task.descriptor.input);
            task.chunks = chunks;
            task.chain = chain;
        }
    }

    fn begin(&mut self, number: u64, accelerators: usize, chunk: Chunk, extent: Extent) {
        self.spend(self.settings.select);
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        let function = task.function;
        let mut units = (0..accelerators).map_while(|_| self.units.take(function));
        let unit = units.next().unwrap_or_default();
        let others: Vec<usize> = units.collect();
        let memory = &self.settings.memory;
        let loaded = task.loaded(extent);
        // The accelerators begin with the inputs of the first steps.
        let first = task.loaded_first(extent);
        let rest = (loaded - first).div_ceil(memory.rate.value);
        let begin = match first {
            0 => self.now,
            _ => {
                let begin = self.now.max(self.transfers);
                let begin = begin.saturating_add(memory.cycles(first));
                self.transfers = begin.saturating_add(rest);
                begin
            }
        };
        let cycles = task.cycles_on(accelerators);
        let cycles = match extent {
            Extent::OneStep => cycles.saturating_add(rest),
            Extent::All | Extent::TwoSteps => cycles.max(rest),
        };
        let end = begin.saturating_add(cycles);
        let at_work = 1 + others.len() as u128;
        task.chunks.push(chunk);
        task.times = TaskTimes {
            others,
            ..TaskTimes::on(unit, begin, end)
        };
        self.ends[function] += u128::from(end) * at_work;
        self.endings.push(Reverse((end, Ending::Computed, number)));
    }

    /// Transfers bytes from or to the host's memory, not before that time; returns when it has ended.
    fn transfer(&mut self, from: u64, bytes: u64) -> u64 {
        if bytes == 0 {
            return from;
        }
        let begin = self.transfers.max(from);
        self.transfers = begin.saturating_add(self.settings.memory.cycles(bytes));
        self.transfers
    }

    /// A general-purpose processor executes the task, whose inputs have to be in the host's memory.
    fn give_up(&mut self, number: u64) {
        self.spend(self.settings.select);
        let inherited = self.tasks.get(&number).map_or(0, |task| task.inherited);
        let ready = self.transfer(self.now, inherited);
        let processors = self.processors.iter_mut().enumerate();
        let first = processors.min_by_key(|(_, until)| **until);
        let (Some((processor, until)), Some(task)) = (first, self.tasks.get_mut(&number)) else {
            return;
        };
        let begin = ready.max(*until);
        let end = begin.saturating_add(task.values.routine);
        *until = end;
        task.times = TaskTimes {
            gave_up: true,
            ..TaskTimes::on(processor, begin, end)
        };
        self.endings.push(Reverse((end, Ending::Written, number)));
    }

    /// The accelerators of a task are idle again; its results are written, or stay for the next task of its
    /// chain.
    fn computed(&mut self, number: u64, time: u64) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        let function = task.function;
        let TaskTimes {
            unit,
            begin,
            computed: end,
            ..
        } = task.times;
        let at_work = 1 + task.times.others.len() as u128;
        self.units.release(function, unit, end - begin, true);
        for other in &task.times.others {
            self.units.release(function, *other, end - begin, false);
        }
        self.ends[function] -= u128::from(end) * at_work;
        if task.descriptor.is_followed {
            self.chained(number);
        } else {
            let output = task.descriptor.output;
            let written = self.transfer(time, output);
            self.endings
                .push(Reverse((written, Ending::Written, number)));
        }
        let mut functions = self.held.clone();
        functions.insert(function);
        self.dispatch(functions);
    }

    /// The results of a task are in the host's memory.
    fn written(&mut self, number: u64) {
        self.spend(self.settings.complete);
        match self.tasks.get(&number) {
            Some(task) if task.descriptor.is_followed => self.chained(number),
            Some(_) => self.executed(number),
            None => {}
        }
        self.dispatch(self.held.clone());
    }

    /// A task waits for the rest of its chain.
    fn chained(&mut self, number: u64) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        task.is_chained = true;
        if let Some(next) = task.next {
            task.waiters.retain(|waiter| *waiter != next);
            self.wake(next);
        }
    }

    /// The last task of a chain, or one without a chain, has ended.
    fn executed(&mut self, number: u64) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        for chunk in std::mem::take(&mut task.chunks) {
            self.memory.release(chunk);
        }
        let mut all = std::mem::take(&mut task.chain);
        all.push(number);
        let mut waiters = Vec::new();
        for number in all {
            let Some(task) = self.tasks.remove(&number) else {
                continue;
            };
            waiters.extend(task.waiters);
            let end = self.now;
            self.ended.push((number, TaskTimes { end, ..task.times }));
        }
        waiters.sort_unstable();
        for waiter in waiters {
            self.wake(waiter);
        }
    }

    fn wake(&mut self, number: u64) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        task.waits -= 1;
        if task.waits == 0 {
            self.enter(number);
        }
    }

    /// Nothing happens any more: ends a chain whose next task will not arrive or, without such, one whose next
    /// task waits for a task that waits for the chain. False if there is none.
    fn end_chain(&mut self) -> bool {
        let tasks = self.tasks.iter();
        let chained = tasks.filter(|(_, task)| task.is_chained);
        let first = chained.map(|(number, task)| (task.next.is_some(), *number));
        let first = first.min();
        if let Some((_, number)) = first {
            self.executed(number);
        }
        first.is_some()
    }
}

impl Scheduler for ManagerStream {
    fn arrive(&mut self, number: u64, arrival: u64, task: Waiting) {
        let arrival = arrival + self.settings.trap;
        self.arrived.push_back((arrival, number, task));
    }

    fn run(&mut self, time: u64, wanted: Option<u64>) {
        let mut seen = 0;
        while !has_ended(&self.ended, &mut seen, wanted) {
            let continues = match self.next() {
                Some(next) => next < time && self.step(),
                None => time == u64::MAX && self.end_chain(),
            };
            if !continues {
                return;
            }
        }
    }

    fn take_ended(&mut self) -> Vec<(u64, TaskTimes)> {
        std::mem::take(&mut self.ended)
    }
}
