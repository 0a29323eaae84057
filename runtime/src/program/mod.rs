//! Programs and their builds.

pub(crate) mod argument_limits;
mod build_pool;
mod linking;
mod product;
mod program;
#[cfg(test)]
mod tests;

pub use linking::Linking;
pub use product::BinaryType;
pub(crate) use program::not_built;
pub use program::{BuildNotify, BuildStatus, Program};
