//! Whether this program is built with a sanitizer, by `cargo xtask … --sanitizer`.

/// Whether a sanitizer is active.
pub const SANITIZED: bool = cfg!(sanitized);

/// Factor of all time limits.
pub const PATIENCE: u32 = if SANITIZED { 5 } else { 1 };
