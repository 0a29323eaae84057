//! OpenCL's objects and what they do: platform, devices, contexts, queues, events,
//! buffers, images, samplers, programs, kernels. `icd` puts the C interface over it;
//! `unsafe` is only where the host program's memory is copied and compiled kernels are
//! run.

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
mod time;
