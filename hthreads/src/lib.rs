//! The machine's own programming interface, hthreads, over the simulated machine:
//! what the OpenCL runtime needs of it, under its names.

pub mod device;
pub mod error;
