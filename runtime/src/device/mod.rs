//! The platforms, their devices, and how these are identified and divided.

mod accelerators;
mod device;
pub mod extension;
pub mod nodes;
pub mod partition;
pub mod platform;
mod task_cycles;
pub mod unique_identifier;

pub use accelerators::{Accelerators, BuiltInKernel};
pub use device::{Device, DeviceType, MAKER, PRINTF_BUFFER_SIZE};
pub(crate) use task_cycles::{TaskCycles, TaskError};
