//! Events that fail, and the commands that wait for them (section 5.9). Whether a context can be used
//! after the termination of its commands is implementation-defined. All known implementations permit
//! it, and these cases use the context to see that a command did not run.

use super::calls::{self, refused, status, user_event};
use super::events::{ADD, Work};
use crate::cases::watch::{PATIENCE, watch};
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::callback::{self, Latch};
use harness::object::{Event, Object, Queue};
use harness::session::Session;
use parking_lot::Mutex;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

/// `clWaitForEvents` must say that the command failed.
fn fails(event: &Object<Event>) -> Result<()> {
    calls::is(
        "clWaitForEvents",
        code!(clWaitForEvents(1, &event.get())),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    )
}

/// The command must be terminated with an error as its status. Polls the status, because
/// `clWaitForEvents` would hang on a platform that loses the command.
fn terminated(event: &Object<Event>) -> Result<()> {
    let start = Instant::now();
    loop {
        let now = status(event)?;
        if now < 0 {
            return Ok(());
        }
        ensure!(
            now != CL_COMPLETE,
            "a command whose event in the wait list failed has status CL_COMPLETE"
        );
        ensure!(
            start.elapsed() < PATIENCE,
            "a command whose event in the wait list failed still has status {now}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Commands that cannot be enqueued, that fail and that run: their events are released
/// once, before or after their end.
pub fn released(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    for round in 0..50 {
        if round == 0 {
            launch_without_arguments(&work)?;
            drop(work.act(0, &[])?);
        }
        invalid_commands(&work)?;
        // One command fails; its event is released before or after that. No other command is
        // pending.
        ok!(clFinish(work.queue.get()))?;
        let user = user_event(context)?;
        let failing = work.act(1000, &[user.get()])?;
        if round % 2 == 0 {
            drop(failing);
            ok!(clSetUserEventStatus(user.get(), -9))?;
            ok!(clFinish(work.queue.get()))?;
        } else {
            ok!(clSetUserEventStatus(user.get(), -9))?;
            fails(&failing)?;
            equal("references", &[failing.references()? >= 1], &[true])?;
        }
        drop(work.act(1, &[])?);
    }
    equal("sum", &work.read(1)?, &[50])
}

/// Enqueues a kernel whose arguments are not set yet.
fn launch_without_arguments(work: &Work) -> Result<()> {
    let (one, mut untouched) = (1usize, null_mut());
    refused!(
        CL_INVALID_KERNEL_ARGS,
        clEnqueueNDRangeKernel(
            work.queue.get(),
            work.kernel.get(),
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            &raw mut untouched
        )
    )
}

/// Invalid commands, which must not create an event.
fn invalid_commands(work: &Work) -> Result<()> {
    let (queue, kernel) = (work.queue.get(), work.kernel.get());
    let mut untouched: cl_event = null_mut();
    let (zero, one, huge) = (0usize, 1usize, usize::MAX);
    refused!(
        CL_INVALID_WORK_DIMENSION,
        clEnqueueNDRangeKernel(
            queue,
            kernel,
            4,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            &raw mut untouched
        )
    )?;
    let code = code!(clEnqueueNDRangeKernel(
        queue,
        kernel,
        1,
        null(),
        &raw const huge,
        &raw const huge,
        0,
        null(),
        &raw mut untouched
    ));
    ensure!(
        code != CL_SUCCESS,
        "a work-group of {huge} work-items was enqueued"
    );
    refused!(
        CL_INVALID_VALUE,
        clEnqueueReadBuffer(
            queue,
            work.numbers.get(),
            CL_FALSE,
            100,
            4,
            (&raw const zero).cast_mut().cast(),
            0,
            null(),
            &raw mut untouched
        )
    )
}

/// A command fails while an earlier one in the same queue waits. The host has released it before
/// that one runs. Later commands run as well.
pub fn before_its_turn(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    for _ in 0..20 {
        let [gate, user] = [user_event(context)?, user_event(context)?];
        let first = work.act(1, &[gate.get()])?;
        let failing = work.act(1000, &[user.get()])?;
        ok!(clFlush(work.queue.get()))?;
        ok!(clSetUserEventStatus(user.get(), -9))?;
        drop((failing, user));
        drop(work.act(10, &[])?);
        ok!(clSetUserEventStatus(gate.get(), CL_COMPLETE))?;
        ok!(clWaitForEvents(1, &first.get()))?;
    }
    equal("sum", &work.read(1)?, &[20 * 11])
}

/// A command that waits for an event which has already failed does not run.
pub fn failed_dependency(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    let user = user_event(context)?;
    ok!(clSetUserEventStatus(user.get(), -77))?;
    equal("the user event's status", &[status(&user)?], &[-77])?;
    let first = work.act(1, &[user.get()])?;
    let second = work.act(10, &[first.get()])?;
    ok!(clFlush(work.queue.get()))?;
    for event in [&first, &second] {
        terminated(event)?;
        fails(event)?;
    }
    let mut got = 99i32;
    refused!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBuffer(
            work.queue.get(),
            work.numbers.get(),
            CL_TRUE,
            0,
            4,
            (&raw mut got).cast(),
            1,
            &user.get(),
            null_mut()
        )
    )?;
    equal("what a read that did not run left alone", &[got], &[99])?;
    work.act(100, &[])?;
    equal("sum", &work.read(1)?, &[100])
}

/// Commands that wait for an event which fails later, and commands that wait for those.
pub fn chain(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    let user = user_event(context)?;
    let first = work.act(1, &[user.get()])?;
    let second = work.act(10, &[first.get()])?;
    let third = work.act(20, &[first.get(), second.get()])?;
    ok!(clFlush(work.queue.get()))?;
    ok!(clSetUserEventStatus(user.get(), -77))?;
    for event in [&third, &first, &second] {
        terminated(event)?;
        fails(event)?;
    }
    equal("the user event's status", &[status(&user)?], &[-77])?;
    work.act(100, &[])?;
    equal("sum", &work.read(1)?, &[100])
}

/// The events of commands that wait for each other are released before the first fails.
pub fn released_chain(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    for _ in 0..20 {
        let user = user_event(context)?;
        let first = work.act(1000, &[user.get()])?;
        let second = work.act(2000, &[first.get()])?;
        drop(work.act(4000, &[first.get(), second.get()])?);
        drop((first, second));
        ok!(clSetUserEventStatus(user.get(), -9))?;
        ok!(clFinish(work.queue.get()))?;
        drop(work.act(1, &[])?);
    }
    equal("sum", &work.read(1)?, &[20])
}

/// The host releases all objects of commands that wait for a user event before it sets the event,
/// to complete or to an error.
pub fn user_event_last(session: &Session) -> Result<()> {
    // Static, because the command may write it after an early return.
    static RESULT: Mutex<i32> = Mutex::new(0);
    for set in [CL_COMPLETE, -1, CL_COMPLETE, -1000] {
        let device = session.device.id();
        let context = made!(clCreateContext(
            null(),
            1,
            &raw const device,
            None,
            null_mut()
        ))
        .map(Object::<harness::object::Context>::new)?;
        let user = user_event(context.get())?;
        let queue =
            made!(clCreateCommandQueue(context.get(), device, 0)).map(Object::<Queue>::new)?;
        let buffer = calls::buffer(context.get(), CL_MEM_READ_WRITE, &42i32.to_ne_bytes())?;
        *RESULT.lock() = 5;
        let mut event = null_mut();
        ok!(clEnqueueReadBuffer(
            queue.get(),
            buffer.get(),
            CL_FALSE,
            0,
            4,
            (&raw mut *RESULT.lock()).cast(),
            1,
            &user.get(),
            &raw mut event
        ))?;
        let read: Object<Event> = Object::new(event);
        let gone = Latch::new(1);
        let last = gone.clone();
        ok!(clSetMemObjectDestructorCallback(
            buffer.get(),
            Some(callback::memory),
            callback::user_data("of the buffer", move |_, _| last.count_down())
        ))?;
        ok!(clFlush(queue.get()))?;
        drop((read, buffer, queue, context));
        equal("result before", &[*RESULT.lock()], &[5])?;
        ok!(clSetUserEventStatus(user.get(), set))?;
        drop(user);
        // The command retains the buffer until it ends.
        gone.wait_for("the callback of the buffer", PATIENCE)?;
        let expected = if set == CL_COMPLETE { 42 } else { 5 };
        equal(
            &format!("result, the event set to {set}"),
            &[*RESULT.lock()],
            &[expected],
        )?;
    }
    Ok(())
}

/// Callbacks for CL_COMPLETE are also called for commands that fail, with an error as status.
pub fn callbacks(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    let user = user_event(context)?;
    let event = work.act(1, &[user.get()])?;
    // Failed commands need not run, so only callbacks for their end must be called.
    let watch_it = watch(&event, &[CL_COMPLETE, CL_COMPLETE])?;
    ok!(clFlush(work.queue.get()))?;
    ok!(clSetUserEventStatus(user.get(), -3))?;
    let after = |calls: Vec<(cl_int, cl_int, bool)>| {
        ensure!(
            calls.iter().all(|&(_, status, of_it)| status < 0 && of_it),
            "calls {calls:?}, expected an error as status (state, status, of the event)"
        );
        Ok(())
    };
    after(watch_it.all()?)?;
    after(watch(&event, &[CL_COMPLETE])?.all()?)?;
    equal("number", &work.read(1)?, &[0])
}
