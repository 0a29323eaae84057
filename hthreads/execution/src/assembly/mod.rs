//! Functions in assembly: a thread executes their packets (package `device-assembly`), whose accesses, calls and
//! cycles are its own.

mod activation;
mod calls;
mod convention;
mod data_cache;
mod environment;
mod exceptions;
mod operand_area;

pub use activation::Activation;
pub use calls::{call, statement};
pub use data_cache::DataCache;
