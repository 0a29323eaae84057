//! Makes object files executable in this process.

pub mod loader;
pub mod runtime_symbols;
