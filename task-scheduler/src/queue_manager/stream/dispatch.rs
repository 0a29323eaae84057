//! What becomes of the first tasks of the queues, by the policy and by what is free.

use super::ManagerStream;
use crate::queue_manager::chunks::Chunk;
use crate::queue_manager::policy::StateValues;
use crate::queue_manager::task::Extent;
use std::collections::BTreeSet;

/// What becomes of the first task of a queue.
enum Decision {
    /// It stays.
    Stay,
    GiveUp,
    /// It begins with these accelerators and this memory.
    Begin {
        accelerators: usize,
        chunk: Chunk,
        extent: Extent,
    },
}

impl ManagerStream {
    /// What formulas may know of a function's accelerators.
    pub(super) fn state(&self, function: usize) -> StateValues {
        let (units, free) = (self.units.count(function), self.units.free(function));
        let busy = units - free;
        let queue = &self.queues[function];
        let wait = match free {
            0 => {
                let left = self.ends[function];
                let left = left.saturating_sub(u128::from(self.now) * u128::from(busy));
                let left = left + u128::from(queue.cycles);
                u64::try_from(left / u128::from(units.max(1))).unwrap_or(u64::MAX)
            }
            _ => 0,
        };
        let processor = self.processors.iter().copied().min().unwrap_or_default();
        StateValues {
            units,
            free,
            queued: queue.len() as u64,
            wait,
            processor_wait: processor.saturating_sub(self.now),
            power: self.units.busy() * self.settings.power,
            task_power: self.settings.power,
            power_cap: self.settings.power_cap,
        }
    }

    /// Begins or gives up what can be of the first tasks of these functions, the one with the lowest order
    /// first.
    pub(super) fn dispatch(&mut self, mut functions: BTreeSet<usize>) {
        loop {
            let first = |function: &usize| {
                let (order, number) = self.queues[*function].first()?;
                Some((order, number, *function))
            };
            let candidates = functions.iter().filter_map(first);
            let next = candidates.min_by(|one, other| {
                let order = one.0.total_cmp(&other.0);
                order.then(one.1.cmp(&other.1))
            });
            let Some((_, number, function)) = next else {
                return;
            };
            match self.decide(number, function) {
                Decision::Stay => {
                    functions.remove(&function);
                }
                Decision::GiveUp => {
                    self.queues[function].take_first();
                    self.give_up(number);
                }
                Decision::Begin {
                    accelerators,
                    chunk,
                    extent,
                } => {
                    self.queues[function].take_first();
                    self.begin(number, accelerators, chunk, extent);
                }
            }
        }
    }

    fn decide(&mut self, number: u64, function: usize) -> Decision {
        self.held.remove(&function);
        if !self.units.has_free(function) {
            return Decision::Stay;
        }
        let state = self.state(function);
        let Some(task) = self.tasks.get(&number) else {
            return Decision::Stay;
        };
        // The state counts the task itself as one of the queue.
        let state = StateValues {
            queued: state.queued - 1,
            ..state
        };
        let values = &task.values;
        let mut allocate = |extent| {
            let chunk = self.memory.allocate(task.memory(extent)?)?;
            Some((chunk, extent))
        };
        let allocated = match self.settings.policy.holds(values, &state) {
            true => None,
            false => Extent::BY_PREFERENCE.into_iter().find_map(&mut allocate),
        };
        match allocated {
            Some((chunk, extent)) => {
                let wanted = self.settings.policy.accelerators(values, &state);
                let most = (task.descriptor.divided.len() + 1).min(state.free as usize);
                Decision::Begin {
                    accelerators: wanted.clamp(1, most.max(1)),
                    chunk,
                    extent,
                }
            }
            // Nothing will change that.
            None if self.endings.is_empty() => Decision::GiveUp,
            None => {
                self.held.insert(function);
                Decision::Stay
            }
        }
    }
}
