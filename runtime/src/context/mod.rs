//! Contexts and their termination.

mod context;
pub(crate) mod termination;

pub use context::{Context, ContextNotify, ContextSettings, MemoryInitialisation};
