//! Launches of built-in kernels: tasks of accelerators, or the vendor's library on clusters.

use crate::device::BuiltInKernel;
use crate::error::Result;
use crate::kernel::built_in_operands::Operands;
use crate::kernel::kernel::Kernel;
use crate::kernel::launch::LaunchTarget;
use crate::kernel::sharing::Sharing;
use crate::kernel::task::PreparedTask;
use crate::kernel::vendor_launch::PreparedVendorLaunch;
use crate::kernel::work_group_size::{self, LaunchSizes};
use crate::memory::memory_access::MemoryAccesses;
use crate::recording::command_record::RecordedLaunch;
use crate::recording::recorder;
use crate::time::command_work::CommandWork;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// A launch of a built-in kernel with everything that its execution needs.
pub(crate) enum BuiltInLaunch {
    Task(PreparedTask),
    Vendor(PreparedVendorLaunch),
}

impl Kernel {
    /// A launch of a built-in kernel with the arguments as they are set now; none of a compiled kernel.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` for kernel, arguments and sizes.
    pub(crate) fn built_in_launch(
        &self,
        target: LaunchTarget<'_>,
        sizes: LaunchSizes<'_>,
    ) -> Result<Option<BuiltInLaunch>> {
        let variant = self.variant_for(target)?;
        let Some(kernel) = variant.built_in() else {
            return Ok(None);
        };
        let captured = self.arguments.capture(variant.interface())?;
        work_group_size::check_task(target.device, sizes)?;
        let operands = Operands::new(kernel.declaration(), variant.interface(), &captured)?;
        let accelerators = target.device.accelerators();
        Ok(match (kernel, accelerators) {
            (BuiltInKernel::Accelerator(kernel), Some(accelerators)) => {
                let task = PreparedTask::new(kernel, operands, accelerators.scheduler())?;
                Some(BuiltInLaunch::Task(task))
            }
            // Programs have functions of accelerators for custom devices only.
            (BuiltInKernel::Accelerator(_), None) => None,
            (BuiltInKernel::Vendor(kernel), _) => {
                let mut launch = PreparedVendorLaunch {
                    kernel,
                    operands,
                    context: Arc::clone(target.context),
                    device: Arc::clone(target.device),
                    timed: target.timed,
                    sharing: None,
                };
                launch.sharing = Sharing::of(|| launch.key());
                Some(BuiltInLaunch::Vendor(launch))
            }
        })
    }

    /// The record of a launch of a built-in kernel; none if the process is not recorded.
    pub(crate) fn record_built_in(&self) -> Option<Box<RecordedLaunch>> {
        recorder::is_on().then(|| {
            Box::new(RecordedLaunch {
                kernel: self.interface().name.as_str().into(),
                program: self.program().recorded_number(&[]),
                global_size: [1].as_slice().into(),
                local_size: [1].as_slice().into(),
            })
        })
    }
}

impl BuiltInLaunch {
    /// Its accesses to buffers, with the bytes that it uses of each.
    pub fn accesses(&self) -> MemoryAccesses {
        match self {
            Self::Task(task) => task.accesses(),
            Self::Vendor(launch) => launch.accesses(),
        }
    }

    /// How it shares its time; none if it is executed in any case.
    pub fn sharing(&self) -> Option<&Arc<Sharing>> {
        match self {
            Self::Task(_) => None,
            Self::Vendor(launch) => launch.sharing.as_ref(),
        }
    }

    /// Computes the kernel.
    ///
    /// # Errors
    /// `OutOfResources`: the host program's memory of a buffer cannot be accessed, or a kernel of the library
    /// has no result.
    pub fn run(self) -> Result<CommandWork> {
        match self {
            Self::Task(task) => task.run(),
            Self::Vendor(launch) => launch.run(),
        }
    }
}

/// The kernel's name.
impl Display for BuiltInLaunch {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task(task) => task.fmt(formatter),
            Self::Vendor(launch) => launch.fmt(formatter),
        }
    }
}
