//! The result of one case.

use crate::case::{Category, Origin};
use crate::known_failures::KnownFailure;
use crate::process::Outcome;
use serde::Serialize;

/// The result of one case: of the first run that did not pass, or of all.
#[derive(Serialize)]
pub struct Report {
    /// The case.
    pub name: &'static str,
    /// Its category, as `--category` takes it.
    pub category: Category,
    /// Where the idea is from.
    pub origin: Origin,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Duration of all its runs, in seconds.
    pub seconds: f64,
    /// The seed of that run.
    pub seed: u64,
    /// Source of the programs that it built, if it failed.
    pub source: String,
    /// Runs just this case once more, with this seed.
    pub command: String,
    /// Why it is known to fail on this platform, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_failure: Option<KnownFailure>,
}
