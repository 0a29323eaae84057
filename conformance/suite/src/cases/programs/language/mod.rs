//! Features of OpenCL that the other programs do not use.

pub mod printf;
pub mod separate_compilation;
