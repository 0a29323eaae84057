//! One buffer that several devices use alternately.

use super::MIX;
use crate::cases::calls::{self, refused};
use crate::cases::runtime::commands;
use crate::compare::equal;
use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Object, Queue};
use harness::session::Session;
use std::ptr::{null, null_mut};

/// Kernels on alternating devices change one buffer, which is migrated to the device before.
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
        commands::set_argument(kernel.get(), 0, &memory)?;
        commands::set_argument(kernel.get(), 1, &round)?;
        commands::launch(queue, kernel.get(), model.len())?;
        ok!(clFinish(queue))?;
        for number in &mut model {
            *number = number.wrapping_mul(3).wrapping_add(round);
        }
        // The queue of another device reads the results.
        let reader = queues[(round as usize + 1) % devices].get();
        let got: Vec<u32> = commands::read(reader, memory, 0, model.len())?;
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

/// Two devices alternately change one buffer. Each kernel waits for the other device's event; the
/// host does not wait in between.
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
