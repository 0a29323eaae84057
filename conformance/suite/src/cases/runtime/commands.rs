//! Commands that wait for no events and give none, as most cases enqueue them.

use anyhow::Result;
use bytemuck::Pod;
use cl_sys::*;
use harness::call::ok;
use std::ptr::{null, null_mut};

/// The value of a kernel's argument, or the handle of a buffer.
///
/// # Errors
/// `clSetKernelArg`'s.
pub fn set_argument<T: Copy>(kernel: cl_kernel, index: cl_uint, value: &T) -> Result<()> {
    let start: *const T = value;
    ok!(clSetKernelArg(kernel, index, size_of::<T>(), start.cast()))
}

/// A kernel for `items` work-items along one dimension, in groups that the platform chooses.
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

/// `count` elements of a buffer from `offset` bytes on, once the queue has got there.
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
