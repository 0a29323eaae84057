//! The accelerators: the accelerator status register.

use crate::outcome::UnitUse;
use crate::settings::Function;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which accelerators are free, and their use.
#[derive(Clone)]
pub(crate) struct Units {
    /// The free ones of each function; the lowest number is used first.
    free: Vec<BinaryHeap<Reverse<usize>>>,
    uses: Vec<Vec<UnitUse>>,
}

impl Units {
    pub fn new(functions: &[Function]) -> Self {
        let uses = functions.iter().enumerate().map(|(function, row)| {
            let units = (0..row.units).map(|unit| UnitUse {
                // There are fewer functions than ids.
                function: function as u8,
                unit,
                ..UnitUse::default()
            });
            units.collect::<Vec<_>>()
        });
        let free = functions.iter().map(|row| (0..row.units).map(Reverse));
        Self {
            free: free.map(Iterator::collect).collect(),
            uses: uses.collect(),
        }
    }

    /// The number of accelerators of a function.
    pub fn count(&self, function: usize) -> u64 {
        self.uses[function].len() as u64
    }

    /// Of these, the idle ones.
    pub fn free(&self, function: usize) -> u64 {
        self.free[function].len() as u64
    }

    /// The number of accelerators of all functions that are at work.
    pub fn busy(&self) -> u64 {
        let functions = 0..self.uses.len();
        functions.map(|one| self.count(one) - self.free(one)).sum()
    }

    pub fn has_free(&self, function: usize) -> bool {
        !self.free[function].is_empty()
    }

    /// Takes the free accelerator with the lowest number.
    pub fn take(&mut self, function: usize) -> Option<usize> {
        self.free[function].pop().map(|Reverse(unit)| unit)
    }

    /// Takes the task with the smallest key for which an accelerator is free, and that accelerator;
    /// `ready` is by function. Returns key, function and accelerator.
    pub fn take_for_oldest<K: Ord + Copy>(
        &mut self,
        ready: &mut [BinaryHeap<Reverse<K>>],
    ) -> Option<(K, usize, usize)> {
        let functions = ready.iter().enumerate();
        let (key, function) = functions
            .filter(|(function, _)| self.has_free(*function))
            .filter_map(|(function, ready)| Some((ready.peek()?.0, function)))
            .min()?;
        let unit = self.take(function)?;
        ready[function].pop();
        Some((key, function, unit))
    }

    /// Frees an accelerator that ran a task for some cycles.
    pub fn release(&mut self, function: usize, unit: usize, busy: u64, has_ended: bool) {
        self.free[function].push(Reverse(unit));
        let unit = &mut self.uses[function][unit];
        unit.busy += busy;
        unit.tasks += u64::from(has_ended);
    }

    /// The use of the first `functions`.
    pub fn uses(self, functions: usize) -> Vec<UnitUse> {
        let uses = self.uses.into_iter().take(functions);
        uses.flatten().collect()
    }
}
