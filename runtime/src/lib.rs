//! OpenCL's objects: platform, devices, contexts, queues, events, buffers, images, samplers,
//! programs and kernels. The crate `icd` is the C API on top of it. `unsafe` is used only where
//! the host program's memory is copied and compiled kernels are executed.
//!
//! The modules depend on one another in this order only, each on earlier ones: `execution`,
//! `device`, `context`, `recording`, `memory`, `time`, `program`, `kernel`, `event`, `command`,
//! `queue`.

#![allow(
    clippy::module_inception,
    reason = "the folder of an OpenCL object holds a file of the same name"
)]

pub mod command;
pub mod context;
pub mod device;
mod dma_check;
pub mod error;
pub mod event;
mod execution;
mod fault;
pub mod handle_slot;
pub mod kernel;
pub mod memory;
pub mod program;
pub mod queue;
pub mod recording;
pub mod time;
