//! The common data bus: tasks that have ended are announced one after the other.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A task on an accelerator or on its path to the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending {
    /// When it ends.
    pub end: u64,
    /// The function and its accelerator: accelerators that end in the same cycle draw tickets in this
    /// order.
    pub place: (usize, usize),
    pub slot: usize,
    pub number: u64,
}

/// The bus and its arbiter.
#[derive(Clone)]
pub(super) struct Bus {
    latency: u64,
    running: BinaryHeap<Reverse<Ending>>,
    /// Tasks that have ended, in the order of their tickets.
    tickets: VecDeque<Ending>,
}

impl Bus {
    pub fn new(latency: u64) -> Self {
        Self {
            latency,
            running: BinaryHeap::new(),
            tickets: VecDeque::new(),
        }
    }

    /// Adds a task that runs.
    pub fn add(&mut self, ending: Ending) {
        self.running.push(Reverse(ending));
    }

    /// The next announcement, if there is one in this cycle.
    pub fn next(&mut self, now: u64) -> Option<Ending> {
        while let Some(Reverse(ending)) = self.running.peek() {
            if ending.end > now {
                break;
            }
            self.tickets.extend(self.running.pop().map(|Reverse(e)| e));
        }
        let first = self.tickets.front()?;
        match first.end + self.latency <= now {
            true => self.tickets.pop_front(),
            false => None,
        }
    }

    /// When the next announcement can be.
    pub fn time(&self) -> Option<u64> {
        let waiting = self.tickets.front();
        let next = waiting.or(self.running.peek().map(|Reverse(ending)| ending));
        next.map(|ending| ending.end + self.latency)
    }

    /// Removes a task that will not be announced. Removals are rare.
    pub fn remove(&mut self, slot: usize, number: u64) {
        let is_other = |ending: &Ending| ending.slot != slot || ending.number != number;
        self.tickets.retain(is_other);
        self.running.retain(|Reverse(ending)| is_other(ending));
    }
}
