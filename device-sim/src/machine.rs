//! The machine description.

/// A machine, read from TOML.
pub struct Machine {}
