//! What later lines may refer to. Writer and reader keep the same, so that neither needs memory for a
//! whole recording.

use std::collections::VecDeque;

/// The `KEPT` values, with their numbers, that were found or added last.
#[derive(Debug)]
pub struct Recent<T, const KEPT: usize>(VecDeque<(u64, T)>);

impl<T, const KEPT: usize> Default for Recent<T, KEPT> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T, const KEPT: usize> Recent<T, KEPT> {
    /// The first value that `is_wanted`, and its number; it becomes the latest.
    pub fn find(&mut self, is_wanted: impl Fn(u64, &T) -> bool) -> Option<&(u64, T)> {
        let mut values = self.0.iter();
        let place = values.position(|(number, value)| is_wanted(*number, value))?;
        if place > 0 {
            self.0.swap(0, place);
        }
        self.0.front()
    }

    /// Adds a value in the place of the oldest.
    pub fn add(&mut self, number: u64, value: T) {
        self.0.truncate(KEPT - 1);
        self.0.push_front((number, value));
    }
}

/// The reports of recent launches, by the commands' numbers.
pub type RecentReports<T> = Recent<T, 4>;
