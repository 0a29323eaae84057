//! Results of this process, shared as long as they are in use: programs that
//! are built alike for several devices or contexts are compiled once. Requests for what another
//! thread is making wait for it.
//!
//! The compile cache keeps results on disk, for other processes and later; this works without it.

use super::bypass::is_bypassed;
use super::key::{CacheInput, Key};
use crate::failure::BuildFailure;
use crate::inspect::remarks;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// What is remembered of a result without keeping it alive.
pub(crate) trait Remembered: Send {
    /// The result itself.
    type Result;

    /// The result, if it is still held and would be made the same.
    fn get(&self) -> Option<Self::Result>;

    /// Whether the result was dropped.
    fn is_gone(&self) -> bool;
}

/// The results of one kind.
pub(crate) struct Shared<R> {
    places: Mutex<Places<R>>,
}

struct Places<R> {
    of: HashMap<Key, Place<R>>,
    /// At this number of entries, those whose results are gone are removed.
    most: usize,
}

/// Locked while the result is made.
type Place<R> = Arc<Mutex<Option<R>>>;

/// Results do not outlive the process, so that their keys need not tell toolchains apart.
const NO_TOOLCHAIN: [u8; 32] = [0; 32];

/// With fewer places than these none is removed.
const FEW: usize = 64;

impl<R: Remembered> Shared<R> {
    pub fn new() -> Self {
        Self {
            places: Mutex::new(Places {
                of: HashMap::new(),
                most: FEW,
            }),
        }
    }

    /// The result of `input`: one that is still held, or what `make` makes, which is remembered
    /// unless it comes with `None`. Failures are not remembered.
    pub fn get<T: CacheInput>(
        &self,
        input: &T,
        make: impl FnOnce() -> Result<(R::Result, Option<R>), BuildFailure>,
    ) -> Result<R::Result, BuildFailure> {
        // Observers of the compiler see each program compiled.
        if is_bypassed() || remarks::are_wanted() {
            return Ok(make()?.0);
        }
        let place = self.place(Key::new(&NO_TOOLCHAIN, input));
        let mut remembered = place.lock();
        if let Some(result) = remembered.as_ref().and_then(R::get) {
            return Ok(result);
        }
        let (result, remember) = make()?;
        *remembered = remember;
        Ok(result)
    }

    fn place(&self, key: Key) -> Place<R> {
        let mut places = self.places.lock();
        if places.of.len() >= places.most {
            places.of.retain(|_, place| {
                // A place with another owner is in use. No new owner can appear while `places` is locked.
                Arc::strong_count(place) > 1
                    || place
                        .lock()
                        .as_ref()
                        .is_some_and(|result| !result.is_gone())
            });
            places.most = FEW.max(2 * places.of.len());
        }
        Arc::clone(places.of.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::key::tests::Numbered;
    use std::sync::Weak;
    use std::sync::atomic::{AtomicUsize, Ordering};

    impl Remembered for Weak<str> {
        type Result = Arc<str>;
        fn get(&self) -> Option<Arc<str>> {
            self.upgrade()
        }
        fn is_gone(&self) -> bool {
            self.strong_count() == 0
        }
    }

    fn made(text: &str) -> Result<(Arc<str>, Option<Weak<str>>), BuildFailure> {
        let result = Arc::from(text);
        let remembered = Arc::downgrade(&result);
        Ok((result, Some(remembered)))
    }

    #[test]
    fn a_result_is_made_once_while_it_is_held() {
        let shared = Shared::new();
        let count = AtomicUsize::new(0);
        let get = || {
            let make = || {
                count.fetch_add(1, Ordering::Relaxed);
                made("a")
            };
            shared.get(&Numbered(1), make).unwrap()
        };
        let first = get();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert!(Arc::ptr_eq(&first, &get())));
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), 1);
        drop(first);
        get();
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn requests_at_the_same_time_wait_for_the_first() {
        let shared = Shared::new();
        let count = AtomicUsize::new(0);
        let all = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    all.wait();
                    let make = || {
                        count.fetch_add(1, Ordering::Relaxed);
                        std::thread::yield_now();
                        made("a")
                    };
                    let result = shared.get(&Numbered(1), make).unwrap();
                    // Held until all have it.
                    all.wait();
                    drop(result);
                });
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_failure_is_not_remembered() {
        let shared = Shared::<Weak<str>>::new();
        let failure = || Err(BuildFailure::new("error"));
        assert!(shared.get(&Numbered(1), failure).is_err());
        let first = shared.get(&Numbered(1), || made("1")).unwrap();
        let second = shared.get(&Numbered(2), || made("2")).unwrap();
        assert_eq!((&*first, &*second), ("1", "2"));
    }

    #[test]
    fn dropped_results_are_forgotten() {
        let shared = Shared::new();
        let held = shared.get(&Numbered(0), || made("held")).unwrap();
        for number in 1..10 * FEW {
            let _ = shared.get(&Numbered(number), || made("gone"));
        }
        assert!(shared.places.lock().of.len() <= 2 * FEW);
        let again = shared.get(&Numbered(0), || made("another")).unwrap();
        assert!(Arc::ptr_eq(&held, &again));
    }
}
