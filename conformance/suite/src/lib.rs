//! The conformance suite: cases with known results for any OpenCL platform.

pub mod accuracy;
pub mod case;
pub mod case_report;
pub mod cases;
pub mod command_line;
mod compare;
mod fixed_bugs;
mod interrupt;
pub mod known_failures;
pub mod process;
mod progress;
pub mod report;
pub mod runner;
pub mod self_check;
