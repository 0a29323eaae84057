//! What the scheduler of a cluster asks of the host program.

use crate::group::Group;
use device_sim::units::Nanoseconds;

/// An interrupt of a thread, for the host program.
pub struct HostInterrupt<'g> {
    /// The group.
    pub group: &'g Group,
    /// The number of the thread.
    pub thread: u32,
    /// What the thread passes.
    pub value: u64,
    /// When the host program gets it, if the thread has simulated time.
    pub time: Option<Nanoseconds>,
}

/// The host program's part: called by the scheduler, which waits for it.
pub type HostService = Box<dyn Fn(&HostInterrupt<'_>) + Send>;
