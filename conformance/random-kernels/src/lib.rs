//! Random testing of OpenCL C compilers. Kernels are generated from a seed, run on a platform, and
//! compared with an interpreter that shares no code with any compiler.

pub mod ast;
pub mod command_line;
pub mod defects;
pub mod generator;
pub mod interpreter;
mod minimise;
pub mod runner;
pub mod source;
mod threads;
pub mod types;
mod walk;
