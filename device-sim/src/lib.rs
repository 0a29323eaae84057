//! The simulated machine: its description (`machine`), its memories, scratchpads,
//! DMA engines and hardware locks, what device code prints, the static map of
//! work-groups onto the arrays of a thread group, and the execution of a work-group
//! function for every group of an NDRange; the host's threads, and the floating-point
//! environment that they work in.
//!
//! Knows nothing of OpenCL objects.

pub mod arrays;
pub mod cluster;
pub mod dma;
pub mod dma_checker;
pub mod execute;
pub mod floating_point;
pub mod host_threads;
pub mod layout;
pub mod locks;
pub mod machine;
mod mapping;
pub mod memory;
pub mod output;
pub mod process;
pub mod scratchpad;
mod shares;
mod small_blocks;
pub mod stack;
pub mod static_map;
pub mod threads;
pub mod timing;
pub mod transfer;
pub mod work_group;
