//! The table of error cases: functions, what is wrong with a call, and the code that OpenCL 1.2
//! names for it.
//!
//! The conformance suite runs the [`portable`] ones on any platform. The tests of `icd` run all of
//! them, and generate `docs/generated/error-codes.md` from them and from their own.

#![allow(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "handles are opaque pointers: the platform under test checks them"
)]

mod buffer;
mod command_queue;
mod enqueue_buffer;
mod enqueue_image;
mod event;
mod execute;
mod image;
pub mod images;
mod kernel;
mod mem_object;
mod objects;
pub mod portable;
mod sampler;
pub mod session;
pub mod stale;
pub mod table;

use table::{ErrorCase, entries};

/// All cases.
pub fn all() -> Vec<ErrorCase> {
    [
        entries(command_queue::CASES),
        entries(buffer::CASES),
        image::cases(),
        entries(mem_object::CASES),
        entries(sampler::CASES),
        entries(kernel::CASES),
        entries(execute::CASES),
        entries(event::CASES),
        enqueue_buffer::cases(),
        enqueue_image::cases(),
    ]
    .concat()
}
