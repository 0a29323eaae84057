//! OpenCL's host side for programs that measure: this crate's harness and `tools/validation`.

pub mod built_library;
pub mod opencl;
