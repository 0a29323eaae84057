//! Commands: the operations that a queue accepts, checked when a command is created.

mod buffer_commands;
mod command;
mod image_commands;
mod kernel_commands;
mod map_commands;
mod queue_commands;

pub use crate::memory::rectangle::{Placement, Rectangle};
pub use buffer_commands::check_pattern_size;
pub use command::Command;
pub(crate) use command::{AccessedRegion, Body, Order};
pub use image_commands::{HostRegion, MappedImage, Origin, Region};
pub use kernel_commands::NativeKernel;
