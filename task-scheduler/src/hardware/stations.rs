//! The reservation stations.

use crate::units::Units;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The reservation stations of each function.
#[derive(Clone)]
pub(super) struct Stations {
    capacity: usize,
    used: Vec<usize>,
    /// Tasks that wait for no other task, by number, with their slots.
    ready: Vec<BinaryHeap<Reverse<(u64, usize)>>>,
    /// Tasks in `ready`.
    count: usize,
}

impl Stations {
    pub fn new(functions: usize, capacity: usize) -> Self {
        Self {
            capacity,
            used: vec![0; functions],
            ready: vec![BinaryHeap::new(); functions],
            count: 0,
        }
    }

    /// A task in a station waits for no other one any more.
    pub fn wake(&mut self, function: usize, number: u64, slot: usize) {
        self.ready[function].push(Reverse((number, slot)));
        self.count += 1;
    }

    /// Removes what is ready after a branch. `leave` counts the stations.
    pub fn remove_after(&mut self, number: u64) {
        for ready in &mut self.ready {
            let before = ready.len();
            ready.retain(|Reverse((other, _))| *other < number);
            self.count -= before - ready.len();
        }
    }

    /// A task leaves its station.
    pub fn leave(&mut self, function: usize) {
        self.used[function] -= 1;
    }

    pub fn has_place(&self, function: usize) -> bool {
        self.used[function] < self.capacity
    }

    /// A task enters a station.
    pub fn enter(&mut self, function: usize) {
        self.used[function] += 1;
    }

    /// Takes the oldest ready task whose function has a free accelerator; returns its number, slot and
    /// function.
    pub fn take(&mut self, units: &Units) -> Option<(u64, usize, usize)> {
        if self.count == 0 {
            return None;
        }
        let ready = self.ready.iter().enumerate();
        let oldest = ready
            .filter(|(function, _)| units.has_free(*function))
            .filter_map(|(function, ready)| Some((ready.peek()?.0, function)));
        let ((number, slot), function) = oldest.min()?;
        self.ready[function].pop();
        self.count -= 1;
        self.leave(function);
        Some((number, slot, function))
    }
}
