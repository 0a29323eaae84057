//! The schedulers of the host with tasks that arrive one after the other.

use crate::arrival::{Scheduler, TaskTimes, Waiting, has_ended};
use crate::settings::{Numbers, Settings};
use crate::units::Units;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// One task at a time: each takes its cycles and an interrupt.
#[derive(Clone)]
pub(crate) struct NaiveStream {
    interrupt: u64,
    now: u64,
    ended: Vec<(u64, TaskTimes)>,
}

impl NaiveStream {
    pub fn new(settings: &Settings) -> Self {
        Self {
            interrupt: settings.scheduler.interrupt,
            now: 0,
            ended: Vec::new(),
        }
    }
}

impl Scheduler for NaiveStream {
    fn arrive(&mut self, number: u64, arrival: u64, task: Waiting) {
        let begin = self.now.max(arrival);
        let end = begin + task.cycles;
        self.now = end + self.interrupt;
        self.ended.push((number, TaskTimes::on(0, begin, end)));
    }

    fn run(&mut self, _: u64, _: Option<u64>) {}

    fn take_ended(&mut self) -> Vec<(u64, TaskTimes)> {
        std::mem::take(&mut self.ended)
    }
}

/// A task that the runtime system knows.
#[derive(Clone)]
struct Task {
    number: u64,
    function: usize,
    cycles: u64,
    waits: usize,
    waiters: Vec<usize>,
    times: TaskTimes,
}

/// The runtime system of the host.
#[derive(Clone)]
pub(crate) struct SoftwareStream {
    numbers: Numbers,
    /// The time of the processor.
    now: u64,
    arrived: VecDeque<(u64, u64, Waiting)>,
    decoded: usize,
    /// Tasks in flight, by the order of decoding.
    tasks: FxHashMap<usize, Task>,
    /// Their places by number.
    slots: FxHashMap<u64, usize>,
    units: Units,
    /// Tasks that wait for an accelerator only, by function.
    ready: Vec<BinaryHeap<Reverse<usize>>>,
    /// Interrupts that will come.
    interrupts: BinaryHeap<Reverse<(u64, usize)>>,
    ended: Vec<(u64, TaskTimes)>,
}

impl SoftwareStream {
    pub fn new(settings: &Settings) -> Self {
        Self {
            numbers: settings.scheduler,
            now: 0,
            arrived: VecDeque::new(),
            decoded: 0,
            tasks: FxHashMap::default(),
            slots: FxHashMap::default(),
            units: Units::new(&settings.functions),
            ready: vec![BinaryHeap::new(); settings.functions.len()],
            interrupts: BinaryHeap::new(),
            ended: Vec::new(),
        }
    }

    fn access(&mut self, count: u64) {
        self.now += count * self.numbers.access;
    }

    /// What the processor does next, and when: an interrupt, or the next task if it knows of no more than
    /// its structures hold.
    fn next(&self) -> Option<(u64, bool)> {
        let interrupt = self.interrupts.peek().map(|Reverse((time, _))| *time);
        let has_room = self.tasks.len() < self.numbers.tracker;
        let task = self.arrived.front().filter(|_| has_room);
        let task = task.map(|(arrival, ..)| (*arrival).max(self.now));
        match (interrupt, task) {
            (Some(interrupt), Some(task)) if interrupt <= task => Some((interrupt, true)),
            (_, Some(task)) => Some((task, false)),
            (Some(interrupt), None) => Some((interrupt, true)),
            (None, None) => None,
        }
    }

    /// Handles an interrupt: a task has ended.
    fn interrupted(&mut self) {
        let Some(Reverse((time, slot))) = self.interrupts.pop() else {
            return;
        };
        self.now = self.now.max(time) + self.numbers.interrupt;
        self.access(self.numbers.complete_accesses);
        let Some(task) = self.tasks.remove(&slot) else {
            return;
        };
        self.slots.remove(&task.number);
        self.units
            .release(task.function, task.times.unit, task.cycles, true);
        self.ended.push((task.number, task.times));
        for waiter in task.waiters {
            self.access(self.numbers.wake_accesses);
            let Some(waiting) = self.tasks.get_mut(&waiter) else {
                continue;
            };
            waiting.waits -= 1;
            if waiting.waits == 0 {
                self.ready[waiting.function].push(Reverse(waiter));
            }
        }
        self.issue();
    }

    /// Issues ready tasks to free accelerators, the oldest first.
    fn issue(&mut self) {
        while let Some((slot, _, unit)) = self.units.take_for_oldest(&mut self.ready) {
            self.access(self.numbers.issue_accesses);
            let Some(task) = self.tasks.get_mut(&slot) else {
                return;
            };
            let (begin, end) = (self.now, self.now + task.cycles);
            task.times = TaskTimes::on(unit, begin, end);
            self.interrupts.push(Reverse((end, slot)));
        }
    }

    fn decode(&mut self) {
        let Some((arrival, number, task)) = self.arrived.pop_front() else {
            return;
        };
        self.now = self.now.max(arrival);
        let compared = self.tasks.len() as u64 * self.numbers.track_accesses;
        self.access(self.numbers.decode_accesses + compared + self.numbers.dispatch_accesses);
        self.decoded += 1;
        let slot = self.decoded;
        let mut waits = 0;
        for other in &task.waits_for {
            let place = self.slots.get(other);
            if let Some(other) = place.and_then(|place| self.tasks.get_mut(place)) {
                other.waiters.push(slot);
                waits += 1;
            }
        }
        let function = task.function;
        self.tasks.insert(
            slot,
            Task {
                number,
                function,
                cycles: task.cycles,
                waits,
                waiters: Vec::new(),
                times: TaskTimes::default(),
            },
        );
        self.slots.insert(number, slot);
        if waits == 0 {
            self.ready[function].push(Reverse(slot));
            self.issue();
        }
    }
}

impl Scheduler for SoftwareStream {
    fn arrive(&mut self, number: u64, arrival: u64, task: Waiting) {
        self.arrived.push_back((arrival, number, task));
    }

    fn run(&mut self, time: u64, wanted: Option<u64>) {
        let mut seen = 0;
        while let Some((next, is_interrupt)) = self.next() {
            if next >= time || has_ended(&self.ended, &mut seen, wanted) {
                return;
            }
            match is_interrupt {
                true => self.interrupted(),
                false => self.decode(),
            }
        }
    }

    fn take_ended(&mut self) -> Vec<(u64, TaskTimes)> {
        std::mem::take(&mut self.ended)
    }
}
