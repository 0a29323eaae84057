//! The table of error cases: functions, what is wrong with a call, and the code that OpenCL 1.2
//! names for it.
//!
//! The conformance suite runs the [`portable`] ones on any platform. The tests of `icd` run all of
//! them and generate `docs/generated/error-codes.md` from them. A case that needs a property of
//! MOCL3's devices, or a build that is still running, is in `icd/tests/opencl/errors` instead.

#![allow(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "handles are opaque pointers: the platform under test checks them"
)]

mod buffer;
mod command_queue;
mod context;
mod device;
mod enqueue_buffer;
mod enqueue_image;
mod event;
mod execute;
mod image;
pub mod images;
mod kernel;
mod mem_object;
mod objects;
mod platform;
pub mod portable;
mod program;
pub mod programs;
mod sampler;
pub mod session;
pub mod specification;
pub mod stale;
pub mod sub_devices;
pub mod table;

use table::{ErrorCase, entries};

/// All cases.
pub fn all() -> Vec<ErrorCase> {
    [
        entries(platform::CASES),
        entries(device::CASES),
        entries(context::CASES),
        entries(command_queue::CASES),
        entries(buffer::CASES),
        image::cases(),
        entries(mem_object::CASES),
        entries(sampler::CASES),
        program::cases(),
        entries(kernel::CASES),
        entries(execute::CASES),
        entries(event::CASES),
        enqueue_buffer::cases(),
        enqueue_image::cases(),
    ]
    .concat()
}
