//! How requests order what threads do, for checks of races.

use super::serving::Server;
use crate::check::{Checking, Races, SyncObject};
use crate::synchronisation::{ThreadNumber, lock_number};

impl Server<'_> {
    fn checking(&self, number: ThreadNumber) -> Option<Checking<'_>> {
        Checking::of(&self.threads.get(&number)?.thread)
    }

    fn synchronise(&self, number: ThreadNumber, act: impl FnOnce(&mut Races, usize)) {
        if let Some(checking) = self.checking(number) {
            checking.synchronise(act);
        }
    }

    /// A thread arrives at a barrier.
    pub fn note_arrival(&self, number: ThreadNumber) {
        self.synchronise(number, |_, _| ());
    }

    /// Threads leave a barrier together.
    pub fn note_meeting(&self, all: &[ThreadNumber]) {
        let checked = all.iter().filter_map(|one| self.checking(*one));
        let mut checked: Vec<Checking<'_>> = checked.collect();
        // Threads of several launches may meet.
        while let Some(first) = checked.pop() {
            let of_launch = checked.extract_if(.., |one| one.shares_races(&first));
            let mut numbers: Vec<usize> = of_launch.map(|one| one.number()).collect();
            numbers.push(first.number());
            first.synchronise(|races, _| races.meet(&numbers));
        }
    }

    /// A thread gets a lock.
    pub fn note_lock(&self, number: ThreadNumber, unit: u32, writes: bool) {
        let lock = lock_number(unit);
        self.synchronise(number, |races, thread| {
            races.acquire(thread, SyncObject::Writers(lock));
            if writes {
                races.acquire(thread, SyncObject::Readers(lock));
            }
        });
    }

    /// A thread gives back a lock, with which it could write.
    pub fn note_unlock(&self, number: ThreadNumber, unit: u32, writes: bool) {
        let object = match writes {
            true => SyncObject::Writers(lock_number(unit)),
            false => SyncObject::Readers(lock_number(unit)),
        };
        self.synchronise(number, |races, thread| races.release(thread, object));
    }

    /// A thread interrupts the host program, or is interrupted.
    pub fn note_interrupt(&self, number: ThreadNumber) {
        if let Some(checking) = self.checking(number) {
            checking.take_turn();
        }
    }
}
