//! Errors that programs cause to learn what the platform has. These are no findings.

use runtime::error::{Code, Error};

/// Functions and the errors by which they answer a question.
const PROBES: &[(&str, Code)] = &[
    ("clGetDeviceIDs", Code::DeviceNotFound),
    ("clCreateContextFromType", Code::DeviceNotFound),
    ("clCreateSubDevices", Code::DevicePartitionFailed),
    ("clGetKernelArgInfo", Code::KernelArgInfoNotAvailable),
    ("clGetEventProfilingInfo", Code::ProfilingInfoNotAvailable),
];

/// Whether the error of a call of `function` is an answer. Queries for values that the platform does
/// not have are, whatever the function.
pub fn is_probe(function: &str, error: &Error) -> bool {
    error.is_unknown_query || PROBES.contains(&(function, error.code))
}
