//! A buffer of more than 4 GiB.

use crate::cases::calls;
use crate::cases::runtime::commands;
use crate::compare::equal;
use anyhow::Result;
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::object::{Memory, Object, Queue};
use harness::session::Session;
use std::ptr::{null, null_mut};

/// Size of the buffer of `beyond_32_bits`, in bytes.
pub const LARGE: u64 = 5 << 30;
/// Distance of the places that the kernels access, in bytes.
const STEP: u64 = 64 << 20;
const PLACES: usize = (LARGE / STEP) as usize;

/// Indices and offsets of more than 32 bits in kernels and commands. The bytes that a truncated index
/// or offset would access have other contents.
pub fn beyond_32_bits(session: &Session) -> Result<()> {
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
    let memory = buffer.get();
    let out = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &[0; PLACES])?;
    for kernel in [&write, &read] {
        commands::set_argument(kernel.get(), 0, &memory)?;
        commands::set_argument(kernel.get(), 1, &STEP)?;
    }
    commands::set_argument(read.get(), 2, &out.get())?;
    commands::launch(queue.get(), write.get(), PLACES)?;
    let byte = |offset: u64| -> Result<u8> {
        Ok(commands::read(queue.get(), memory, offset as usize, 1)?[0])
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
    change_last_places(&queue, memory)?;
    commands::launch(queue.get(), read.get(), PLACES)?;
    let mut got: Vec<u8> = commands::read(queue.get(), out.get(), 0, PLACES)?;
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

/// Writes, fills and copies to the last three places, which are beyond 4 GiB.
fn change_last_places(queue: &Object<Queue>, memory: cl_mem) -> Result<()> {
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
    ))
}
