//! Stress of the host API through the loader: many threads that make, share and release
//! objects of all kinds and compare what they compute (`activities`), and named ways into
//! dead-locks (`scenarios`). A watchdog ends what hangs and says where.

mod activities;
pub mod arguments;
mod call;
mod callback;
mod command;
mod failure;
mod kernels;
mod memory;
mod object;
mod runner;
pub mod scenarios;
mod watchdog;
mod world;
