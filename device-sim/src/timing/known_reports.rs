//! The reports of recent launches of a kernel: launches often repeat.

use super::launch_report::LaunchReport;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

/// Maximum number of lines and arrays in the reports of a generation: about 2 MB.
const MAX_ENTRIES: usize = 1 << 14;

/// Reports by key. Those that have not been used for a while are dropped.
#[derive(Debug, Default)]
pub(super) struct KnownReports {
    recent: Generation,
    /// The last full generation.
    older: Generation,
}

#[derive(Debug, Default)]
struct Generation {
    reports: HashMap<u128, Arc<LaunchReport>>,
    entries: usize,
}

impl KnownReports {
    /// The report with this key, if it is known.
    pub fn get(&mut self, key: u128) -> Option<Arc<LaunchReport>> {
        if let Some(report) = self.recent.reports.get(&key) {
            return Some(Arc::clone(report));
        }
        let report = Arc::clone(self.older.reports.get(&key)?);
        self.keep(key, &report);
        Some(report)
    }

    /// Keeps a report.
    pub fn keep(&mut self, key: u128, report: &Arc<LaunchReport>) {
        let entries = report.lines.len() + report.timing.arrays.len();
        if self.recent.entries + entries > MAX_ENTRIES {
            self.older = mem::take(&mut self.recent);
        }
        self.recent.entries += entries;
        self.recent.reports.insert(key, Arc::clone(report));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_timing::{ArrayTiming, LaunchTiming};

    #[test]
    fn reports_in_use_are_kept_and_others_are_dropped() {
        const ARRAYS: usize = 24;
        let report = Arc::new(LaunchReport {
            timing: LaunchTiming {
                arrays: vec![ArrayTiming::default(); ARRAYS],
                ..LaunchTiming::default()
            },
            ..LaunchReport::default()
        });
        let mut known = KnownReports::default();
        assert!(known.get(0).is_none());
        known.keep(0, &report);
        for key in 1..10_000 {
            known.keep(key, &Arc::new(LaunchReport::clone(&report)));
            let used = known.get(0).expect("it is in use");
            assert!(Arc::ptr_eq(&used, &report));
            let kept = known.recent.reports.len() + known.older.reports.len();
            assert!(kept <= 2 * MAX_ENTRIES / ARRAYS);
        }
        assert!(known.get(1).is_none());
        assert!(known.get(9_999).is_some());
    }
}
