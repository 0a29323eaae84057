//! Runs compiled work-group functions on the host, in place of the machine that `device-sim`
//! models: the pool of host threads and how work-groups are divided among them, storage for
//! buffers and scratchpads, copies, the text that kernels print, and the functions that kernels
//! call. It also keeps the host's process and threads as kernels need them: signals, stacks,
//! floating-point environment, `fork` and `exit`.
//!
//! Knows nothing of OpenCL objects.

pub mod abi;
pub mod address_check;
pub mod barrier;
pub mod cluster_executor;
pub mod debug_text;
pub mod definedness;
pub mod device_memory;
pub mod dma;
pub mod dma_checker;
pub mod error;
pub mod execute;
mod fault;
pub mod first_findings;
pub mod floating_point;
pub mod footprints;
pub mod group_order;
pub mod host_caches;
pub mod host_threads;
pub mod launch;

mod guard_pages;
mod mapping;
pub mod memory_checker;
pub mod parallel_copy;
pub mod printf_buffer;
pub mod process_lifecycle;
pub mod races;
pub mod red_zones;
pub mod scratchpad;
pub mod signals;
mod small_blocks;
pub mod stack;
pub mod storage;
pub mod store_trial;
pub mod threads;
pub mod time_limit;
pub mod work_group;
mod work_partition;
