//! Commands: the work that a queue accepts, checked when a command is made.

mod command;
pub mod image_command;

pub(crate) use command::{Body, Order};
pub use command::{Command, NativeKernel, Placement, Rectangle, check_pattern_size};
