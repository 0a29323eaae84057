//! How accurate an OpenCL platform's builtins are: runs them over many inputs, compares
//! with MPFR, and holds the worst errors against the limits of section 7.4.

mod conversions;
mod format;
pub mod functions;
pub mod platform;
mod reference;
pub mod report;
pub mod samples;
pub mod sweep;
