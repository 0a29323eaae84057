//! Contexts and their termination.

mod context;
mod termination;

pub use context::{Context, ContextNotify, ContextSettings, MemoryInitialisation};
pub(crate) use termination::Terminable;
