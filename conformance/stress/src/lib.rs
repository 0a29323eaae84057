//! Stress test of the host API through the loader: many threads that create, share and release
//! objects of all kinds and compare results (`activities`), and named scenarios that may deadlock
//! (`scenarios`). A watchdog ends a process that hangs and reports the calls that did not return.

mod activities;
pub(crate) mod command;
pub mod command_line;
mod kernels;
mod memory;
mod runner;
pub mod scenarios;
mod world;
