//! Has no code: enables the same features of other crates in every package that depends on it.
//!
//! Cargo enables in a build what its packages need, and builds a crate once more for other features.
//! Thus `--package icd` and `--workspace` would build all of the platform twice.
