//! Regression cases: one file for each bug that was fixed. README.md describes the format.

pub mod case;
pub mod kernel;
pub mod program;
mod values;
