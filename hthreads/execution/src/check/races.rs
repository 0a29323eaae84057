//! Which accesses of the threads of a launch nothing orders: vector clocks (Fidge, "Timestamps in
//! message-passing systems that preserve the partial ordering", 1988). A thread's accesses are collected in segments, that end where it
//! synchronises. The scheduler serves requests in an order that does not depend on the host, so that
//! what is found does not either.

use super::segment::{Conflict, Segment, UNIT};
use libc::c_void;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Pages of segments that are kept: 400 MiB. The oldest segments are dropped first.
const MAX_PAGES: usize = 1 << 16;

/// What threads release and acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SyncObject {
    /// What one thread after the other does: volatile accesses, atomic operations, taking and freeing
    /// buffers in HBSM, interrupts.
    Serial,
    /// The ends of a lock's writers.
    Writers(u32),
    /// The ends of a lock's readers.
    Readers(u32),
}

/// For each thread the number of its segments that have ended before.
type Clock = Vec<u32>;

/// A segment that has ended.
struct Ended {
    thread: usize,
    /// How many the thread has ended before.
    number: u32,
    /// What the thread knew of the others then.
    clock: Clock,
    segment: Segment,
}

/// The threads of a launch.
pub struct Races {
    clocks: Vec<Clock>,
    /// Threads that have not ended.
    runs: Vec<bool>,
    released: BTreeMap<SyncObject, Clock>,
    /// Segments that a segment may still conflict with, the oldest first.
    ended: Vec<Ended>,
    pages: usize,
    /// Words of memory that C accesses by volatile or atomic accesses, of images with assembly.
    volatile: FxHashSet<usize>,
    /// Words that assembly has stored, with the threads that did: bit i is set for thread i.
    stored: FxHashMap<usize, u32>,
    /// Blocks of the C library's heap that threads have freed.
    freed: Vec<*mut c_void>,
}

// SAFETY: the blocks are nobody's any more.
unsafe impl Send for Races {}

fn join(clock: &mut Clock, other: &Clock) {
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

/// The bit of a thread. A cluster has at most 24, one for each array.
fn bit(thread: usize) -> u32 {
    1 << thread
}

/// The words that bytes are in.
fn words(address: usize, bytes: usize) -> impl Iterator<Item = usize> {
    let last = address.saturating_add(bytes.max(1) - 1);
    address / UNIT..=last / UNIT
}

impl Races {
    /// For a number of threads.
    pub fn new(threads: usize) -> Self {
        Self {
            clocks: vec![vec![0; threads]; threads],
            runs: vec![true; threads],
            released: BTreeMap::new(),
            ended: Vec::new(),
            pages: 0,
            volatile: FxHashSet::default(),
            stored: FxHashMap::default(),
            freed: Vec::new(),
        }
    }

    /// A thread ends a segment; what in it conflicts with segments of other threads, with their numbers.
    pub fn end_segment(&mut self, thread: usize, segment: Segment) -> Vec<(usize, Conflict)> {
        if segment.is_empty() {
            return Vec::new();
        }
        let clock = &self.clocks[thread];
        let unordered = self
            .ended
            .iter()
            .filter(|one| one.thread != thread && clock[one.thread] <= one.number)
            .filter(|one| one.clock[thread] <= clock[thread]);
        let conflicts = unordered.flat_map(|one| {
            let conflicts = segment.conflicts(&one.segment).into_iter();
            conflicts.map(|conflict| (one.thread, conflict))
        });
        let conflicts = conflicts.collect();
        self.pages += segment.pages();
        self.ended.push(Ended {
            thread,
            number: clock[thread],
            clock: clock.clone(),
            segment,
        });
        self.clocks[thread][thread] += 1;
        self.drop_ordered();
        conflicts
    }

    /// What the thread does next comes after what others did before they released the object.
    pub fn acquire(&mut self, thread: usize, object: SyncObject) {
        if let Some(before) = self.released.get(&object) {
            join(&mut self.clocks[thread], before);
        }
    }

    /// What the thread has done comes before what others do after they acquire the object.
    pub fn release(&mut self, thread: usize, object: SyncObject) {
        let clock = &self.clocks[thread];
        let none = || vec![0; clock.len()];
        join(self.released.entry(object).or_insert_with(none), clock);
    }

    /// Threads meet at a barrier.
    pub fn meet(&mut self, threads: &[usize]) {
        let mut all = vec![0; self.clocks.len()];
        for thread in threads {
            join(&mut all, &self.clocks[*thread]);
        }
        for thread in threads {
            self.clocks[*thread].clone_from(&all);
        }
        self.drop_ordered();
    }

    /// A thread makes a volatile or atomic access in C, while no other one runs. Assembly has no such accesses: what
    /// it stores to the same words is taken as one, too. So the access comes after all that threads have done
    /// which have stored there.
    pub fn synchronise_at(&mut self, thread: usize, address: usize, bytes: usize) {
        for word in words(address, bytes) {
            self.volatile.insert(word);
            let writers = self.stored.get(&word).copied().unwrap_or(0) & !bit(thread);
            for writer in (0..self.clocks.len()).filter(|writer| writers & bit(*writer) != 0) {
                let mut known = self.clocks[writer].clone();
                // What it has not ended yet, too.
                known[writer] += 1;
                join(&mut self.clocks[thread], &known);
            }
        }
    }

    /// Whether an access by assembly is of what C accesses by volatile or atomic accesses.
    pub fn is_volatile(&self, address: usize, bytes: usize) -> bool {
        !self.volatile.is_empty() && words(address, bytes).any(|word| self.volatile.contains(&word))
    }

    /// A thread stores in assembly.
    pub fn store(&mut self, thread: usize, address: usize, bytes: usize) {
        for word in words(address, bytes) {
            *self.stored.entry(word).or_default() |= bit(thread);
        }
    }

    /// A thread has ended.
    pub fn end(&mut self, thread: usize) {
        self.runs[thread] = false;
        self.drop_ordered();
    }

    /// Frees a block of the C library's heap when the launch has ended: another thread that takes it has an order
    /// that is not known here.
    pub fn free_later(&mut self, block: *mut c_void) {
        self.freed.push(block);
    }

    /// Drops segments that no other one can conflict with.
    fn drop_ordered(&mut self) {
        let (clocks, runs) = (&self.clocks, &self.runs);
        self.ended.retain(|one| {
            let others = (0..clocks.len()).filter(|other| runs[*other] && *other != one.thread);
            others
                .into_iter()
                .any(|other| clocks[other][one.thread] <= one.number)
        });
        self.pages = self.ended.iter().map(|one| one.segment.pages()).sum();
        let mut dropped = 0;
        while self.pages > MAX_PAGES && dropped + 1 < self.ended.len() {
            self.pages -= self.ended[dropped].segment.pages();
            dropped += 1;
        }
        self.ended.drain(..dropped);
    }
}

impl Drop for Races {
    fn drop(&mut self) {
        for block in self.freed.drain(..) {
            // SAFETY: the program has freed it, with a function that gave the block to `free_later`.
            unsafe { libc::free(block) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITES: bool = true;
    const NONE: [usize; 0] = [];

    /// A thread accesses a word and synchronises; the threads that it conflicts with.
    fn accesses(races: &mut Races, thread: usize, word: usize, writes: bool) -> Vec<usize> {
        let mut segment = Segment::default();
        segment.add(word * 8, 8, writes, 0);
        let found = races.end_segment(thread, segment).into_iter();
        found.map(|(other, _)| other).collect()
    }

    #[test]
    fn barriers_order_what_is_before_and_after() {
        let mut races = Races::new(3);
        assert_eq!(accesses(&mut races, 0, 1, WRITES), NONE);
        assert_eq!(accesses(&mut races, 1, 1, !WRITES), [0]);
        races.meet(&[0, 1]);
        assert_eq!(accesses(&mut races, 1, 1, WRITES), NONE);
        // It was not at the barrier.
        assert_eq!(accesses(&mut races, 2, 1, !WRITES), [0, 1]);
        races.meet(&[0, 1, 2]);
        assert!(races.ended.is_empty());
    }

    #[test]
    fn locks_order_writers_and_readers() {
        let mut races = Races::new(3);
        let write = |races: &mut Races, thread| {
            races.acquire(thread, SyncObject::Writers(5));
            races.acquire(thread, SyncObject::Readers(5));
            let found = accesses(races, thread, 1, WRITES);
            races.release(thread, SyncObject::Writers(5));
            found
        };
        let read = |races: &mut Races, thread, writes| {
            races.acquire(thread, SyncObject::Writers(5));
            let found = accesses(races, thread, 1, writes);
            races.release(thread, SyncObject::Readers(5));
            found
        };
        assert_eq!(write(&mut races, 0), NONE);
        assert_eq!(read(&mut races, 1, !WRITES), NONE);
        // A reader that writes races with other readers.
        assert_eq!(read(&mut races, 2, WRITES), [1]);
        assert_eq!(write(&mut races, 0), NONE);
        // Another lock.
        races.acquire(1, SyncObject::Writers(4));
        assert_eq!(accesses(&mut races, 1, 1, WRITES), [2, 0]);
    }

    #[test]
    fn volatile_accesses_come_after_what_assembly_stored_before() {
        let mut races = Races::new(3);
        // Data, and in the same segment the flag, which another thread sees before the segment has ended.
        races.store(0, 64, 8);
        races.synchronise_at(1, 64, 4);
        assert_eq!(accesses(&mut races, 1, 1, WRITES), NONE);
        assert_eq!(accesses(&mut races, 0, 1, WRITES), NONE);
        assert_eq!(accesses(&mut races, 2, 1, !WRITES), [1, 0]);
        assert!(races.is_volatile(60, 8) && !races.is_volatile(72, 8));
        races.synchronise_at(2, 72, 8);
        assert_eq!(accesses(&mut races, 2, 1, !WRITES), [1, 0]);
    }

    #[test]
    fn ended_threads_keep_no_segments() {
        let mut races = Races::new(2);
        accesses(&mut races, 0, 1, WRITES);
        races.end(0);
        assert_eq!(races.ended.len(), 1);
        assert_eq!(accesses(&mut races, 1, 1, WRITES), [0]);
        races.end(1);
        assert!(races.ended.is_empty());
    }
}
