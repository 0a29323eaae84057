//! A launch of a kernel, complete with arguments and memories.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::residency::{self, Memory, Use};
use device_sim::execute::{self, Pace};
use device_sim::work_group::NdRange;
use kernel_compiler::executable::WorkGroupCode;
use std::sync::Arc;

/// Compiled code expects the argument block aligned to a vector register.
#[repr(align(128))]
#[derive(Clone)]
pub(crate) struct Line([u8; 128]);

/// Everything a launch needs.
pub(crate) struct Launch {
    pub context: Arc<Context>,
    pub device: Arc<Device>,
    pub code: Arc<WorkGroupCode>,
    /// Of launches with this code.
    pub pace: Arc<Pace>,
    pub block: Vec<Line>,
    pub nd_range: NdRange,
    /// Bytes of a group.
    pub local_memory: u64,
    /// Local memory holds zeros when a group begins.
    pub zeroed: bool,
    /// Bytes of a group.
    pub private_memory: u64,
    /// Memory objects among the arguments. Alive until the launch has ended: their bytes,
    /// and the descriptors of images.
    pub uses: Vec<Use>,
}

impl Launch {
    /// An argument block of at least `bytes`, zeroed.
    pub fn block(bytes: usize) -> Vec<Line> {
        vec![Line([0; 128]); bytes.div_ceil(size_of::<Line>()).max(1)]
    }

    /// Puts an argument into its place in the block.
    pub fn write(block: &mut [Line], offset: usize, bytes: &[u8]) {
        for (place, byte) in (offset..).zip(bytes) {
            let line = &mut block[place / size_of::<Line>()];
            line.0[place % size_of::<Line>()] = *byte;
        }
    }

    /// Runs it on the device; in part if the context is terminated meanwhile.
    ///
    /// # Errors
    /// `OutOfResources`: the host has no memory for local or private memory.
    pub fn run(&self) -> Result<()> {
        residency::bring(&self.uses, Memory::of(&self.device));
        let bytes = self.block.as_ptr().cast::<u8>();
        // SAFETY: the lines lie end to end and are initialised.
        let arguments = unsafe { std::slice::from_raw_parts(bytes, size_of_val(&self.block[..])) };
        let launch = execute::Launch {
            function: self.code.function,
            arguments,
            nd_range: self.nd_range,
            local_memory: self.local_memory,
            zeroed: self.zeroed,
            private_memory: self.private_memory,
            arrays: self.device.arrays(),
            stop: self.context.termination_flag(),
            pace: &self.pace,
        };
        // SAFETY: the block is laid out as the code's interface says; buffers and code
        // are kept alive by this value. What the kernel does with its pointers is the
        // program's affair, as on any device.
        unsafe { self.device.cluster().group_exec(&launch) }
            .map_err(|error| Error::new(Code::OutOfResources, error.to_string()))
    }
}
