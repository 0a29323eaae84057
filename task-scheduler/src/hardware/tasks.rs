//! The tasks in flight.

/// Where a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// In the dispatch window.
    Window,
    /// In a reservation station.
    Station,
    /// On its accelerator.
    Running {
        /// The accelerator.
        unit: usize,
        /// When it was issued.
        issued: u64,
        /// When it began.
        begin: u64,
        /// When it ends.
        end: u64,
    },
}

/// A task in flight.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    /// Its number in the order of decoding, from 1. 0: the slot is free.
    pub number: u64,
    /// Its function; that behind the last one reads memory for branches.
    pub function: usize,
    pub phase: Phase,
    pub decoded: u64,
    /// Tasks that it waits for.
    pub waits: usize,
    /// Slots and numbers of the tasks that wait for it. Those that were removed are still in the list.
    pub waiters: Vec<(usize, u64)>,
    /// Numbers of the tasks that it waited for, if records are wanted.
    pub waited_for: Vec<u64>,
}

/// The tasks in flight, by slots.
#[derive(Default)]
pub(super) struct Tasks {
    slots: Vec<InFlight>,
    free: Vec<usize>,
}

impl Tasks {
    /// A slot for a task.
    pub fn add(&mut self, task: InFlight) -> usize {
        match self.free.pop() {
            Some(slot) => {
                let old = std::mem::replace(&mut self.slots[slot], task);
                // Its memory is used again.
                self.slots[slot].waiters = old.waiters;
                slot
            }
            None => {
                self.slots.push(task);
                self.slots.len() - 1
            }
        }
    }

    pub fn get(&self, slot: usize) -> &InFlight {
        &self.slots[slot]
    }

    pub fn get_mut(&mut self, slot: usize) -> &mut InFlight {
        &mut self.slots[slot]
    }

    /// Frees a slot, whose list of waiters has been taken out and is emptied.
    pub fn remove(&mut self, slot: usize, mut waiters: Vec<(usize, u64)>) {
        waiters.clear();
        let task = &mut self.slots[slot];
        task.number = 0;
        task.waiters = waiters;
        self.free.push(slot);
    }

    /// The slots of the tasks with numbers above this one, in the order of their numbers.
    pub fn younger_than(&self, number: u64) -> Vec<usize> {
        let slots = 0..self.slots.len();
        let mut younger: Vec<usize> = slots
            .filter(|slot| self.slots[*slot].number > number)
            .collect();
        younger.sort_by_key(|slot| self.slots[*slot].number);
        younger
    }
}
