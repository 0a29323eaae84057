//! The report of a launch that has ended. It is computed when it is first needed, by the thread that
//! needs it, so that other launches can run meanwhile.

use super::launch_report::{Details, LaunchReport, LaunchSizes};
use super::recorder::Recorder;
use crate::machine::{CodeStackLayout, Machine};
use parking_lot::{Mutex, MutexGuard};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A report, or the record from which it is computed.
#[derive(Debug)]
pub struct PendingReport {
    report: OnceLock<Arc<LaunchReport>>,
    /// Until the report is known. Locked while it is computed.
    launch: Mutex<Option<Box<EndedLaunch>>>,
}

/// A launch that has ended, and what its report depends on.
#[derive(Debug)]
pub(super) struct EndedLaunch {
    pub recorder: Recorder,
    pub machine: Arc<Machine>,
    pub layout: CodeStackLayout,
    pub sizes: LaunchSizes,
    pub details: Details,
}

impl PendingReport {
    /// A report that is known.
    pub fn known(report: Arc<LaunchReport>) -> Self {
        Self {
            report: OnceLock::from(report),
            launch: Mutex::new(None),
        }
    }

    /// The report of a launch, which is not computed yet.
    pub(super) fn of(launch: EndedLaunch) -> Self {
        Self {
            report: OnceLock::new(),
            launch: Mutex::new(Some(Box::new(launch))),
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
            None => self.compute(self.launch.lock()),
        }
    }

    /// As `get`; none if another thread has not computed it after this time.
    pub fn get_within(&self, patience: Duration) -> Option<&Arc<LaunchReport>> {
        let known = self.report.get();
        known.or_else(|| Some(self.compute(self.launch.try_lock_for(patience)?)))
    }

    fn compute(&self, mut launch: MutexGuard<'_, Option<Box<EndedLaunch>>>) -> &Arc<LaunchReport> {
        self.report.get_or_init(|| {
            let launch = launch.take();
            launch.map_or_else(Arc::default, |launch| launch.report())
        })
    }
}
