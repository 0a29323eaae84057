//! How calls fail. CBLAS has no error codes: each failure ends the program, with a line on standard error.

use crate::xerbla::{self, WrongArgument};
use cl_sys::cl_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a call has no result.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// An argument is wrong: the program's error.
    Argument(WrongArgument),
    /// The device cannot be used, or failed.
    Device(DeviceError),
}

/// A failure of OpenCL.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no loader.
    #[error(
        "cannot load libOpenCL.so.1 ({0}); install an OpenCL loader (Debian: ocl-icd-libopencl1), or add its \
         folder to LD_LIBRARY_PATH"
    )]
    NoLoader(String),
    /// No device has the kernels.
    #[error(
        "clGetDeviceIDs has no device with the built-in kernel dgemm on {platforms} platforms; set \
         OCL_ICD_VENDORS to the vendors folder of MOCL3 and LD_LIBRARY_PATH to that of libmocl3.so (in its \
         sources: eval \"$(cargo xtask env)\")"
    )]
    NoDevice {
        /// Platforms that the loader found.
        platforms: usize,
    },
    /// A call failed.
    #[error("{function} failed with {} ({code}); MOCL3_LOG=debug shows the reason", code_name(*.code))]
    Call {
        /// OpenCL's function.
        function: &'static str,
        /// What it returned.
        code: cl_int,
    },
    /// Overlapping arrays cannot be copied.
    #[error(
        "no memory for a copy of {bytes} bytes of an array that overlaps another one; use smaller arrays"
    )]
    NoMemory {
        /// The size of the copy.
        bytes: usize,
    },
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

/// The name of an error code.
fn code_name(code: cl_int) -> &'static str {
    match code {
        cl_sys::CL_DEVICE_NOT_AVAILABLE => "CL_DEVICE_NOT_AVAILABLE",
        cl_sys::CL_MEM_OBJECT_ALLOCATION_FAILURE => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        cl_sys::CL_OUT_OF_RESOURCES => "CL_OUT_OF_RESOURCES",
        cl_sys::CL_OUT_OF_HOST_MEMORY => "CL_OUT_OF_HOST_MEMORY",
        cl_sys::CL_MAP_FAILURE => "CL_MAP_FAILURE",
        cl_sys::CL_INVALID_VALUE => "CL_INVALID_VALUE",
        cl_sys::CL_INVALID_HOST_PTR => "CL_INVALID_HOST_PTR",
        cl_sys::CL_INVALID_KERNEL_NAME => "CL_INVALID_KERNEL_NAME",
        cl_sys::CL_INVALID_ARG_VALUE => "CL_INVALID_ARG_VALUE",
        cl_sys::CL_INVALID_ARG_SIZE => "CL_INVALID_ARG_SIZE",
        cl_sys::CL_INVALID_KERNEL_ARGS => "CL_INVALID_KERNEL_ARGS",
        cl_sys::CL_INVALID_OPERATION => "CL_INVALID_OPERATION",
        cl_sys::CL_INVALID_BUFFER_SIZE => "CL_INVALID_BUFFER_SIZE",
        _ => "an error code of OpenCL",
    }
}

/// The result of a call. A failure ends the program, as does a panic; after a wrong argument only if
/// `cblas_xerbla` does.
pub fn guarded<R: Default>(routine: &str, call: impl FnOnce() -> Result<R, Failure>) -> R {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(result)) => result,
        Ok(Err(Failure::Argument(wrong))) => {
            xerbla::report(routine, wrong);
            R::default()
        }
        Ok(Err(Failure::Device(error))) => end(routine, &error.to_string()),
        Err(_) => end(
            routine,
            "an internal error, which the message above describes; please report it",
        ),
    }
}

/// Ends the program.
fn end(routine: &str, reason: &str) -> ! {
    eprintln!("{routine}: {reason}");
    std::process::exit(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_call_and_the_code() {
        let error = DeviceError::Call {
            function: "clCreateBuffer",
            code: cl_sys::CL_INVALID_BUFFER_SIZE,
        };
        let text = error.to_string();
        assert!(
            text.starts_with("clCreateBuffer failed with CL_INVALID_BUFFER_SIZE (-61);"),
            "{text}"
        );
    }
}
