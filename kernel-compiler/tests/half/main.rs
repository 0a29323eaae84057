//! `cl_khr_fp16` (OpenCL 1.2 extensions, section 9.5): results against binary16 computed
//! here, for all halves where a function has one argument.

mod arithmetic;
mod binary16;
mod conversions;
mod functions;
mod memory;
#[path = "../running/mod.rs"]
mod running;

/// What every kernel begins with.
const ENABLE: &str = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
