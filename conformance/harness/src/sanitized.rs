//! Whether a sanitizer watches this program, as `cargo xtask … --sanitizer` builds it.

/// It does.
pub const SANITIZED: bool = cfg!(sanitized);

/// How many times as long everything may take.
pub const PATIENCE: u32 = if SANITIZED { 5 } else { 1 };
