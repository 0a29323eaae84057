//! The library's environment: variables, and the files and folders that they name.
//!
//! A program that runs with more rights than the user who started it (set-user-ID,
//! set-group-ID, file capabilities) reads no variable: each is as if it were not set.

pub mod files;
pub mod ranks;
mod variable;

pub use variable::*;
