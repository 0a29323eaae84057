//! Programs: source or binary, built per device.

use crate::client::ClientSlot;
use crate::context::Context;
use crate::device::Device;
use crate::error::Result;
use kernel_compiler::executable::KernelInterface;
use std::sync::Arc;

/// `CL_PROGRAM_BUILD_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum BuildStatus {
    /// 0
    Success = 0,
    /// -1
    None = -1,
    /// -2
    Error = -2,
    /// -3
    InProgress = -3,
}

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

/// Called when an asynchronous build has ended.
pub type BuildNotify = Box<dyn FnOnce() + Send>;

/// A program object.
pub struct Program {
    client: ClientSlot,
}

impl Program {
    /// From source text.
    pub fn from_source(context: &Arc<Context>, source: String) -> Arc<Self> {
        let _ = (context, source);
        todo!()
    }
    /// From binaries, one per device. Each device's status is in the second part.
    ///
    /// # Errors
    /// `InvalidBinary` if any is not ours; the statuses say which.
    #[allow(clippy::type_complexity, reason = "the call answers per device")]
    pub fn from_binaries(
        context: &Arc<Context>,
        binaries: &[(Arc<Device>, &[u8])],
    ) -> (Result<Arc<Self>>, Vec<Result<()>>) {
        let _ = (context, binaries);
        todo!()
    }
    /// `clBuildProgram` for `devices` (empty: all). With `notify` the build goes on
    /// in the background and failures show in status and log only.
    ///
    /// # Errors
    /// All that `clBuildProgram` lists but `InvalidProgram`.
    pub fn build(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        let _ = (devices, options, notify);
        todo!()
    }
    /// `clCompileProgram`.
    pub fn compile(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        headers: &[(String, Arc<Program>)],
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        let _ = (devices, options, headers, notify);
        todo!()
    }
    /// `clLinkProgram`: the new program, and how linking went.
    pub fn link(
        context: &Arc<Context>,
        devices: &[Arc<Device>],
        options: &str,
        programs: &[Arc<Program>],
        notify: Option<BuildNotify>,
    ) -> (Option<Arc<Self>>, Result<()>) {
        let _ = (context, devices, options, programs, notify);
        todo!()
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        todo!()
    }
    /// Devices it is associated with.
    pub fn devices(&self) -> &[Arc<Device>] {
        todo!()
    }
    /// Source text; empty if made from binaries.
    pub fn source(&self) -> &str {
        todo!()
    }
    /// Build status for a device.
    pub fn build_status(&self, device: &Arc<Device>) -> BuildStatus {
        let _ = device;
        todo!()
    }
    /// Options of the last build.
    pub fn build_options(&self, device: &Arc<Device>) -> String {
        let _ = device;
        todo!()
    }
    /// Log of the last build.
    pub fn build_log(&self, device: &Arc<Device>) -> String {
        let _ = device;
        todo!()
    }
    /// What the device holds.
    pub fn binary_type(&self, device: &Arc<Device>) -> BinaryType {
        let _ = device;
        todo!()
    }
    /// Binary for a device; empty if nothing is built.
    pub fn binary(&self, device: &Arc<Device>) -> Arc<[u8]> {
        let _ = device;
        todo!()
    }
    /// Kernels of the executable.
    ///
    /// # Errors
    /// `InvalidProgramExecutable` if no device has one.
    pub fn kernels(&self) -> Result<Vec<KernelInterface>> {
        todo!()
    }
}

impl crate::client::ClientObject for Program {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
