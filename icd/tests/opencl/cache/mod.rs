//! The compile cache and program binaries, between processes.

mod binaries;
mod folder;
mod headers;
mod process;
mod programs;
