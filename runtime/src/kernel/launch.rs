//! A launch of a kernel, complete with arguments and memories.

use crate::context::Context;
use crate::device::Device;
use crate::dma_check;
use crate::error::{Code, Error, Result};
use crate::memory::residency::{self, MemoryAccesses, MemoryLocation};
use crate::recording::recorder;
use crate::time::command_work::CommandWork;
use device_sim::timing::launch_report::{LaunchReport, Totals};
use device_sim::units::Bytes;
use host_exec::execute::{self, GroupTimeEstimate};
use host_exec::work_group::NdRange;
use kernel_compiler::executable::WorkGroupCode;
use smallvec::SmallVec;
use std::sync::Arc;

/// Compiled code expects the argument block aligned to a vector register.
#[repr(align(128))]
#[derive(Clone)]
struct AlignedLine([u8; 128]);

/// Argument blocks up to this many lines are aligned on the stack.
const FEW_LINES: usize = 2;

/// A kernel's argument block, before it is aligned.
pub(crate) struct ArgumentBlock(SmallVec<[u8; 128]>);

impl ArgumentBlock {
    /// `bytes` zeros.
    pub fn new(bytes: usize) -> Self {
        Self(SmallVec::from_elem(0, bytes))
    }

    /// Puts an argument into its place.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.0[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// Calls `body` with the block, aligned, and zeros up to the end of its last line.
    fn aligned<R>(&self, body: impl FnOnce(&[u8]) -> R) -> R {
        let count = self.0.len().div_ceil(size_of::<AlignedLine>());
        let mut few = [const { AlignedLine([0; 128]) }; FEW_LINES];
        let mut many = Vec::new();
        let lines = if count <= FEW_LINES {
            &mut few[..]
        } else {
            many.resize(count, AlignedLine([0; 128]));
            &mut many[..]
        };
        for (line, bytes) in lines
            .iter_mut()
            .zip(self.0.chunks(size_of::<AlignedLine>()))
        {
            line.0[..bytes.len()].copy_from_slice(bytes);
        }
        // SAFETY: the lines lie end to end and are initialised.
        body(unsafe {
            std::slice::from_raw_parts(lines.as_ptr().cast::<u8>(), size_of_val(&*lines))
        })
    }
}

/// Everything a launch needs.
pub(crate) struct Launch {
    pub context: Arc<Context>,
    pub device: Arc<Device>,
    pub code: Arc<WorkGroupCode>,
    /// Of launches with this code.
    pub group_time: Arc<GroupTimeEstimate>,
    pub block: ArgumentBlock,
    pub nd_range: NdRange,
    /// Bytes of a group.
    pub local_memory: u64,
    /// Local memory holds zeros when a group begins.
    pub zeroed: bool,
    /// Bytes of a group.
    pub private_memory: u64,
    /// MemoryLocation objects among the arguments. Alive until the launch has ended: their bytes,
    /// and the descriptors of images.
    pub uses: MemoryAccesses,
}

impl Launch {
    /// Brings its memory objects to the device and runs it there. What that takes on the machine.
    ///
    /// # Errors
    /// As `run`.
    pub fn run_with_memory(&self) -> Result<CommandWork> {
        let moved = residency::migrate_in(&self.uses, MemoryLocation::of(&self.device));
        Ok(CommandWork {
            moved,
            report: self.run()?.map(Arc::from),
            ..CommandWork::default()
        })
    }

    /// Runs it on the device; in part if the context is terminated meanwhile. What it was like
    /// on the machine, if its code is timed.
    ///
    /// # Errors
    /// `OutOfResources`: the host has no memory for local or private memory.
    fn run(&self) -> Result<Option<Box<LaunchReport>>> {
        self.block.aligned(|arguments| self.run_with(arguments))
    }

    fn run_with(&self, arguments: &[u8]) -> Result<Option<Box<LaunchReport>>> {
        let launch = execute::Launch {
            function: self.code.function,
            arguments,
            nd_range: self.nd_range,
            local_memory: self.local_memory,
            zeroed: self.zeroed,
            private_memory: self.private_memory,
            arrays: self.device.arrays(),
            stop: self.context.termination_flag(),
            group_time: &self.group_time,
            checker: None,
            recorder: None,
        };
        let cluster = self.device.cluster();
        // SAFETY: the block is laid out as the code's interface says; buffers and code
        // are kept alive by this value. What the kernel does with its pointers is the
        // program's affair, as on any device.
        let outcome = unsafe {
            match &self.code.timed {
                _ if self.code.sites.is_some() => dma_check::run(self, &launch).map(|()| None),
                Some(kernel) => cluster
                    .run_timed(&launch, kernel, recorder::wants_timeline())
                    .map(Some),
                None => cluster.run(&launch).map(|()| None),
            }
        };
        let report =
            outcome.map_err(|error| Error::new(Code::OutOfResources, error.to_string()))?;
        Ok(report.map(|report| Box::new(self.complete(report))))
    }

    /// With what the launch itself knows.
    fn complete(&self, report: LaunchReport) -> LaunchReport {
        let totals = Totals {
            work_items: self.nd_range.global_size.iter().product(),
            ..report.totals
        };
        LaunchReport {
            totals,
            local_memory: Bytes(self.local_memory),
            private_memory: Bytes(self.private_memory),
            ..report
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_whole() {
        for bytes in [0, 1, 24, 127, 128, 129, 256, 257, 1000, 1024] {
            let mut block = ArgumentBlock::new(bytes);
            let contents: Vec<u8> = (0..bytes).map(|place| place as u8 | 1).collect();
            for (offset, argument) in (0..).step_by(7).zip(contents.chunks(7)) {
                block.write(offset, argument);
            }
            block.aligned(|aligned| {
                assert!(aligned.as_ptr().cast::<AlignedLine>().is_aligned());
                assert_eq!(aligned[..bytes], contents);
                assert!(aligned.len() >= 128 && aligned[bytes..].iter().all(|byte| *byte == 0));
            });
        }
    }
}
