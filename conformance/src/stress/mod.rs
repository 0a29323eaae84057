//! Stress of the host API through the loader: many threads that make, share and release
//! objects of all kinds and compare what they compute (`activities`), and named ways into
//! dead-locks (`scenarios`). A watchdog ends what hangs and says where.

mod activities;
pub mod arguments;
pub(crate) mod call;
pub(crate) mod callback;
pub(crate) mod command;
pub(crate) mod failure;
mod kernels;
mod memory;
pub(crate) mod object;
mod runner;
pub mod scenarios;
pub(crate) mod watchdog;
mod world;
