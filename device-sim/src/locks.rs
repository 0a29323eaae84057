//! A cluster's hardware locks: a fixed number of read-write locks, handed out by
//! number.

use parking_lot::Mutex;
use parking_lot::RawRwLock;
use parking_lot::lock_api::RawRwLock as _;

/// The read-write locks of a cluster.
pub struct Locks {
    locks: Vec<RawRwLock>,
    taken: Mutex<Vec<bool>>,
}

impl Locks {
    /// A cluster's `count` locks, all free.
    pub fn new(count: u64) -> Self {
        Self {
            locks: (0..count).map(|_| RawRwLock::INIT).collect(),
            taken: Mutex::new(vec![false; count as usize]),
        }
    }

    /// Takes a lock for use; its number. None if all are taken.
    pub fn acquire(&self) -> Option<usize> {
        let mut taken = self.taken.lock();
        let number = taken.iter().position(|taken| !taken)?;
        taken[number] = true;
        Some(number)
    }

    /// Gives a lock back. False if it was not taken, or is held.
    pub fn release(&self, number: usize) -> bool {
        let mut taken = self.taken.lock();
        let held = self.locks.get(number).is_some_and(RawRwLock::is_locked);
        match taken.get_mut(number) {
            Some(taken) if *taken && !held => {
                *taken = false;
                true
            }
            _ => false,
        }
    }

    /// Runs `body` holding the lock for writing (or reading). None if no such lock is taken.
    pub fn hold<R>(&self, number: usize, for_writing: bool, body: impl FnOnce() -> R) -> Option<R> {
        if !*self.taken.lock().get(number)? {
            return None;
        }
        struct Held<'a>(&'a RawRwLock, bool);
        impl Drop for Held<'_> {
            fn drop(&mut self) {
                // SAFETY: this value was made when the lock was taken in this mode.
                unsafe {
                    if self.1 {
                        self.0.unlock_exclusive();
                    } else {
                        self.0.unlock_shared();
                    }
                }
            }
        }
        let lock = &self.locks[number];
        if for_writing {
            lock.lock_exclusive();
        } else {
            lock.lock_shared();
        }
        let _held = Held(lock, for_writing);
        Some(body())
    }
}

#[cfg(test)]
mod tests {
    use super::Locks;
    use std::cell::Cell;

    #[test]
    fn there_are_only_so_many() {
        let locks = Locks::new(2);
        assert_eq!(
            (locks.acquire(), locks.acquire(), locks.acquire()),
            (Some(0), Some(1), None)
        );
        assert!(locks.release(0));
        assert!(!locks.release(0) && !locks.release(7));
        assert_eq!(locks.acquire(), Some(0));
    }

    #[test]
    fn writers_exclude_each_other() {
        struct Shared(Cell<u64>);
        // SAFETY: the test touches it only under the lock.
        unsafe impl Sync for Shared {}
        let (locks, count) = (Locks::new(1), Shared(Cell::new(0)));
        let number = locks.acquire().unwrap();
        let (locks, count) = (&locks, &count);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    let count = &count;
                    for _ in 0..1000 {
                        locks
                            .hold(number, true, || count.0.set(count.0.get() + 1))
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(count.0.get(), 4000);
        assert_eq!(
            locks.hold(number, false, || !locks.release(number)),
            Some(true)
        );
        assert_eq!(locks.hold(5, false, || ()), None);
    }
}
