//! Measures the accuracy of an OpenCL platform's builtins: runs them over many inputs, compares
//! the results with MPFR's, and the largest errors with the limits of section 7.4.

mod case;
mod conversions;
pub mod format;
pub mod function;
pub mod functions;
pub mod platform;
mod reference;
pub mod report;
pub mod samples;
pub mod sweep;
pub mod types;
