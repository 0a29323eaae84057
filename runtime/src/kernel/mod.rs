//! Kernels, their arguments and their launches.

mod kernel;
pub(crate) mod launch;
mod precompile;
mod work_group_size;

pub use kernel::{
    AccessQualifier, AddressQualifier, ArgumentKind, ArgumentValue, Kernel, KernelArgument,
    TypeQualifiers,
};
