//! OpenCL's objects: platform, devices, contexts, queues, events, buffers, images, samplers,
//! programs and kernels. The crate `icd` is the C API on top of it. `unsafe` is used only where
//! the host program's memory is copied and compiled kernels are executed.
//!
//! A program of the host, without the C API:
//!
//! ```
//! use runtime::command::Command;
//! use runtime::context::Context;
//! use runtime::device::platform::Platform;
//! use runtime::event::ExecutionStatus;
//! use runtime::kernel::{ArgumentValue, Kernel};
//! use runtime::memory::buffer::Buffer;
//! use runtime::memory::flags::MemFlags;
//! use runtime::memory::host_pointer::HostPointer;
//! use runtime::program::Program;
//! use runtime::queue::{CommandQueue, QueueProperties};
//! use std::sync::Arc;
//!
//! let device = &Platform::get().devices()[0];
//! let context = Context::new(vec![Arc::clone(device)], None)?;
//! let queue = CommandQueue::new(&context, device, QueueProperties::empty());
//! let source = "kernel void ids(global int *x) { x[get_global_id(0)] = get_global_id(0); }";
//! let program = Program::from_source(&context, source.into());
//! program.build(&[], "", None)?;
//! let kernel = Kernel::new(&program, "ids")?;
//! let buffer = Buffer::new(&context, MemFlags::READ_WRITE, 32, None)?;
//! kernel.set_argument(0, ArgumentValue::Buffer(Some(Arc::clone(&buffer))))?;
//! let launch = Command::nd_range(&kernel, queue.launch_target(), None, &[8], None, false)?;
//! queue.enqueue(launch, &[])?;
//! let mut ids = [0; 8];
//! let destination = HostPointer(ids.as_mut_ptr().cast());
//! let read = queue.enqueue(Command::read_buffer(&buffer, 0, 32, destination)?, &[])?;
//! assert_eq!(read.wait(), ExecutionStatus::Complete);
//! assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
//! # Ok::<(), runtime::error::Error>(())
//! ```
//!
//! The modules depend on one another in this order only, each on earlier ones: `execution`,
//! `device`, `context`, `recording`, `check`, `memory`, `time`, `program`, `kernel`, `event`,
//! `command`, `queue`.

#![allow(
    clippy::module_inception,
    reason = "the folder of an OpenCL object holds a file of the same name"
)]

pub mod check;
pub mod command;
pub mod context;
pub mod device;
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
