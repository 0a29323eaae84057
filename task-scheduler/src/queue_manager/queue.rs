//! The queue of a function's tasks.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A task in a queue.
#[derive(Clone, Copy, Debug)]
struct Queued {
    order: f64,
    number: u64,
    cycles: u64,
}

/// The task with the lowest order is first; of equal ones, the one that arrived first.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    tasks: BinaryHeap<Queued>,
    /// Cycles of its tasks.
    pub cycles: u64,
}

impl Queue {
    /// Their number.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    pub fn add(&mut self, number: u64, order: f64, cycles: u64) {
        self.tasks.push(Queued {
            order,
            number,
            cycles,
        });
        self.cycles += cycles;
    }

    /// The order and the number of the first task.
    pub fn first(&self) -> Option<(f64, u64)> {
        self.tasks.peek().map(|task| (task.order, task.number))
    }

    /// Removes the first task.
    pub fn take_first(&mut self) {
        if let Some(task) = self.tasks.pop() {
            self.cycles -= task.cycles;
        }
    }
}

/// The first one is the greatest of a heap.
impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = other.order.total_cmp(&self.order);
        order.then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}
