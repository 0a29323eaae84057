//! Puts any OpenCL platform through programs whose results are known beforehand.

pub mod platform;
