//! The sizes of a launch.

use crate::units::Bytes;

/// Sizes of a launch that its report repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchSizes {
    /// Work-groups.
    pub groups: u64,
    /// Work-items.
    pub work_items: u64,
    /// Local memory of a group.
    pub local_memory: Bytes,
    /// Part of AM that holds the private memory of a group's work-items.
    pub private_memory: Bytes,
    /// What local memory leaves of AM for it.
    pub private_memory_limit: Bytes,
}
