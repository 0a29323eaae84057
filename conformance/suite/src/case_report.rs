//! The result of one case.

use crate::case::{Category, Origin};
use crate::known_failures::KnownFailure;
use crate::process::Outcome;
use serde::Serialize;

/// The result of a case: of the first run that did not pass, or of all runs.
#[derive(Serialize)]
pub struct Report {
    /// The case.
    pub name: &'static str,
    /// Its category, as `--category` takes it.
    pub category: Category,
    /// The origin of the idea.
    pub origin: Origin,
    /// The result.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Duration of all its runs, in seconds.
    pub seconds: f64,
    /// The seed of that run.
    pub seed: u64,
    /// The sources of the programs that a failed case built.
    pub source: String,
    /// The command that repeats only this run.
    pub command: String,
    /// The reason of a known failure on this platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_failure: Option<KnownFailure>,
}
