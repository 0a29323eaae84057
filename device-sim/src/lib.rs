//! The simulated machine: its description (`machine`), its clusters with their memory and arrays,
//! where a program's code, stack and local memory lie, the map of work-groups onto the arrays of a
//! launch, how long everything takes (`timing`), and the units of time (`units`).
//!
//! Computes only: executes nothing on the host (`host-exec` does), and knows nothing of OpenCL
//! objects.

pub mod array_range;
pub mod cluster;
pub mod dma;

pub mod machine;
pub mod memory;
pub mod timing;
pub mod units;
pub mod work_group_map;
