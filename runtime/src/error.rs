//! The error type: an OpenCL code and a sentence for the log.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

macro_rules! codes {
    ($($name:ident = $value:literal,)*) => {
        /// Error codes of OpenCL 1.2 and of extensions (CL/cl.h, CL/cl_ext.h) with their values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[allow(missing_docs, reason = "named as in the specification")]
        pub enum Code {
            $($name = $value,)*
        }

        impl Code {
            /// The code with that value.
            pub fn from_value(value: i32) -> Option<Self> {
                match value {
                    $($value => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

/// The name that CL/cl.h has for it.
impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CL")?;
        for character in format!("{self:?}").chars() {
            if character.is_ascii_uppercase() {
                formatter.write_char('_')?;
            }
            formatter.write_char(character.to_ascii_uppercase())?;
        }
        Ok(())
    }
}

codes! {
    DeviceNotFound = -1,
    DeviceNotAvailable = -2,
    CompilerNotAvailable = -3,
    MemObjectAllocationFailure = -4,
    OutOfResources = -5,
    OutOfHostMemory = -6,
    ProfilingInfoNotAvailable = -7,
    MemCopyOverlap = -8,
    ImageFormatMismatch = -9,
    ImageFormatNotSupported = -10,
    BuildProgramFailure = -11,
    MapFailure = -12,
    MisalignedSubBufferOffset = -13,
    ExecStatusErrorForEventsInWaitList = -14,
    CompileProgramFailure = -15,
    LinkerNotAvailable = -16,
    LinkProgramFailure = -17,
    DevicePartitionFailed = -18,
    KernelArgInfoNotAvailable = -19,
    InvalidValue = -30,
    InvalidDeviceType = -31,
    InvalidPlatform = -32,
    InvalidDevice = -33,
    InvalidContext = -34,
    InvalidQueueProperties = -35,
    InvalidCommandQueue = -36,
    InvalidHostPtr = -37,
    InvalidMemObject = -38,
    InvalidImageFormatDescriptor = -39,
    InvalidImageSize = -40,
    InvalidSampler = -41,
    InvalidBinary = -42,
    InvalidBuildOptions = -43,
    InvalidProgram = -44,
    InvalidProgramExecutable = -45,
    InvalidKernelName = -46,
    InvalidKernelDefinition = -47,
    InvalidKernel = -48,
    InvalidArgIndex = -49,
    InvalidArgValue = -50,
    InvalidArgSize = -51,
    InvalidKernelArgs = -52,
    InvalidWorkDimension = -53,
    InvalidWorkGroupSize = -54,
    InvalidWorkItemSize = -55,
    InvalidGlobalOffset = -56,
    InvalidEventWaitList = -57,
    InvalidEvent = -58,
    InvalidOperation = -59,
    InvalidGlObject = -60,
    InvalidBufferSize = -61,
    InvalidMipLevel = -62,
    InvalidGlobalWorkSize = -63,
    InvalidProperty = -64,
    InvalidImageDescriptor = -65,
    InvalidCompilerOptions = -66,
    InvalidLinkerOptions = -67,
    InvalidDevicePartitionCount = -68,
    PlatformNotFoundKhr = -1001,
    ContextTerminatedKhr = -1121,
}

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{code}: {sentence}")]
pub struct Error {
    /// The code that the call returns.
    pub code: Code,
    /// The reason, for the log and the context's error callback.
    pub sentence: Cow<'static, str>,
    /// Whether it answers a query for a value that the platform does not have: programs make such
    /// calls to find out.
    pub is_unknown_query: bool,
}

impl Error {
    /// An error with a sentence that says what was wrong and with what.
    pub fn new(code: Code, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            sentence: sentence.into(),
            is_unknown_query: false,
        }
    }
}

/// Result of anything that can fail with an OpenCL code.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_headers() {
        assert_eq!(Code::InvalidGlObject.to_string(), "CL_INVALID_GL_OBJECT");
        assert_eq!(
            Code::ExecStatusErrorForEventsInWaitList.to_string(),
            "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"
        );
    }
}
