//! Barrier units and read-write locks of a cluster. They know threads by their numbers in the
//! scheduler.

use std::collections::VecDeque;

/// Barrier units of a cluster, and its read-write locks.
pub const BARRIERS: usize = 16;
pub const LOCKS: usize = 64;

/// The number of a thread in the scheduler.
pub type ThreadNumber = usize;

/// A barrier unit.
#[derive(Debug, Default)]
pub struct Barrier {
    /// Threads that it waits for, while some wait.
    pub expected: usize,
    /// The threads that wait, in the order of their arrival.
    pub waiting: Vec<ThreadNumber>,
}

/// What the arrival of a thread does.
#[derive(Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The thread waits.
    Waits,
    /// All have arrived: these continue, the arriving thread among them.
    Releases(Vec<ThreadNumber>),
    /// Threads that wait expect another number of threads.
    Conflicts,
}

impl Barrier {
    /// A thread arrives and expects `expected` threads in all.
    pub fn arrive(&mut self, thread: ThreadNumber, expected: usize) -> Arrival {
        if self.waiting.is_empty() {
            self.expected = expected;
        } else if self.expected != expected {
            return Arrival::Conflicts;
        }
        self.waiting.push(thread);
        if self.waiting.len() < self.expected {
            return Arrival::Waits;
        }
        Arrival::Releases(std::mem::take(&mut self.waiting))
    }
}

/// A read-write lock. Waiting threads get it in the order in which they came.
#[derive(Debug, Default)]
pub struct Lock {
    readers: usize,
    is_written: bool,
    /// Who waits, and whether to write.
    waiting: VecDeque<(ThreadNumber, bool)>,
}

impl Lock {
    /// Whether a thread gets the lock at once.
    pub fn try_take(&mut self, writes: bool) -> bool {
        let is_free = !self.is_written && (self.readers == 0 || !writes);
        if !is_free || !self.waiting.is_empty() {
            return false;
        }
        self.give(writes);
        true
    }

    /// As `try_take`; if not, the thread waits.
    pub fn take(&mut self, thread: ThreadNumber, writes: bool) -> bool {
        let taken = self.try_take(writes);
        if !taken {
            self.waiting.push_back((thread, writes));
        }
        taken
    }

    fn give(&mut self, writes: bool) {
        if writes {
            self.is_written = true;
        } else {
            self.readers += 1;
        }
    }

    /// Whether the thread that has it may write.
    pub fn is_written(&self) -> bool {
        self.is_written
    }

    /// A thread that has the lock gives it back; the threads that get it, and whether to write. Without effect
    /// if none has it.
    pub fn give_back(&mut self) -> Vec<(ThreadNumber, bool)> {
        if self.is_written {
            self.is_written = false;
        } else {
            self.readers = self.readers.saturating_sub(1);
        }
        let mut next = Vec::new();
        while let Some(&(thread, writes)) = self.waiting.front() {
            if self.is_written || (writes && self.readers > 0) {
                break;
            }
            self.waiting.pop_front();
            self.give(writes);
            next.push((thread, writes));
        }
        next
    }
}

/// The number of the lock of an id.
pub fn lock_number(id: u32) -> u32 {
    id % LOCKS as u32
}

/// The units of a cluster.
#[derive(Debug)]
pub struct Units {
    /// Barrier units.
    pub barriers: [Barrier; BARRIERS],
    /// Read-write locks.
    pub locks: [Lock; LOCKS],
}

impl Units {
    /// Units that no thread uses.
    pub fn new() -> Self {
        Self {
            barriers: std::array::from_fn(|_| Barrier::default()),
            locks: std::array::from_fn(|_| Lock::default()),
        }
    }

    /// The barrier unit of an id, of which the machine uses the low bits.
    pub fn barrier(&mut self, id: u32) -> &mut Barrier {
        &mut self.barriers[id as usize % BARRIERS]
    }

    /// The lock of an id, of which the machine uses the low bits.
    pub fn lock(&mut self, id: u32) -> &mut Lock {
        &mut self.locks[lock_number(id) as usize]
    }

    /// Forgets a thread that waits.
    pub fn forget(&mut self, thread: ThreadNumber) {
        for barrier in &mut self.barriers {
            barrier.waiting.retain(|waiting| *waiting != thread);
        }
        for lock in &mut self.locks {
            lock.waiting.retain(|(waiting, _)| *waiting != thread);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_releases_all_at_the_last_arrival_and_can_be_used_again() {
        let mut barrier = Barrier::default();
        for _ in 0..2 {
            assert_eq!(barrier.arrive(4, 3), Arrival::Waits);
            assert_eq!(barrier.arrive(2, 3), Arrival::Waits);
            assert_eq!(barrier.arrive(9, 2), Arrival::Conflicts);
            assert_eq!(barrier.arrive(3, 3), Arrival::Releases(vec![4, 2, 3]));
        }
        assert_eq!(barrier.arrive(7, 1), Arrival::Releases(vec![7]));
    }

    #[test]
    fn readers_share_a_lock_and_do_not_overtake_writers() {
        let mut lock = Lock::default();
        assert!(lock.take(0, false) && lock.take(1, false));
        assert!(!lock.take(2, true) && !lock.take(3, false) && !lock.take(4, false));
        assert!(!lock.try_take(false));
        assert!(lock.give_back().is_empty());
        assert_eq!(lock.give_back(), [(2, true)]);
        assert_eq!(lock.give_back(), [(3, false), (4, false)]);
        assert!(!lock.try_take(true) && lock.try_take(false));
    }
}
