//! Puts any OpenCL platform through programs whose results are known beforehand.

pub mod accuracy;
pub mod api_fuzz;
pub mod case;
pub mod child;
pub mod command_line;
pub mod compare;
pub mod crash_fuzz;
pub mod csmith;
pub mod image;
pub mod interrupt;
mod jobs;
pub mod known_failures;
pub mod platform;
pub mod process;
pub mod programs;
pub mod progress;
pub mod random;
pub mod random_kernels;
pub mod report;
pub mod runner;
pub mod sanitized;
pub mod self_check;
pub mod session;
pub mod stress;
pub mod suite;
