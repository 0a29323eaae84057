//! Launches of kernels and native kernels (OpenCL 1.2, section 5.8).

use crate::command::Command;
use crate::error::Result;
use crate::event::CommandType;
use crate::fault;
use crate::kernel::{BuiltInLaunch, Kernel, LaunchSizes, LaunchTarget, PreparedLaunch};
use crate::memory::buffer::Buffer;
use crate::memory::host_pointer::HostPointer;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::residency::AccessKind;
use crate::time::command_work::CommandWork;
use kernel_compiler::debugger;
use std::ptr::null_mut;
use std::sync::Arc;

/// The function of a native kernel; it receives the addresses of its buffers. An error is that of
/// the command.
pub type NativeKernel = Box<dyn FnOnce(&[HostPointer]) -> Result<()> + Send>;

impl Command {
    /// `clEnqueueNDRangeKernel`, or `clEnqueueTask` if `task`. Captures the kernel's arguments as
    /// they are set now.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` for kernel and sizes.
    pub fn nd_range(
        kernel: &Arc<Kernel>,
        target: LaunchTarget<'_>,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
        local_size: Option<&[usize]>,
        task: bool,
    ) -> Result<Self> {
        let sizes = LaunchSizes {
            global_offset,
            global_size,
            local_size,
        };
        let command_type = if task {
            CommandType::Task
        } else {
            CommandType::NdRangeKernel
        };
        if let Some(launch) = kernel.built_in_launch(target, sizes)? {
            return Ok(Self::built_in(kernel, launch, command_type));
        }
        let launch = kernel.launch(target, sizes)?;
        let record = kernel.record(&launch);
        let is_short = launch.is_short();
        let sharing = launch.sharing.clone();
        let details = match debugger::is_on() {
            true => launch.to_string(),
            false => String::new(),
        };
        let body = fault::launch_body(kernel, launch, PreparedLaunch::run, Kernel::capture_again);
        let contexts = [Arc::clone(kernel.context())];
        let command = Self::with_body(command_type, contexts, body)
            .recorded_as(record)
            .sharing(sharing)
            .with_details(details);
        Ok(if is_short { command.short() } else { command })
    }
    /// A launch of a built-in kernel.
    fn built_in(kernel: &Arc<Kernel>, launch: BuiltInLaunch, command_type: CommandType) -> Self {
        let accesses = launch.accesses();
        let details = match debugger::is_on() {
            true => launch.to_string(),
            false => String::new(),
        };
        let contexts = [Arc::clone(kernel.context())];
        let sharing = launch.sharing().cloned();
        Self::new(command_type, contexts, move || launch.run())
            .sharing(sharing)
            .accessing(accesses)
            .recorded_as(kernel.record_built_in())
            .with_details(details)
    }
    /// `clEnqueueNativeKernel`: calls `body` on a host thread with the addresses of the buffers in
    /// their order, null for missing ones.
    pub fn native(buffers: Vec<Option<Arc<Buffer>>>, body: NativeKernel) -> Self {
        let given = || buffers.iter().flatten();
        let accesses: Vec<_> = given()
            .map(|buffer| {
                MemoryAccess::to_all(MemObject::Buffer(Arc::clone(buffer)), AccessKind::Update)
            })
            .collect();
        let contexts: Vec<_> = given().map(|buffer| Arc::clone(buffer.context())).collect();
        Self::new(CommandType::NativeKernel, contexts, move || {
            let addresses: Vec<_> = buffers
                .iter()
                .map(|buffer| match buffer {
                    Some(buffer) => buffer.start(),
                    None => HostPointer(null_mut()),
                })
                .collect();
            body(&addresses)?;
            buffers.iter().flatten().for_each(|b| b.mark_all_defined());
            Ok(CommandWork::default())
        })
        .accessing(accesses)
    }
}
