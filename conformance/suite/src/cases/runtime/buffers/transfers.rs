//! What is read, written and copied, and what must be refused of it.

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

/// Read, written, copied, at places and in rectangles; and what must be refused.
pub fn transfers(session: &Session) -> Result<()> {
    const SIZE: usize = 1000;
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
    // A box of 3 bytes, 4 rows and 2 slices, in pitches that differ.
    let (from, host, region) = ([2usize, 1, 1], [1usize, 2, 0], [3usize, 4, 2]);
    let mut got = [0u8; 400];
    ok!(clEnqueueReadBufferRect(
        queue,
        first.get(),
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
    equal("a box", &got, &expected)?;
    must_be_refused(session, queue, &first, &second, SIZE)
}

/// What has to be refused of two buffers of `size` bytes.
fn must_be_refused(
    session: &Session,
    queue: cl_command_queue,
    first: &Object<Memory>,
    second: &Object<Memory>,
    size: usize,
) -> Result<()> {
    let read = |expected, (queue, buffer), (offset, size), to: *mut c_void, events| {
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
    };
    let write = |expected, buffer, (offset, size), from: *mut c_void| {
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
    };
    let copy = |expected, (from, to), (from_offset, to_offset), size| {
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
    };
    let (memory, other) = (first.get(), second.get());
    let mut host = vec![0u8; size];
    let (byte, nowhere): (*mut c_void, _) = (host.as_mut_ptr().cast(), null_mut());
    let (none, one) = (null_mut(), (0, 1));

    for (offset, size) in [(size, 1), (size - 1, 2), (0, size + 1)] {
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
    read(
        CL_INVALID_OPERATION,
        (queue, written_only.get()),
        one,
        byte,
        0,
    )?;
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
