//! Kernel launches.

use super::Session;
use super::argument::Argument;
use anyhow::{Context as _, Result};
use opencl3::command_queue::CommandQueue;
use opencl3::event::Event;
use opencl3::kernel::Kernel;
use opencl3::types::cl_event;
use std::ptr::null;

impl Session {
    /// Enqueues a kernel. If `local` is empty, the platform chooses the local size.
    ///
    /// # Errors
    /// `clSetKernelArg`'s and `clEnqueueNDRangeKernel`'s.
    pub fn run(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: &[usize],
        arguments: &[&dyn Argument],
    ) -> Result<()> {
        self.run_from(kernel, &[], global, local, arguments)
    }

    /// As [`Self::run`], with a global offset, which may be empty.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_from(
        &self,
        kernel: &Kernel,
        offset: &[usize],
        global: &[usize],
        local: &[usize],
        arguments: &[&dyn Argument],
    ) -> Result<()> {
        self.enqueue(&self.queue, kernel, [offset, global, local], arguments, &[])?;
        Ok(())
    }

    /// Enqueues a kernel on any queue of the context, after `events`. Offset and local size may be
    /// empty.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn enqueue(
        &self,
        queue: &CommandQueue,
        kernel: &Kernel,
        [offset, global, local]: [&[usize]; 3],
        arguments: &[&dyn Argument],
        events: &[cl_event],
    ) -> Result<Event> {
        for (index, argument) in arguments.iter().enumerate() {
            argument
                .set(kernel, index as u32)
                .with_context(|| format!("clSetKernelArg for argument {index}"))?;
        }
        let pointer = |sizes: &[usize]| {
            if sizes.is_empty() {
                null()
            } else {
                sizes.as_ptr()
            }
        };
        // SAFETY: offset, sizes and events are read during the call.
        unsafe {
            queue.enqueue_nd_range_kernel(
                kernel.get(),
                global.len() as u32,
                pointer(offset),
                global.as_ptr(),
                pointer(local),
                events,
            )
        }
        .context("clEnqueueNDRangeKernel")
    }
}
