//! The hardware scheduler with tasks that arrive one after the other. Its units are those of the engine,
//! without what branches need.

use super::bus::{Bus, Ending};
use super::stations::Stations;
use crate::arrival::{Scheduler, TaskTimes, Waiting};
use crate::settings::{Numbers, Settings};
use crate::units::Units;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A task from its decoding to its announcement.
#[derive(Clone)]
struct InFlight {
    number: u64,
    function: usize,
    cycles: u64,
    /// Tasks that it waits for.
    waits: usize,
    /// Slots of tasks that wait for it.
    waiters: Vec<usize>,
    in_station: bool,
    times: TaskTimes,
}

/// The scheduler.
#[derive(Clone)]
pub(crate) struct HardwareStream {
    numbers: Numbers,
    now: u64,
    /// Tasks that have arrived, with their arrivals, in the order of decoding.
    arrived: VecDeque<(u64, u64, Waiting)>,
    /// When the last task entered the task queue.
    entered: u64,
    /// When the last tasks left it, as many as it holds.
    left: VecDeque<u64>,
    decoded: u64,
    tasks: FxHashMap<usize, InFlight>,
    /// The slots of tasks by number.
    slots: FxHashMap<u64, usize>,
    window: VecDeque<(usize, u64)>,
    stations: Stations,
    units: Units,
    bus: Bus,
    ended: Vec<(u64, TaskTimes)>,
}

impl HardwareStream {
    pub fn new(settings: &Settings) -> Self {
        let numbers = settings.scheduler;
        Self {
            numbers,
            now: 0,
            arrived: VecDeque::new(),
            entered: 0,
            left: VecDeque::new(),
            decoded: 0,
            tasks: FxHashMap::default(),
            slots: FxHashMap::default(),
            window: VecDeque::new(),
            stations: Stations::new(settings.functions.len(), numbers.stations),
            units: Units::new(&settings.functions),
            bus: Bus::new(numbers.bus_latency),
            ended: Vec::new(),
        }
    }

    /// Simulates the cycle `now`; returns whether anything changed.
    fn cycle(&mut self) -> bool {
        let announced = self.announce();
        let issued = self.issue();
        let dispatched = self.dispatch();
        let decoded = self.decode();
        announced | issued | dispatched | decoded
    }

    fn announce(&mut self) -> bool {
        let mut announced = 0;
        while announced < self.numbers.bus_width {
            let Some(ending) = self.bus.next(self.now) else {
                break;
            };
            announced += 1;
            let Some(task) = self.tasks.remove(&ending.slot) else {
                continue;
            };
            self.slots.remove(&task.number);
            let busy = task.times.end - task.times.begin;
            self.units
                .release(task.function, task.times.unit, busy, true);
            self.ended.push((task.number, task.times));
            for waiter in task.waiters {
                let Some(waiting) = self.tasks.get_mut(&waiter) else {
                    continue;
                };
                waiting.waits -= 1;
                if waiting.waits == 0 && waiting.in_station {
                    let function = waiting.function;
                    self.stations.wake(function, waiter as u64, waiter);
                }
            }
        }
        announced > 0
    }

    fn issue(&mut self) -> bool {
        let mut issued = 0;
        while issued < self.numbers.issue_width {
            let Some((_, slot, function)) = self.stations.take(&self.units) else {
                break;
            };
            let (Some(unit), Some(task)) = (self.units.take(function), self.tasks.get_mut(&slot))
            else {
                break;
            };
            let begin = self.now + self.numbers.delivery;
            let end = begin + task.cycles;
            task.in_station = false;
            task.times = TaskTimes::on(unit, begin, end);
            self.bus.add(Ending {
                end,
                place: (function, unit),
                slot,
                number: slot as u64,
            });
            issued += 1;
        }
        issued > 0
    }

    fn dispatch(&mut self) -> bool {
        let mut moved = 0;
        let mut place = 0;
        while moved < self.numbers.dispatch_width && place < self.window.len() {
            let (slot, time) = self.window[place];
            if time > self.now {
                break;
            }
            let Some(task) = self.tasks.get_mut(&slot) else {
                break;
            };
            if !self.stations.has_place(task.function) {
                place += 1;
                continue;
            }
            task.in_station = true;
            self.window.remove(place);
            self.stations.enter(task.function);
            if task.waits == 0 {
                self.stations.wake(task.function, slot as u64, slot);
            }
            moved += 1;
        }
        moved > 0
    }

    /// When the first of the arrived tasks is in the task queue.
    fn entry(&self) -> Option<u64> {
        let (arrival, ..) = self.arrived.front()?;
        let freed = match self.left.len() as u64 >= self.numbers.queue {
            true => self.left.front().copied().unwrap_or_default(),
            false => 0,
        };
        Some((*arrival).max(self.entered).max(freed) + self.numbers.push)
    }

    fn decode(&mut self) -> bool {
        let mut decoded = 0;
        while decoded < self.numbers.decode_width
            && self.window.len() < self.numbers.window
            && self.tasks.len() < self.numbers.tracker
        {
            let Some(entry) = self.entry().filter(|entry| *entry <= self.now) else {
                break;
            };
            let Some((_, number, task)) = self.arrived.pop_front() else {
                break;
            };
            self.entered = entry;
            self.left.push_back(self.now);
            if self.left.len() as u64 > self.numbers.queue {
                self.left.pop_front();
            }
            self.admit(number, task);
            decoded += 1;
        }
        decoded > 0
    }

    fn admit(&mut self, number: u64, task: Waiting) {
        // In the order of decoding, as the stations' numbers are.
        self.decoded += 1;
        let slot = self.decoded as usize;
        let mut waits = 0;
        for other in &task.waits_for {
            let slot_of_other = self.slots.get(other);
            if let Some(other) = slot_of_other.and_then(|slot| self.tasks.get_mut(slot)) {
                other.waiters.push(slot);
                waits += 1;
            }
        }
        self.tasks.insert(
            slot,
            InFlight {
                number,
                function: task.function,
                cycles: task.cycles,
                waits,
                waiters: Vec::new(),
                in_station: false,
                times: TaskTimes::default(),
            },
        );
        self.slots.insert(number, slot);
        self.window
            .push_back((slot, self.now + self.numbers.look_up));
    }

    /// The next cycle in which something can happen, after one in which nothing did.
    fn next_event(&self) -> Option<u64> {
        let look_ups = self.window.iter().map(|(_, time)| *time);
        let times = [
            self.bus.time(),
            look_ups.filter(|time| *time > self.now).min(),
            self.entry(),
        ];
        // What waits for a full unit changes with an announcement.
        let later = times.into_iter().flatten();
        later.filter(|time| *time > self.now).min()
    }
}

impl Scheduler for HardwareStream {
    fn arrive(&mut self, number: u64, arrival: u64, task: Waiting) {
        self.arrived.push_back((arrival, number, task));
    }

    fn run(&mut self, time: u64, wanted: Option<u64>) {
        while self.now < time {
            let before = self.ended.len();
            let has_changed = self.cycle();
            let ended = &self.ended[before..];
            if wanted.is_some_and(|wanted| ended.iter().any(|(number, _)| *number == wanted)) {
                // The rest of the cycle has been simulated too.
                self.now += 1;
                return;
            }
            self.now = match has_changed {
                true => self.now + 1,
                false => match self.next_event() {
                    Some(next) => next.min(time),
                    None if wanted.is_some() && time == u64::MAX => return,
                    None => time,
                },
            };
        }
    }

    fn take_ended(&mut self) -> Vec<(u64, TaskTimes)> {
        std::mem::take(&mut self.ended)
    }
}
