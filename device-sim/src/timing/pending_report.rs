//! The report of a launch that has ended. It is computed when it is first needed, by the thread that
//! needs it, so that other launches can run meanwhile.

use super::launch_report::LaunchReport;
use parking_lot::{Mutex, MutexGuard};
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Computes a report.
type Computation = Box<dyn FnOnce() -> Arc<LaunchReport> + Send>;

/// A report, or its computation.
pub struct PendingReport {
    report: OnceLock<Arc<LaunchReport>>,
    /// Until the report is known. Locked while it is computed.
    computation: Mutex<Option<Computation>>,
}

impl PendingReport {
    /// A report that is known.
    pub fn known(report: Arc<LaunchReport>) -> Self {
        Self {
            report: OnceLock::from(report),
            computation: Mutex::new(None),
        }
    }

    /// The report that a call of `compute` returns.
    pub fn of(compute: impl FnOnce() -> Arc<LaunchReport> + Send + 'static) -> Self {
        Self {
            report: OnceLock::new(),
            computation: Mutex::new(Some(Box::new(compute))),
        }
    }

    /// Whether the report is known, and `get` returns at once.
    pub fn is_known(&self) -> bool {
        self.report.get().is_some()
    }

    /// The report. If it is not known, it is computed now, or awaited if another thread computes it.
    pub fn get(&self) -> &Arc<LaunchReport> {
        match self.report.get() {
            Some(report) => report,
            None => self.compute(self.computation.lock()),
        }
    }

    /// As `get`; none if another thread has not computed it after this time.
    pub fn get_within(&self, patience: Duration) -> Option<&Arc<LaunchReport>> {
        let known = self.report.get();
        known.or_else(|| Some(self.compute(self.computation.try_lock_for(patience)?)))
    }

    fn compute(&self, mut computation: MutexGuard<'_, Option<Computation>>) -> &Arc<LaunchReport> {
        self.report.get_or_init(|| {
            let compute = computation.take();
            compute.map_or_else(Arc::default, |compute| compute())
        })
    }
}

impl Debug for PendingReport {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.report.fmt(formatter)
    }
}
