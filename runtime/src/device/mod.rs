//! The platforms, their devices, and how these are identified and divided.

mod accelerators;
mod built_in_kernel;
mod device;
pub mod extension;
pub mod nodes;
pub mod partition;
pub mod platform;
mod task_cycles;
pub mod unique_identifier;

pub(crate) use accelerators::AcceleratorKernel;
pub use accelerators::Accelerators;
pub(crate) use built_in_kernel::BuiltInKernel;
pub use device::{Device, DeviceType, MAKER, PRINTF_BUFFER_SIZE};
pub(crate) use task_cycles::{TaskCycles, TaskError};
