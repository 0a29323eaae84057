//! Kernels, their arguments and their launches.

mod argument_block;
mod arguments;
mod code_memory;
mod code_versions;
mod kernel;
mod launch;
mod local_size_override;
mod needed_checks;
mod precompile;
mod private_memory;
mod task;
mod variant;
mod work_group_size;

pub use arguments::ArgumentValue;
pub use kernel::Kernel;
pub use kernel_compiler::executable::{
    AccessQualifier, AddressQualifier, ArgumentKind, KernelArgument, TypeQualifiers,
};
pub use launch::LaunchTarget;
pub(crate) use launch::PreparedLaunch;
pub(crate) use task::PreparedTask;
pub(crate) use work_group_size::LaunchSizes;
