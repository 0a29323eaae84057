//! The simulated machine: what it is made of (`machine`), its memories, arrays,
//! DMA engines and hardware locks, the static map of work-groups onto arrays, and
//! the execution of a work-group function for every group of an NDRange.
//!
//! Knows nothing of OpenCL objects.

pub mod work_group;
pub mod machine;
