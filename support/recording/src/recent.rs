//! The reports that later commands may refer to. Writer and reader keep the same ones, so that
//! neither needs memory for a whole recording.

use std::collections::VecDeque;

/// Number of reports that later ones are compared with.
const KEPT: usize = 4;

/// The reports of recent commands, by the commands' numbers.
#[derive(Debug)]
pub struct RecentReports<T>(VecDeque<(u64, T)>);

impl<T> Default for RecentReports<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> RecentReports<T> {
    /// The first report that `is_wanted`, and its command; it becomes the latest.
    pub fn find(&mut self, is_wanted: impl Fn(u64, &T) -> bool) -> Option<&(u64, T)> {
        let mut reports = self.0.iter();
        let place = reports.position(|(number, report)| is_wanted(*number, report))?;
        self.0.swap(0, place);
        self.0.front()
    }

    /// Adds the report of a command, in the place of the oldest.
    pub fn add(&mut self, number: u64, report: T) {
        self.0.truncate(KEPT - 1);
        self.0.push_front((number, report));
    }
}
