//! Stress of the host API through the loader: many threads that make, share and release
//! objects of all kinds and compare what they compute (`activities`), and named
//! scenarios that may deadlock (`scenarios`). A watchdog ends what hangs and says where.

mod activities;
pub(crate) mod command;
pub mod command_line;
mod kernels;
mod memory;
mod runner;
pub mod scenarios;
mod world;
