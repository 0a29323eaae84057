//! What a device holds of a program.

use crate::error::{Code, Error, Result};
use crate::program::built_in::{BuiltInKernels, KernelCode};
use kernel_compiler::executable::Executable;
use kernel_compiler::{BuildInput, Cause, Unit, program_binary};
use std::sync::Arc;

/// `CL_PROGRAM_BINARY_TYPE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum BinaryType {
    /// Nothing built.
    None = 0,
    /// Output of `clCompileProgram`.
    CompiledObject = 1,
    /// Output of `clLinkProgram` with `-create-library`.
    Library = 2,
    /// Output of `clBuildProgram` or `clLinkProgram`.
    Executable = 4,
}

/// The product of a program's build for a device.
#[derive(Clone, Default)]
pub(super) enum Product {
    #[default]
    None,
    CompiledObject(Unit),
    Library(Unit),
    Executable(Arc<Executable>),
    /// Built-in kernels, which are never built.
    BuiltIn(Arc<BuiltInKernels>),
}

impl Product {
    /// The product of a binary, and what it was built of.
    pub fn from_binary(bytes: &[u8]) -> Result<(Self, Option<Arc<BuildInput>>)> {
        let (program, input) = program_binary::read(bytes).map_err(|failure| {
            let code = match failure.cause {
                Cause::Program => Code::InvalidBinary,
                Cause::HostMemory => Code::OutOfHostMemory,
                Cause::HostThreads => Code::OutOfResources,
            };
            Error::new(code, failure.log)
        })?;
        let product = match program {
            program_binary::Program::Library(unit) => Self::Library(unit),
            program_binary::Program::CompiledObject(unit) => Self::CompiledObject(unit),
            program_binary::Program::Executable(executable) => Self::Executable(executable),
        };
        Ok((product, input.map(Arc::new)))
    }

    pub fn binary_type(&self) -> BinaryType {
        match self {
            Self::None | Self::BuiltIn(_) => BinaryType::None,
            Self::CompiledObject(_) => BinaryType::CompiledObject,
            Self::Library(_) => BinaryType::Library,
            Self::Executable(_) => BinaryType::Executable,
        }
    }

    /// The binary, with what it was built of.
    pub fn to_binary(&self, input: Option<&BuildInput>) -> Vec<u8> {
        match self {
            Self::None | Self::BuiltIn(_) => Vec::new(),
            Self::CompiledObject(unit) => unit.to_binary(false, input),
            Self::Library(unit) => unit.to_binary(true, input),
            Self::Executable(executable) => executable.to_binary(input),
        }
    }

    pub fn unit(&self) -> Option<&Unit> {
        match self {
            Self::CompiledObject(unit) | Self::Library(unit) => Some(unit),
            Self::None | Self::Executable(_) | Self::BuiltIn(_) => None,
        }
    }

    /// What kernels are made of, if it has any.
    pub fn code(&self) -> Option<KernelCode> {
        match self {
            Self::Executable(executable) => Some(KernelCode::Compiled(Arc::clone(executable))),
            Self::BuiltIn(kernels) => Some(KernelCode::BuiltIn(Arc::clone(kernels))),
            Self::None | Self::CompiledObject(_) | Self::Library(_) => None,
        }
    }

    /// Whether its private variables are initialised to zero (cl_khr_initialize_memory).
    pub fn initialises_private_memory(&self) -> bool {
        match self {
            Self::None | Self::BuiltIn(_) => true,
            Self::CompiledObject(unit) | Self::Library(unit) => unit.initialises_private_memory,
            Self::Executable(executable) => executable.initialises_private_memory(),
        }
    }
}
