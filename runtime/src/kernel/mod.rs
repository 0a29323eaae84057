//! Kernels, their arguments and their launches.

mod argument_block;
mod arguments;
mod built_in_launch;
mod built_in_operands;
mod capture;
mod captured_launch;
mod code_memory;
mod code_versions;
mod kernel;
mod launch;
mod launch_key;
mod local_size_override;
mod needed_checks;
mod precompile;
mod private_memory;
mod sharing;
mod task;
mod variant;
mod vendor_launch;
mod work_group_size;

pub use arguments::ArgumentValue;
pub(crate) use built_in_launch::BuiltInLaunch;
pub use kernel::Kernel;
pub use kernel_compiler::executable::{
    AccessQualifier, AddressQualifier, ArgumentKind, KernelArgument, TypeQualifiers,
};
pub use launch::LaunchTarget;
pub(crate) use launch::PreparedLaunch;
pub(crate) use launch_key::LaunchKey;
pub(crate) use sharing::{SharedReport, Sharing};
pub(crate) use work_group_size::LaunchSizes;
