//! Kernels and their arguments.

use crate::buffer::Buffer;
use crate::client::ClientSlot;
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use crate::program::Program;
use kernel_compiler::executable::{KernelArgument, KernelInterface};
use std::sync::Arc;

/// A value for `clSetKernelArg`, as the argument's kind demands it.
pub enum ArgumentValue<'a> {
    /// Bytes of a by-value argument.
    Bytes(&'a [u8]),
    /// A buffer, or none (a null pointer in the kernel).
    Buffer(Option<Arc<Buffer>>),
    /// `__local` memory of this many bytes.
    Local(usize),
}

/// A kernel object.
pub struct Kernel {
    client: ClientSlot,
}

impl Kernel {
    /// `clCreateKernel`.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`, `InvalidKernelName`.
    pub fn new(program: &Arc<Program>, name: &str) -> Result<Arc<Self>> {
        let _ = (program, name);
        todo!()
    }
    /// Its program.
    pub fn program(&self) -> &Arc<Program> {
        todo!()
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        self.program().context()
    }
    /// Name, arguments, attributes.
    pub fn interface(&self) -> &KernelInterface {
        todo!()
    }
    /// Argument `index`.
    ///
    /// # Errors
    /// `InvalidArgIndex`.
    pub fn argument(&self, index: usize) -> Result<&KernelArgument> {
        let _ = index;
        todo!()
    }
    /// `clSetKernelArg`. The value's kind must be the argument's.
    ///
    /// # Errors
    /// `InvalidArgIndex`, `InvalidArgSize`, `InvalidArgValue`.
    pub fn set_argument(&self, index: usize, value: ArgumentValue<'_>) -> Result<()> {
        let _ = (index, value);
        todo!()
    }
    /// `CL_KERNEL_LOCAL_MEM_SIZE`: the kernel's own variables and its arguments as set now, bytes.
    pub fn local_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        let _ = device;
        todo!()
    }
    /// `CL_KERNEL_PRIVATE_MEM_SIZE`, bytes per work-item.
    pub fn private_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        let _ = device;
        todo!()
    }
    /// `CL_KERNEL_WORK_GROUP_SIZE`.
    pub fn max_work_group_size(&self, device: &Arc<Device>) -> Result<u64> {
        let _ = device;
        todo!()
    }
    /// Devices it can run on.
    pub fn devices(&self) -> Vec<Arc<Device>> {
        todo!()
    }
}

impl crate::client::ClientObject for Kernel {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
