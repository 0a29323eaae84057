//! A thread that polls, which means that it requests accesses of volatile variables and free locks only, and that comes
//! back to a state in which it was, will do so for ever unless another thread, the host program or a clock changes what
//! it reads. The state is what its stack and its registers hold, and what it has written since the last state: a thread
//! that counts in memory is in none in which it was.

/// Polls before the states of a thread are compared, and of how many later ones one is: most waits are short.
const SHORT_WAIT: u64 = 1024;
const STRIDE: u64 = 16;

/// The polls of a thread since it has requested something else.
#[derive(Debug, Default)]
pub struct Polls {
    count: u64,
    /// A state, after how many compared ones it is replaced by the present one, and how many there were since.
    reference: u64,
    power: u64,
    since: u64,
    /// After how many states the reference came back, once it did.
    period: Option<u64>,
    /// How many of the next states replace the reference.
    renewals: u32,
}

impl Polls {
    /// Notes a poll; `state` gives a number that is the same for the same state of the thread.
    pub fn note(&mut self, state: impl FnOnce() -> u64) {
        self.count += 1;
        if self.count >= SHORT_WAIT && self.count.is_multiple_of(STRIDE) {
            self.compare(state());
        }
    }

    /// Finds a period as Brent's algorithm does.
    fn compare(&mut self, state: u64) {
        self.since += 1;
        if self.renewals > 0 {
            self.renewals -= 1;
            self.reference = state;
            self.since = 0;
        } else if self.power > 0 && state == self.reference {
            self.period = Some(self.since);
            self.since = 0;
        } else if self.period.is_some_and(|period| self.since > period) {
            *self = Self {
                count: self.count,
                reference: state,
                power: 1,
                ..Self::default()
            };
        } else if self.period.is_none() && self.since >= self.power {
            self.reference = state;
            self.power = (2 * self.power).max(1);
            self.since = 0;
        }
    }

    /// The thread does something for the scheduler, of which its stack may keep traces until it has made its usual calls
    /// again: the cycle continues from a later state.
    pub fn renew(&mut self) {
        self.renewals = 3;
    }

    /// Whether the thread is in a cycle of states.
    pub fn is_cycle(&self) -> bool {
        self.period.is_some()
    }
}

/// A number that is the same for the same words.
pub fn fingerprint(words: impl Iterator<Item = u64>, seed: u64) -> u64 {
    words.fold(seed, |sum, word| {
        (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(states: impl Iterator<Item = u64>) -> Polls {
        let mut polls = Polls::default();
        for state in states {
            polls.compare(state);
        }
        polls
    }

    #[test]
    fn states_that_come_back_are_a_cycle() {
        assert!(after([5; 3].into_iter()).is_cycle());
        assert!(after((0..40).map(|n| n % 7)).is_cycle());
        // After others.
        assert!(after((0..100).chain((0..300).map(|n| n % 60))).is_cycle());
    }

    #[test]
    fn new_states_are_none() {
        assert!(!after(0..10_000).is_cycle());
        // A variable has changed.
        assert!(!after([5; 100].into_iter().chain(10..13)).is_cycle());
    }

    #[test]
    fn traces_of_the_scheduler_end_no_cycle() {
        let mut polls = after((0..400).map(|n| n % 7));
        polls.renew();
        for state in [10, 20].into_iter().chain((400..500).map(|n| n % 7 + 1000)) {
            polls.compare(state);
            assert!(polls.is_cycle());
        }
        // What changes afterwards does.
        for state in 0..100 {
            polls.compare(state);
        }
        assert!(!polls.is_cycle());
    }

    #[test]
    fn the_order_of_words_counts() {
        let of = |words: [u64; 2]| fingerprint(words.into_iter(), 1);
        assert_ne!(of([1, 2]), of([2, 1]));
        assert_eq!(of([1, 2]), of([1, 2]));
    }
}
