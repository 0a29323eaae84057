//! Buffers: what is read, written, copied and filled, parts of buffers, and their end.

use super::calls::{self, not_made, refused};
use crate::compare::equal;
use crate::session::Session;
use crate::stress::call::{code, made, ok};
use crate::stress::callback::{self, Latch};
use crate::stress::object::{Memory, Object, Queue};
use anyhow::{Result, ensure};
use cl_sys::*;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;

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
    // Within one buffer, beside itself.
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
        let mut got = vec![0; SIZE];
        ok!(clEnqueueReadBuffer(
            queue,
            buffer.get(),
            CL_TRUE,
            0,
            SIZE,
            got.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ))?;
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

    let outside = null_mut::<c_void>();
    let byte: *mut c_void = got.as_mut_ptr().cast();
    let (memory, offsets) = (first.get(), [(SIZE, 1), (SIZE - 1, 2), (0, SIZE + 1)]);
    for (offset, size) in offsets {
        refused!(
            CL_INVALID_VALUE,
            clEnqueueReadBuffer(
                queue,
                memory,
                CL_TRUE,
                offset,
                size,
                byte,
                0,
                null(),
                null_mut()
            )
        )?;
        refused!(
            CL_INVALID_VALUE,
            clEnqueueWriteBuffer(
                queue,
                memory,
                CL_TRUE,
                offset,
                size,
                byte,
                0,
                null(),
                null_mut()
            )
        )?;
        refused!(
            CL_INVALID_VALUE,
            clEnqueueCopyBuffer(
                queue,
                memory,
                second.get(),
                offset,
                0,
                size,
                0,
                null(),
                null_mut()
            )
        )?;
        refused!(
            CL_INVALID_VALUE,
            clEnqueueCopyBuffer(
                queue,
                memory,
                second.get(),
                0,
                offset,
                size,
                0,
                null(),
                null_mut()
            )
        )?;
    }
    refused!(
        CL_INVALID_VALUE,
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, outside, 0, null(), null_mut())
    )?;
    refused!(
        CL_INVALID_VALUE,
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, outside, 0, null(), null_mut())
    )?;
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueReadBuffer(
            queue,
            null_mut(),
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueWriteBuffer(
            queue,
            null_mut(),
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBuffer(queue, memory, null_mut(), 0, 0, 1, 0, null(), null_mut())
    )?;
    refused!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueReadBuffer(
            null_mut(),
            memory,
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, byte, 1, null(), null_mut())
    )?;
    refused!(
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBuffer(queue, memory, memory, 0, 9, 10, 0, null(), null_mut())
    )?;
    refused!(
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBuffer(queue, memory, memory, 9, 0, 10, 0, null(), null_mut())
    )?;
    let written_only = calls::buffer(context, CL_MEM_HOST_WRITE_ONLY, &[0; 16])?;
    let read_only = calls::buffer(context, CL_MEM_HOST_READ_ONLY, &[0; 16])?;
    refused!(
        CL_INVALID_OPERATION,
        clEnqueueReadBuffer(
            queue,
            written_only.get(),
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_OPERATION,
        clEnqueueWriteBuffer(
            queue,
            read_only.get(),
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    let device = session.device.id();
    let elsewhere = made!(clCreateContext(
        null(),
        1,
        &raw const device,
        None,
        null_mut()
    ))
    .map(Object::<crate::stress::object::Context>::new)?;
    let foreign = calls::buffer(elsewhere.get(), CL_MEM_READ_WRITE, &[0; 16])?;
    refused!(
        CL_INVALID_CONTEXT,
        clEnqueueReadBuffer(
            queue,
            foreign.get(),
            CL_TRUE,
            0,
            1,
            byte,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_CONTEXT,
        clEnqueueCopyBuffer(queue, memory, foreign.get(), 0, 0, 1, 0, null(), null_mut())
    )
}

/// Patterns of all sizes at all sorts of places; nothing beside them changes.
pub fn fill(session: &Session) -> Result<()> {
    const SIZE: usize = 4096;
    let (context, queue) = (session.context.get(), calls::queue(session, 0)?);
    let queue = queue.get();
    let mut random = session.random();
    let mut model = random.bytes(SIZE);
    let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &model)?;
    for pattern_size in (0..=7).map(|power| 1usize << power) {
        let room = SIZE / pattern_size;
        for (first, count) in [
            (0, 1),
            (0, 5),
            (1, 1),
            (3, 7),
            (room - 1, 1),
            (2, room - 4),
            (0, room),
        ] {
            let pattern = random.bytes(pattern_size);
            let (start, size) = (first * pattern_size, count * pattern_size);
            ok!(clEnqueueFillBuffer(
                queue,
                buffer.get(),
                pattern.as_ptr().cast(),
                pattern_size,
                start,
                size,
                0,
                null(),
                null_mut()
            ))?;
            model[start..start + size].copy_from_slice(&pattern.repeat(count));
            let mut got = vec![0; SIZE];
            ok!(clEnqueueReadBuffer(
                queue,
                buffer.get(),
                CL_TRUE,
                0,
                SIZE,
                got.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ))?;
            equal(
                &format!("{count} patterns of {pattern_size} bytes from {start} on"),
                &got,
                &model,
            )?;
        }
    }
    let pattern = [0u8; 256];
    let wrong = [
        (3, 0, 12),
        (0, 0, 16),
        (256, 0, 256),
        (4, 2, 8),
        (4, 4, 6),
        (4, 0, SIZE + 4),
        (4, SIZE, 4),
        (1, SIZE - 1, 2),
    ];
    for (pattern_size, start, size) in wrong {
        refused!(
            CL_INVALID_VALUE,
            clEnqueueFillBuffer(
                queue,
                buffer.get(),
                pattern.as_ptr().cast(),
                pattern_size,
                start,
                size,
                0,
                null(),
                null_mut()
            )
        )?;
    }
    refused!(
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(queue, buffer.get(), null(), 4, 0, 16, 0, null(), null_mut())
    )?;
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueFillBuffer(
            queue,
            null_mut(),
            pattern.as_ptr().cast(),
            4,
            0,
            16,
            0,
            null(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueFillBuffer(
            null_mut(),
            buffer.get(),
            pattern.as_ptr().cast(),
            4,
            0,
            16,
            0,
            null(),
            null_mut()
        )
    )
}

/// Callbacks at the end of buffers: last registered, first called, once, and not while
/// anything still needs the buffer.
pub fn destructor_callbacks(session: &Session) -> Result<()> {
    let (context, queue) = (session.context.get(), calls::queue(session, 0)?);
    for part_too in [false, true] {
        let mut host = vec![7u8; 1 << 16];
        let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
        let buffer: Object<Memory> = made!(clCreateBuffer(
            context,
            flags,
            host.len(),
            host.as_mut_ptr().cast()
        ))
        .map(Object::new)?;
        let (latch, calls) = (Latch::new(3), Arc::new(Mutex::new(Vec::new())));
        for number in 0..3 {
            let (latch, calls) = (latch.clone(), calls.clone());
            let user_data = callback::user_data("of a buffer", move |_, _| {
                calls.lock().push(number);
                latch.count_down();
            });
            ok!(clSetMemObjectDestructorCallback(
                buffer.get(),
                Some(callback::memory),
                user_data
            ))?;
        }
        let region = cl_buffer_region {
            origin: 0,
            size: 4096,
        };
        let part: Option<Object<Memory>> = part_too
            .then(|| {
                made!(clCreateSubBuffer(
                    buffer.get(),
                    CL_MEM_READ_WRITE,
                    CL_BUFFER_CREATE_TYPE_REGION,
                    (&raw const region).cast()
                ))
            })
            .transpose()?
            .map(Object::new);
        let again = buffer.clone();
        let user = calls::user_event(context)?;
        let (pattern, event) = (3u8, user.get());
        ok!(clEnqueueFillBuffer(
            queue.get(),
            buffer.get(),
            (&raw const pattern).cast(),
            1,
            0,
            1 << 16,
            1,
            &raw const event,
            null_mut()
        ))?;
        ok!(clFlush(queue.get()))?;
        drop(buffer);
        let early = |why: &str| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            let calls = calls.lock().clone();
            ensure!(
                calls.is_empty(),
                "callbacks {calls:?} were called though {why}"
            );
            Ok(())
        };
        early("a reference is left")?;
        drop(again);
        early("a command uses the buffer")?;
        ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
        ok!(clFinish(queue.get()))?;
        if let Some(part) = part {
            early("a part of the buffer is left")?;
            drop(part);
        }
        latch.wait("destructor callbacks");
        equal("callbacks", &calls.lock(), &[2, 1, 0])?;
        // The host's memory is the host's again.
        drop(host);
    }
    refused!(
        CL_INVALID_MEM_OBJECT,
        clSetMemObjectDestructorCallback(null_mut(), Some(callback::memory), null_mut())
    )?;
    let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &[0; 4])?;
    refused!(
        CL_INVALID_VALUE,
        clSetMemObjectDestructorCallback(buffer.get(), None, null_mut())
    )
}

const MIX: &str = "kernel void scramble(global uint *numbers, const uint operand)\n\
    { numbers[get_global_id(0)] = numbers[get_global_id(0)] * 3 + operand; }\n";

/// Parts that do not overlap, each worked on by a queue of its own at the same time.
pub fn parts(session: &Session) -> Result<()> {
    const PARTS: usize = 8;
    const ROUNDS: u32 = 20;
    // In bits: a multiple of it in elements of 4 bytes is aligned.
    let part = session.device.mem_base_addr_align()? as usize;
    let kernel = session.program(MIX, "")?.kernel("scramble")?;
    let before = session.random().words(PARTS * part);
    let whole = session.buffer(&before)?;
    let queues = (0..PARTS)
        .map(|_| session.queue_on(0, 0))
        .collect::<Result<Vec<_>>>()?;
    let parts = (0..PARTS)
        .map(|index| whole.part(index * part, part))
        .collect::<Result<Vec<_>>>()?;
    for round in 0..ROUNDS {
        for (index, (queue, buffer)) in queues.iter().zip(&parts).enumerate() {
            let operand = round * 100 + index as u32;
            session.enqueue(
                queue,
                &kernel,
                [&[], &[part], &[]],
                &[buffer, &operand],
                &[],
            )?;
            queue.flush()?;
        }
    }
    for queue in &queues {
        queue.finish()?;
    }
    let expected: Vec<u32> = before
        .iter()
        .enumerate()
        .map(|(place, &number)| {
            (0..ROUNDS).fold(number, |number, round| {
                number
                    .wrapping_mul(3)
                    .wrapping_add(round * 100 + (place / part) as u32)
            })
        })
        .collect();
    equal("the whole buffer", &session.read(&whole)?, &expected)?;
    for (index, buffer) in parts.iter().enumerate() {
        equal(
            "a part",
            &session.read(buffer)?,
            &expected[index * part..][..part],
        )?;
    }
    drop(parts);

    let context = session.context.get();
    let size = part * 4;
    let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &vec![0; 2 * size])?;
    let make = |buffer: &Object<Memory>, origin, size, expected| {
        let region = cl_buffer_region { origin, size };
        not_made!(
            expected,
            clCreateSubBuffer(
                buffer.get(),
                CL_MEM_READ_WRITE,
                CL_BUFFER_CREATE_TYPE_REGION,
                (&raw const region).cast()
            )
        )
    };
    make(&buffer, size, size + 1, CL_INVALID_VALUE)?;
    make(&buffer, 0, 0, CL_INVALID_BUFFER_SIZE)?;
    make(&buffer, 1, 4, CL_MISALIGNED_SUB_BUFFER_OFFSET)?;
    let region = cl_buffer_region { origin: 0, size };
    let half: Object<Memory> = made!(clCreateSubBuffer(
        buffer.get(),
        CL_MEM_READ_WRITE,
        CL_BUFFER_CREATE_TYPE_REGION,
        (&raw const region).cast()
    ))
    .map(Object::new)?;
    make(&half, 0, 4, CL_INVALID_MEM_OBJECT)
}

/// Kernels on two devices in turn, on one buffer that is moved to them before.
pub fn migration(session: &Session) -> Result<()> {
    let session = session.on_all_devices()?;
    let devices = session.context.devices().len();
    let queues: Vec<Object<Queue>> = session
        .context
        .devices()
        .iter()
        .map(|&device| {
            made!(clCreateCommandQueue(session.context.get(), device, 0)).map(Object::new)
        })
        .collect::<Result<_>>()?;
    let program = session.program(MIX, "")?;
    let kernel = program.kernel("scramble")?;
    let mut model = session.random().words(5000);
    let size = model.len() * 4;
    let bytes: Vec<u8> = bytemuck::cast_slice(&model).to_vec();
    let buffer = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &bytes)?;
    let memory = buffer.get();
    for round in 0..3 * devices as u32 {
        let queue = queues[round as usize % devices].get();
        let flags = if round % 4 == 3 {
            CL_MIGRATE_MEM_OBJECT_HOST
        } else {
            0
        };
        ok!(clEnqueueMigrateMemObjects(
            queue,
            1,
            &raw const memory,
            flags,
            0,
            null(),
            null_mut()
        ))?;
        ok!(clSetKernelArg(
            kernel.get(),
            0,
            size_of::<cl_mem>(),
            (&raw const memory).cast()
        ))?;
        ok!(clSetKernelArg(
            kernel.get(),
            1,
            4,
            (&raw const round).cast()
        ))?;
        let global = model.len();
        ok!(clEnqueueNDRangeKernel(
            queue,
            kernel.get(),
            1,
            null(),
            &raw const global,
            null(),
            0,
            null(),
            null_mut()
        ))?;
        ok!(clFinish(queue))?;
        for number in &mut model {
            *number = number.wrapping_mul(3).wrapping_add(round);
        }
        // Another device's queue reads what this one wrote.
        let reader = queues[(round as usize + 1) % devices].get();
        let mut got = vec![0u32; model.len()];
        ok!(clEnqueueReadBuffer(
            reader,
            memory,
            CL_TRUE,
            0,
            size,
            got.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        ))?;
        equal(&format!("after round {round}"), &got, &model)?;
    }
    let queue = queues[0].get();
    refused!(
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(queue, 0, null(), 0, 0, null(), null_mut())
    )?;
    refused!(
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(queue, 1, &raw const memory, 1 << 9, 0, null(), null_mut())
    )
}

/// Two devices change one buffer in turn, each after the other's event, with no wait of
/// the host's between.
pub fn ping_pong(session: &Session) -> Result<()> {
    const ROUNDS: u32 = 60;
    let session = session.on_all_devices()?;
    let queues = [session.queue_on(0, 0)?, session.queue_on(1, 0)?];
    let program = session.program(MIX, "")?;
    let kernel = program.kernel("scramble")?;
    let mut model = session.random().words(3000);
    let buffer = session.buffer(&model)?;
    let mut last: Option<opencl3::event::Event> = None;
    for round in 0..ROUNDS {
        let queue = &queues[round as usize % 2];
        let after: Vec<cl_event> = last.iter().map(opencl3::event::Event::get).collect();
        let sizes = [&[][..], &[model.len()], &[]];
        last = Some(session.enqueue(queue, &kernel, sizes, &[&buffer, &round], &after)?);
        queue.flush()?;
        for number in &mut model {
            *number = number.wrapping_mul(3).wrapping_add(round);
        }
    }
    if let Some(last) = last {
        last.wait()?;
    }
    equal("numbers", &session.read(&buffer)?, &model)
}

/// How large the buffer of `beyond_32_bits` is.
pub const LARGE: u64 = 5 << 30;

/// Indices that need more than 32 bits, by kernels and by commands: what 32 bits of an
/// index or an offset would find instead has other contents.
pub fn beyond_32_bits(session: &Session) -> Result<()> {
    const STEP: u64 = 64 << 20;
    const PLACES: usize = (LARGE / STEP) as usize;
    let buffer: Object<Memory> = made!(clCreateBuffer(
        session.context.get(),
        CL_MEM_READ_WRITE,
        LARGE as usize,
        null_mut()
    ))
    .map(Object::new)?;
    let queue = calls::queue(session, 0)?;
    let program = session.program(
        "kernel void write(global uchar *bytes, ulong step) {\n\
            const ulong here = get_global_id(0) * step + 3;\n\
            bytes[here] = get_global_id(0) + 1; bytes[here + step / 2] = 200 - get_global_id(0); }\n\
        kernel void read(global const uchar *bytes, ulong step, global uchar *out) {\n\
            out[get_global_id(0)] = bytes[get_global_id(0) * step + 3]; }\n",
        "",
    )?;
    let (write, read) = (program.kernel("write")?, program.kernel("read")?);
    let (memory, global, step) = (buffer.get(), PLACES, STEP);
    let out = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &[0; PLACES])?;
    let of_places = out.get();
    for kernel in [&write, &read] {
        ok!(clSetKernelArg(
            kernel.get(),
            0,
            size_of::<cl_mem>(),
            (&raw const memory).cast()
        ))?;
        ok!(clSetKernelArg(kernel.get(), 1, 8, (&raw const step).cast()))?;
    }
    ok!(clSetKernelArg(
        read.get(),
        2,
        size_of::<cl_mem>(),
        (&raw const of_places).cast()
    ))?;
    let run = |kernel: &opencl3::kernel::Kernel| {
        ok!(clEnqueueNDRangeKernel(
            queue.get(),
            kernel.get(),
            1,
            null(),
            &raw const global,
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    run(&write)?;
    let byte = |offset: u64| -> Result<u8> {
        let mut byte = 0u8;
        ok!(clEnqueueReadBuffer(
            queue.get(),
            memory,
            CL_TRUE,
            offset as usize,
            1,
            (&raw mut byte).cast(),
            0,
            null(),
            null_mut()
        ))?;
        Ok(byte)
    };
    for place in 0..PLACES as u64 {
        let here = place * STEP + 3;
        let got = [byte(here)?, byte(here + STEP / 2)?];
        equal(
            &format!("bytes of place {place}"),
            &got,
            &[place as u8 + 1, 200 - place as u8],
        )?;
    }
    // Written, filled and copied by commands behind 4 GiB; then read by a kernel.
    let last = (PLACES as u64 - 1) * STEP + 3;
    let (ninety, pattern) = (90u8, 91u8);
    ok!(clEnqueueWriteBuffer(
        queue.get(),
        memory,
        CL_TRUE,
        last as usize,
        1,
        (&raw const ninety).cast(),
        0,
        null(),
        null_mut()
    ))?;
    ok!(clEnqueueFillBuffer(
        queue.get(),
        memory,
        (&raw const pattern).cast(),
        1,
        (last - STEP) as usize,
        1,
        0,
        null(),
        null_mut()
    ))?;
    ok!(clEnqueueCopyBuffer(
        queue.get(),
        memory,
        memory,
        last as usize,
        (last - 2 * STEP) as usize,
        1,
        0,
        null(),
        null_mut()
    ))?;
    run(&read)?;
    let mut got = vec![0u8; PLACES];
    ok!(clEnqueueReadBuffer(
        queue.get(),
        of_places,
        CL_TRUE,
        0,
        PLACES,
        got.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ))?;
    let mut expected: Vec<u8> = (1..=PLACES as u8).collect();
    expected.splice(PLACES - 3.., [90, 91, 90]);
    equal("places, by a kernel", &got, &expected)?;
    let code = code!(clEnqueueReadBuffer(
        queue.get(),
        memory,
        CL_TRUE,
        LARGE as usize,
        1,
        got.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    calls::is("clEnqueueReadBuffer behind the end", code, CL_INVALID_VALUE)
}
