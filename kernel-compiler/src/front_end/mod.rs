//! OpenCL C to LLVM IR.

pub mod clang;
pub mod extension;
mod includes;
pub mod options;
pub mod unit_cache;
