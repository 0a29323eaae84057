//! Commands without wait list and event, which most cases enqueue.

use anyhow::Result;
use bytemuck::Pod;
use cl_sys::*;
use harness::call::ok;
use std::ptr::{null, null_mut};

/// Sets a kernel argument to a value or a handle.
///
/// # Errors
/// `clSetKernelArg`'s.
pub fn set_argument<T: Copy>(kernel: cl_kernel, index: cl_uint, value: &T) -> Result<()> {
    let start: *const T = value;
    ok!(clSetKernelArg(kernel, index, size_of::<T>(), start.cast()))
}

/// Enqueues a kernel for `items` work-items in one dimension; the platform chooses the local size.
///
/// # Errors
/// `clEnqueueNDRangeKernel`'s.
pub fn launch(queue: cl_command_queue, kernel: cl_kernel, items: usize) -> Result<()> {
    let (global, local) = (&raw const items, null());
    ok!(clEnqueueNDRangeKernel(
        queue,
        kernel,
        1,
        null(),
        global,
        local,
        0,
        null(),
        null_mut()
    ))
}

/// `count` elements of a buffer from `offset` bytes on, after all earlier commands of the queue.
///
/// # Errors
/// `clEnqueueReadBuffer`'s.
pub fn read<T: Pod>(
    queue: cl_command_queue,
    buffer: cl_mem,
    offset: usize,
    count: usize,
) -> Result<Vec<T>> {
    let mut elements = vec![T::zeroed(); count];
    ok!(clEnqueueReadBuffer(
        queue,
        buffer,
        CL_TRUE,
        offset,
        size_of_val(&elements[..]),
        elements.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ))?;
    Ok(elements)
}
