//! Tasks that arrive one after the other, instead of as a program: each has its cycles, and names the tasks
//! that it waits for. The scheduler is the one that `run` simulates.

use crate::arrival::{ArrivingTask, Scheduler, TaskTimes, Waiting};
use crate::hardware::stream::HardwareStream;
use crate::host_stream::{NaiveStream, SoftwareStream};
use crate::queue_manager::stream::ManagerStream;
use crate::settings::Settings;
use device_sim::machine::Scheduling;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

#[derive(Clone)]
enum Kind {
    Naive(NaiveStream),
    Software(SoftwareStream),
    Hardware(HardwareStream),
    Managed(ManagerStream),
}

impl Kind {
    fn scheduler(&mut self) -> &mut dyn Scheduler {
        match self {
            Self::Naive(naive) => naive,
            Self::Software(software) => software,
            Self::Hardware(hardware) => hardware,
            Self::Managed(manager) => manager,
        }
    }
}

/// The scheduler of tasks that arrive one after the other.
///
/// ```
/// use device_sim::machine::Description;
/// use task_scheduler::{ArrivingTask, Descriptor, Settings, TaskStream};
///
/// let machine = Description::select("dsp").unwrap().machine().unwrap();
/// let mut stream = TaskStream::new(&Settings::new(&machine).unwrap());
/// let task = |waits_for| ArrivingTask {
///     function: 4,
///     cycles: 53,
///     arrival: 100,
///     waits_for,
///     descriptor: Descriptor::default(),
/// };
/// let first = stream.submit(task(vec![]));
/// let second = stream.submit(task(vec![first]));
/// let end = stream.times(first).end;
/// // It is announced, and the second one issued.
/// assert_eq!(stream.times(second).begin, end + 2);
/// ```
#[derive(Clone)]
pub struct TaskStream {
    kind: Kind,
    /// The number of the last task.
    last: u64,
    /// Tasks that have not arrived, by arrival and number.
    coming: BTreeMap<(u64, u64), Waiting>,
    /// The arrivals of tasks that have not ended.
    live: FxHashMap<u64, u64>,
    /// The times of tasks that have ended, until they are taken.
    ended: FxHashMap<u64, TaskTimes>,
    /// Until when tasks have arrived.
    now: u64,
}

impl TaskStream {
    /// The scheduler that the settings name. Without branches, speculation changes nothing.
    pub fn new(settings: &Settings) -> Self {
        let kind = match settings.scheduling {
            Scheduling::Naive => Kind::Naive(NaiveStream::new(settings)),
            Scheduling::Software => Kind::Software(SoftwareStream::new(settings)),
            Scheduling::Hardware | Scheduling::Speculative => {
                Kind::Hardware(HardwareStream::new(settings))
            }
            Scheduling::Managed => Kind::Managed(ManagerStream::new(settings)),
        };
        Self {
            kind,
            last: 0,
            coming: BTreeMap::new(),
            live: FxHashMap::default(),
            ended: FxHashMap::default(),
            now: 0,
        }
    }

    /// Submits a task; returns its number. It arrives when the tasks have that it waits for, and not before
    /// the time of the last `advance`.
    pub fn submit(&mut self, task: ArrivingTask) -> u64 {
        self.last += 1;
        let mut waits_for = task.waits_for;
        waits_for.retain(|number| self.live.contains_key(number));
        waits_for.sort_unstable();
        waits_for.dedup();
        let arrivals = waits_for.iter().filter_map(|number| self.live.get(number));
        let arrival = arrivals.copied().chain([task.arrival, self.now]).max();
        let arrival = arrival.unwrap_or(task.arrival);
        self.live.insert(self.last, arrival);
        let waiting = Waiting {
            function: task.function,
            cycles: task.cycles,
            waits_for,
            descriptor: task.descriptor,
        };
        self.coming.insert((arrival, self.last), waiting);
        self.last
    }

    /// No task that is submitted from now on arrives before `time`.
    pub fn advance(&mut self, time: u64) {
        while let Some(first) = self.coming.first_entry()
            && first.key().0 < time
        {
            let ((arrival, number), task) = first.remove_entry();
            self.arrive(number, arrival, task, None);
        }
        self.kind.scheduler().run(time, None);
        self.now = self.now.max(time);
        self.collect();
    }

    /// The times of a task that no one has taken. What is submitted later does not change them.
    pub fn times(&mut self, number: u64) -> TaskTimes {
        loop {
            if let Some(times) = self.ended.remove(&number) {
                return times;
            }
            match self.coming.pop_first() {
                Some(((arrival, other), task)) => {
                    self.arrive(other, arrival, task, Some(number));
                }
                None => {
                    self.kind.scheduler().run(u64::MAX, Some(number));
                    self.collect();
                    // A scheduler ends every task; a number that is none has no times.
                    let nothing = TaskTimes::on(0, self.now, self.now);
                    return self.ended.remove(&number).unwrap_or(nothing);
                }
            }
        }
    }

    /// Takes the tasks that have ended, by number, whose times were not taken.
    pub fn take_ended(&mut self) -> Vec<(u64, TaskTimes)> {
        self.ended.drain().collect()
    }

    /// A task arrives, unless `wanted` ends before.
    fn arrive(&mut self, number: u64, arrival: u64, mut task: Waiting, wanted: Option<u64>) {
        self.kind.scheduler().run(arrival, wanted);
        self.collect();
        if wanted.is_some_and(|wanted| self.ended.contains_key(&wanted)) {
            self.coming.insert((arrival, number), task);
            return;
        }
        task.waits_for.retain(|other| self.live.contains_key(other));
        self.kind.scheduler().arrive(number, arrival, task);
    }

    fn collect(&mut self) {
        for (number, times) in self.kind.scheduler().take_ended() {
            self.live.remove(&number);
            self.ended.insert(number, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Descriptor, run};
    use device_sim::machine::{Description, Shipped};
    use std::collections::HashMap;

    fn settings(scheduling: Scheduling, units: usize) -> Settings {
        let machine = Description::select(Shipped::DSP).unwrap().machine();
        let settings = Settings::new(&machine.unwrap()).unwrap();
        let settings = settings.with_units(units).with_records(true);
        settings.with_scheduling(scheduling)
    }

    /// A program of random tasks, among which there are dependencies.
    fn random_program(seed: u64, tasks: usize) -> String {
        const NAMES: [&str; 4] = ["vector_dot", "vector_max", "vector_add", "correlation"];
        let mut random = fastrand::Rng::with_seed(seed);
        let lines = (0..tasks).map(|_| {
            let name = random.choice(NAMES).unwrap();
            let [input, output] = [random.u8(..40), random.u8(..40)];
            format!("{name} {input:x} 1 {output:x} 1 0 0 0 0\n")
        });
        lines.collect()
    }

    #[test]
    fn tasks_that_arrive_at_once_run_as_a_program_does() {
        for scheduling in [
            Scheduling::Naive,
            Scheduling::Software,
            Scheduling::Hardware,
            Scheduling::Speculative,
        ] {
            for (seed, units) in [(1, 1), (2, 2), (3, 8)] {
                let settings = settings(scheduling, units);
                let source = random_program(seed, 400);
                let program = task_isa::assemble(&source, &settings.names().unwrap()).unwrap();
                let mut records = run(&program, &settings).unwrap().records;
                records.sort_by_key(|record| record.number);
                assert_eq!(records.len(), 400);
                let mut stream = TaskStream::new(&settings);
                let numbers: Vec<u64> = records
                    .iter()
                    .map(|record| {
                        let function = usize::from(record.function);
                        stream.submit(ArrivingTask {
                            function,
                            cycles: settings.functions[function].cycles,
                            arrival: 0,
                            waits_for: record.waited_for.clone(),
                            descriptor: Descriptor::default(),
                        })
                    })
                    .collect();
                for (record, number) in records.iter().zip(numbers) {
                    let expected = TaskTimes::on(record.unit, record.begin, record.end);
                    let found = stream.times(number);
                    assert_eq!(found, expected, "{scheduling:?} {units} {number}");
                }
            }
        }
    }

    fn task(arrival: u64, waits_for: Vec<u64>) -> ArrivingTask {
        ArrivingTask {
            function: 4,
            cycles: 53,
            arrival,
            waits_for,
            descriptor: Descriptor::default(),
        }
    }

    /// By hand: queue, look-up, station and delivery take a cycle each.
    #[test]
    fn a_task_begins_after_its_arrival() {
        let mut stream = TaskStream::new(&settings(Scheduling::Hardware, 1));
        stream.advance(1000);
        let first = stream.submit(task(1000, vec![]));
        let later = stream.submit(task(5000, vec![]));
        let third = stream.submit(task(1001, vec![]));
        let waits = stream.submit(task(1002, vec![later]));
        assert_eq!(stream.times(first).begin, 1004);
        // The accelerator is free with the announcement, in cycle 1004 + 53 + 1.
        assert_eq!(stream.times(third).begin, 1059);
        assert_eq!(stream.times(later).begin, 5004);
        assert_eq!(stream.times(waits).begin, 5004 + 53 + 2);
    }

    #[test]
    fn times_do_not_depend_on_when_they_are_taken() {
        for scheduling in Scheduling::ALL {
            let submit_all = |takes: bool| {
                let mut stream = TaskStream::new(&settings(scheduling, 2));
                let mut random = fastrand::Rng::with_seed(7);
                let mut all = Vec::new();
                let mut taken = HashMap::new();
                for number in 0..200_u64 {
                    let now = number * 40;
                    stream.advance(now);
                    let waits_for = match random.u64(..4) {
                        0 => vec![random.u64(1..=number.max(1))],
                        _ => Vec::new(),
                    };
                    let new = task(now + random.u64(..3), waits_for);
                    all.push(stream.submit(new));
                    if takes {
                        // As of a command of another device: the stream continues without it.
                        let number = all[random.usize(..all.len())];
                        let mut ahead = stream.clone();
                        if stream.ended.contains_key(&number) {
                            taken.insert(number, ahead.times(number));
                        }
                    } else {
                        random.usize(..all.len());
                    }
                }
                let times = all.iter().map(|number| stream.times(*number));
                let times: Vec<TaskTimes> = times.collect();
                for (number, found) in taken {
                    assert_eq!(times[number as usize - 1], found);
                }
                times
            };
            assert_eq!(submit_all(true), submit_all(false));
        }
    }
}
