//! What a work-group function needs of its caller.

use crate::kernel::resource_use::PrivateMemoryUse;
use serde::{Deserialize, Serialize};

/// Name of every work-group function in its own module.
pub const SYMBOL: &str = "mocl3_work_group_function";

/// The memory that a work-group function needs, in bytes, and the form of its loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Local memory for the kernel's own `__local` variables.
    pub local_memory: u64,
    /// Private memory of a group, apart from that of its work-items.
    pub group_private: u64,
    /// Private memory of each work-item, in the group's private memory.
    pub work_item_private: u64,
    /// Private memory that the machine needs; the other fields are the host's layout.
    pub private: PrivateMemoryUse,
    /// Whether the loops over the work-items are innermost, with enough iterations for vectors.
    pub innermost: bool,
    /// The dimension along which neighbouring groups should follow each other.
    pub group_dimension: usize,
}
