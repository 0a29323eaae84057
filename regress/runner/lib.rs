//! Regression cases: one file for each bug that was fixed. README.md describes the format.

pub mod case;
mod header;
mod kernel;
pub mod platform;
mod program;
mod values;
