//! Sub-buffers.

use super::MIX;
use crate::cases::calls::{self, not_made};
use crate::compare::equal;
use anyhow::Result;
use cl_sys::*;
use harness::call::made;
use harness::object::{Memory, Object};
use harness::session::Session;

/// Disjoint sub-buffers, on each of which another queue operates at the same time.
pub fn parts(session: &Session) -> Result<()> {
    const PARTS: usize = 8;
    const ROUNDS: u32 = 20;
    // The alignment is in bits; the same number of elements of 4 bytes is aligned.
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
