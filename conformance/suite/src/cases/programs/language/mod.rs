//! Parts of OpenCL for which the other programs have no use.

pub mod printf;
pub mod separate_compilation;
