//! Code that the products of `conformance/` share: the platform under test, OpenCL's objects and
//! calls, worker processes, and parts of the command line.

#![allow(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "handles are opaque pointers: the platform under test checks them"
)]

pub mod built;
pub mod call;
pub mod callback;
pub mod child;
pub mod command;
pub mod counter;
pub mod failure;
pub mod feature;
pub mod image;
pub mod jobs;
pub mod object;
pub mod platform;
pub mod random;
pub mod sanitized;
pub mod session;
pub mod watchdog;
pub mod worker;
pub mod worker_process;
