//! The part of OpenCL's host side that the cases need. Errors end the measurement.

mod argument;
mod objects;
mod owned;
mod session;

pub use argument::{Argument, Local};
pub use objects::{Buffer, Event, Image, Kernel, Program, Sampler, Times};
pub use session::Session;
