//! Buffers filled with patterns.

use crate::cases::calls::{self, refused};
use crate::cases::runtime::commands;
use crate::compare::equal;
use anyhow::Result;
use cl_sys::*;
use harness::call::ok;
use harness::session::Session;
use std::ptr::{null, null_mut};

/// Size of the buffer, in bytes.
const SIZE: usize = 4096;

/// Patterns of all sizes at different offsets; nothing outside the filled range changes.
pub fn fill(session: &Session) -> Result<()> {
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
            let got: Vec<u8> = commands::read(queue, buffer.get(), 0, SIZE)?;
            equal(
                &format!("{count} patterns of {pattern_size} bytes from {start} on"),
                &got,
                &model,
            )?;
        }
    }
    invalid_fills(queue, buffer.get())
}

/// Calls that must fail on a buffer of `SIZE` bytes.
fn invalid_fills(queue: cl_command_queue, buffer: cl_mem) -> Result<()> {
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
    let fill = |expected, (queue, buffer), pattern: *const u8, pattern_size, (start, size)| {
        refused!(
            expected,
            clEnqueueFillBuffer(
                queue,
                buffer,
                pattern.cast(),
                pattern_size,
                start,
                size,
                0,
                null(),
                null_mut()
            )
        )
    };
    let (both, start) = ((queue, buffer), pattern.as_ptr());
    for (pattern_size, first, size) in wrong {
        fill(CL_INVALID_VALUE, both, start, pattern_size, (first, size))?;
    }
    fill(CL_INVALID_VALUE, both, null(), 4, (0, 16))?;
    fill(
        CL_INVALID_MEM_OBJECT,
        (queue, null_mut()),
        start,
        4,
        (0, 16),
    )?;
    fill(
        CL_INVALID_COMMAND_QUEUE,
        (null_mut(), buffer),
        start,
        4,
        (0, 16),
    )
}
