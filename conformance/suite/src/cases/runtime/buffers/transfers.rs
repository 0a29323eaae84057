//! Commands that read, write and copy buffers.

use crate::cases::calls::{self, refused};
use crate::cases::runtime::commands;
use crate::compare::equal;
use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Context, Memory, Object};
use harness::session::Session;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Size of the buffers, in bytes.
const SIZE: usize = 1000;

/// Reads, writes and copies at random offsets; a rectangle; invalid calls.
pub fn transfers(session: &Session) -> Result<()> {
    let (context, queue) = (session.context.get(), calls::queue(session, 0)?);
    let queue = queue.get();
    let mut random = session.random();
    let mut model = random.bytes(SIZE);
    let first = calls::buffer(context, CL_MEM_READ_WRITE, &model)?;
    let mut second_model = random.bytes(SIZE);
    let second = calls::buffer(context, CL_MEM_READ_WRITE, &second_model)?;
    for _ in 0..200 {
        let (from, to) = (random.below(900) as usize, random.below(900) as usize);
        let size = 1 + random.below(99) as usize;
        let bytes = random.bytes(size);
        let blocking = cl_bool::from(random.below(2) == 0);
        ok!(clEnqueueWriteBuffer(
            queue,
            first.get(),
            blocking,
            to,
            size,
            bytes.as_ptr().cast(),
            0,
            null(),
            null_mut()
        ))?;
        model[to..to + size].copy_from_slice(&bytes);
        ok!(clEnqueueCopyBuffer(
            queue,
            first.get(),
            second.get(),
            to,
            from,
            size,
            0,
            null(),
            null_mut()
        ))?;
        second_model[from..from + size].copy_from_slice(&bytes);
        let mut got = vec![0; size];
        ok!(clEnqueueReadBuffer(
            queue,
            second.get(),
            blocking,
            from,
            size,
            got.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ))?;
        ok!(clFinish(queue))?;
        equal("bytes", &got, &bytes)?;
    }
    // Within one buffer, to the adjacent range.
    ok!(clEnqueueCopyBuffer(
        queue,
        first.get(),
        first.get(),
        100,
        300,
        200,
        0,
        null(),
        null_mut()
    ))?;
    model.copy_within(100..300, 300);
    for (buffer, model) in [(&first, &model), (&second, &second_model)] {
        let got: Vec<u8> = commands::read(queue, buffer.get(), 0, SIZE)?;
        equal("the whole buffer", &got, model)?;
    }
    read_rectangle(queue, &first, &model)?;
    invalid_transfers(session, queue, &first, &second)
}

/// Reads a region of 3 bytes, 4 rows and 2 slices, with different pitches on both sides.
fn read_rectangle(queue: cl_command_queue, buffer: &Object<Memory>, model: &[u8]) -> Result<()> {
    let (from, host, region) = ([2usize, 1, 1], [1usize, 2, 0], [3usize, 4, 2]);
    let mut got = [0u8; 400];
    ok!(clEnqueueReadBufferRect(
        queue,
        buffer.get(),
        CL_TRUE,
        from.as_ptr(),
        host.as_ptr(),
        region.as_ptr(),
        10,
        100,
        7,
        70,
        got.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ))?;
    let mut expected = [0u8; 400];
    for (z, y, x) in (0..2).flat_map(|z| (0..4).flat_map(move |y| (0..3).map(move |x| (z, y, x)))) {
        expected[(1 + x) + (2 + y) * 7 + z * 70] = model[(2 + x) + (1 + y) * 10 + (1 + z) * 100];
    }
    equal("a region", &got, &expected)
}

/// Invalid transfers of two buffers of `SIZE` bytes.
fn invalid_transfers(
    session: &Session,
    queue: cl_command_queue,
    first: &Object<Memory>,
    second: &Object<Memory>,
) -> Result<()> {
    let read = invalid_read;
    let write =
        |expected, buffer, range, from| invalid_write(expected, (queue, buffer), range, from);
    let copy =
        |expected, buffers, offsets, size| invalid_copy(expected, queue, buffers, offsets, size);
    let (memory, other) = (first.get(), second.get());
    let mut host = vec![0u8; SIZE];
    let (byte, nowhere): (*mut c_void, _) = (host.as_mut_ptr().cast(), null_mut());
    let (none, one) = (null_mut(), (0, 1));

    for (offset, size) in [(SIZE, 1), (SIZE - 1, 2), (0, SIZE + 1)] {
        read(CL_INVALID_VALUE, (queue, memory), (offset, size), byte, 0)?;
        write(CL_INVALID_VALUE, memory, (offset, size), byte)?;
        copy(CL_INVALID_VALUE, (memory, other), (offset, 0), size)?;
        copy(CL_INVALID_VALUE, (memory, other), (0, offset), size)?;
    }
    read(CL_INVALID_VALUE, (queue, memory), one, nowhere, 0)?;
    write(CL_INVALID_VALUE, memory, one, nowhere)?;
    read(CL_INVALID_MEM_OBJECT, (queue, none), one, byte, 0)?;
    write(CL_INVALID_MEM_OBJECT, none, one, byte)?;
    copy(CL_INVALID_MEM_OBJECT, (memory, none), (0, 0), 1)?;
    read(CL_INVALID_COMMAND_QUEUE, (none, memory), one, byte, 0)?;
    read(CL_INVALID_EVENT_WAIT_LIST, (queue, memory), one, byte, 1)?;
    copy(CL_MEM_COPY_OVERLAP, (memory, memory), (0, 9), 10)?;
    copy(CL_MEM_COPY_OVERLAP, (memory, memory), (9, 0), 10)?;

    let context = session.context.get();
    let written_only = calls::buffer(context, CL_MEM_HOST_WRITE_ONLY, &[0; 16])?;
    let read_only = calls::buffer(context, CL_MEM_HOST_READ_ONLY, &[0; 16])?;
    let of_written = (queue, written_only.get());
    read(CL_INVALID_OPERATION, of_written, one, byte, 0)?;
    write(CL_INVALID_OPERATION, read_only.get(), one, byte)?;

    let device = session.device.id();
    let elsewhere = made!(clCreateContext(
        null(),
        1,
        &raw const device,
        None,
        null_mut()
    ))
    .map(Object::<Context>::new)?;
    let foreign = calls::buffer(elsewhere.get(), CL_MEM_READ_WRITE, &[0; 16])?;
    read(CL_INVALID_CONTEXT, (queue, foreign.get()), one, byte, 0)?;
    copy(CL_INVALID_CONTEXT, (memory, foreign.get()), (0, 0), 1)
}

fn invalid_read(
    expected: cl_int,
    (queue, buffer): (cl_command_queue, cl_mem),
    (offset, size): (usize, usize),
    to: *mut c_void,
    events: cl_uint,
) -> Result<()> {
    refused!(
        expected,
        clEnqueueReadBuffer(
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            to,
            events,
            null(),
            null_mut()
        )
    )
}

fn invalid_write(
    expected: cl_int,
    (queue, buffer): (cl_command_queue, cl_mem),
    (offset, size): (usize, usize),
    from: *mut c_void,
) -> Result<()> {
    refused!(
        expected,
        clEnqueueWriteBuffer(
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            from,
            0,
            null(),
            null_mut()
        )
    )
}

fn invalid_copy(
    expected: cl_int,
    queue: cl_command_queue,
    (from, to): (cl_mem, cl_mem),
    (from_offset, to_offset): (usize, usize),
    size: usize,
) -> Result<()> {
    refused!(
        expected,
        clEnqueueCopyBuffer(
            queue,
            from,
            to,
            from_offset,
            to_offset,
            size,
            0,
            null(),
            null_mut()
        )
    )
}
