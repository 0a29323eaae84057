//! What is changed.

use crate::timing::cost::KernelCost;
use crate::timing::footprint::Footprint;
use crate::timing::launch_record::LaunchRecord;
use crate::timing::launch_sizes::LaunchSizes;

/// A launch, and the code that ran in it.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The costs of its code.
    pub cost: &'a KernelCost,
    /// The sums of its counters.
    pub counts: &'a [u64],
    /// What its arrays did.
    pub record: &'a LaunchRecord,
    /// Its sizes.
    pub sizes: &'a LaunchSizes,
    /// What a group loads, by `KernelCost::loaded_arguments`; empty if that is not known.
    pub footprints: &'a [Option<Footprint>],
}
