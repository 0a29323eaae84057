//! OpenCL's host side, for programs that measure: the harness of this crate, and the figures of
//! `paper`.

pub mod built_library;
pub mod opencl;
