//! Programs and their builds.

pub(crate) mod argument_limits;
mod build;
mod build_pool;
mod build_state;
mod built_in;
mod built_in_program;
mod linking;
mod product;
mod program;
mod source_lines;
#[cfg(test)]
mod tests;

pub use build_state::BuildStatus;
pub(crate) use built_in::KernelCode;
pub use linking::Linking;
pub use product::BinaryType;
pub(crate) use program::not_built;
pub use program::{BuildNotify, Program};
