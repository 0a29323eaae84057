//! Callbacks at the end of buffers.

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
        latch.wait_for("destructor callbacks", PATIENCE)?;
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
