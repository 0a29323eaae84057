//! Destructor callbacks of buffers.

use crate::cases::calls::{self, refused};
use crate::cases::watch::PATIENCE;
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::callback::{self, Latch};
use harness::object::{Memory, Object};
use harness::session::Session;
use parking_lot::Mutex;
use std::ptr::null_mut;
use std::sync::Arc;

/// Destructor callbacks are called once, in the reverse order of their registration, and only after
/// everything that uses the buffer is gone.
pub fn destructor_callbacks(session: &Session) -> Result<()> {
    for has_part in [false, true] {
        callbacks_of_one_buffer(session, has_part)?;
    }
    refused!(
        CL_INVALID_MEM_OBJECT,
        clSetMemObjectDestructorCallback(null_mut(), Some(callback::memory), null_mut())
    )?;
    let buffer = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &[0; 4])?;
    refused!(
        CL_INVALID_VALUE,
        clSetMemObjectDestructorCallback(buffer.get(), None, null_mut())
    )
}

/// A buffer in the host's memory, with another reference, a command and perhaps a sub-buffer that
/// use it.
fn callbacks_of_one_buffer(session: &Session, has_part: bool) -> Result<()> {
    let (context, queue) = (session.context.get(), calls::queue(session, 0)?);
    let mut host = vec![7u8; 1 << 16];
    let buffer: Object<Memory> = made!(clCreateBuffer(
        context,
        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
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
    let part = if has_part {
        Some(part_of(&buffer)?)
    } else {
        None
    };
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
    let none_called = |why: &str| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let calls = calls.lock().clone();
        ensure!(
            calls.is_empty(),
            "callbacks {calls:?} were called though {why}"
        );
        Ok(())
    };
    none_called("a reference is left")?;
    drop(again);
    none_called("a command uses the buffer")?;
    ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
    ok!(clFinish(queue.get()))?;
    if let Some(part) = part {
        none_called("a part of the buffer is left")?;
        drop(part);
    }
    latch.wait_for("destructor callbacks", PATIENCE)?;
    equal("callbacks", &calls.lock(), &[2, 1, 0])?;
    // After the callbacks, the host may free its memory.
    drop(host);
    Ok(())
}

/// A sub-buffer of the first 4096 bytes.
fn part_of(buffer: &Object<Memory>) -> Result<Object<Memory>> {
    let region = cl_buffer_region {
        origin: 0,
        size: 4096,
    };
    made!(clCreateSubBuffer(
        buffer.get(),
        CL_MEM_READ_WRITE,
        CL_BUFFER_CREATE_TYPE_REGION,
        (&raw const region).cast()
    ))
    .map(Object::new)
}
