//! Launches that share a simulated time (`MOCL3_SHARE_LAUNCHES`): of launches with equal keys one is
//! executed, and the others take as long, without results.

use crate::context::Context;
use crate::error::Result;
use crate::kernel::launch_key::LaunchKey;
use crate::memory::missing_results;
use device_sim::timing::pending_report::PendingReport;
use std::sync::{Arc, OnceLock};

/// The report of launches with equal keys, once one has been executed.
pub(crate) type SharedReport = Arc<OnceLock<Arc<PendingReport>>>;

/// How a launch may share its time.
pub(crate) struct Sharing {
    /// What its time depends on.
    pub key: Arc<LaunchKey>,
    /// Set when it is enqueued, if it shares its time.
    report: OnceLock<SharedReport>,
}

impl Sharing {
    /// Of a launch with this key, which is none of launches without simulated time. None if launches
    /// do not share their times.
    pub fn of(key: impl FnOnce() -> Option<LaunchKey>) -> Option<Arc<Self>> {
        let key = match missing_results::are_shared() {
            true => key()?,
            false => return None,
        };
        Some(Arc::new(Self {
            key: Arc::new(key),
            report: OnceLock::new(),
        }))
    }

    /// The launch shares this report, or provides it.
    pub fn join(&self, report: SharedReport) {
        self.report.get_or_init(|| report);
    }
}

/// The report of an equal launch that has been executed, which takes the place of executing this one.
pub(super) fn known_report(sharing: Option<&Sharing>) -> Option<Arc<PendingReport>> {
    sharing?.report.get()?.get().cloned()
}

/// The report of a launch that `execute` executes, for equal ones too.
///
/// # Errors
/// Those of `execute`.
pub(super) fn report(
    sharing: Option<&Sharing>,
    context: &Context,
    execute: impl FnOnce() -> Result<Option<PendingReport>>,
) -> Result<Option<Arc<PendingReport>>> {
    let shared = sharing.and_then(|sharing| sharing.report.get());
    let report = execute()?.map(Arc::new);
    // A launch whose context is terminated meanwhile ends early.
    if let (Some(shared), Some(report), false) = (shared, &report, context.is_terminated()) {
        shared.get_or_init(|| Arc::clone(report));
    }
    Ok(report)
}
