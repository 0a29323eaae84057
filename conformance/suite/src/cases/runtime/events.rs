//! Events of commands: order, states, callbacks, and references.

use super::calls::{self, answer, number, refused, status, user_event};
use super::commands;
use crate::cases::watch::{Call, watch};
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::callback;
use harness::object::{Event, Kernel, Memory, Object, Queue};
use harness::session::Session;
use std::ptr::{null, null_mut};
use std::time::Duration;

/// A buffer of numbers, a queue, and a kernel `act(numbers, operand)`.
pub struct Work {
    /// An in-order queue.
    pub queue: Object<Queue>,
    /// A buffer of `int`.
    pub numbers: Object<Memory>,
    /// Its arguments are set by each `act`.
    pub kernel: Object<Kernel>,
}

impl Work {
    /// Creates a buffer of `count` zeros, in a context of the session or another one.
    ///
    /// # Errors
    /// A call fails.
    pub fn new(session: &Session, context: cl_context, source: &str, count: usize) -> Result<Self> {
        let program = calls::built(session, context, source, "")?;
        let kernel = made!(clCreateKernel(program.get(), c"act".as_ptr())).map(Object::new)?;
        let queue =
            made!(clCreateCommandQueue(context, session.device.id(), 0)).map(Object::new)?;
        let numbers = calls::buffer(context, CL_MEM_READ_WRITE, &vec![0; count * 4])?;
        Ok(Self {
            queue,
            numbers,
            kernel,
        })
    }

    fn set_arguments(&self, operand: i32) -> Result<()> {
        commands::set_argument(self.kernel.get(), 0, &self.numbers.get())?;
        commands::set_argument(self.kernel.get(), 1, &operand)
    }

    fn code(
        &self,
        queue: &Object<Queue>,
        operand: i32,
        after: &[cl_event],
        event: *mut cl_event,
    ) -> Result<cl_int> {
        let one = 1usize;
        self.set_arguments(operand)?;
        let first = if after.is_empty() {
            null()
        } else {
            after.as_ptr()
        };
        Ok(code!(clEnqueueNDRangeKernel(
            queue.get(),
            self.kernel.get(),
            1,
            null(),
            &raw const one,
            null(),
            after.len() as cl_uint,
            first,
            event
        )))
    }

    fn act_on(
        &self,
        queue: &Object<Queue>,
        operand: i32,
        after: &[cl_event],
    ) -> Result<Object<Event>> {
        let mut event = null_mut();
        let code = self.code(queue, operand, after, &raw mut event)?;
        calls::is("clEnqueueNDRangeKernel", code, CL_SUCCESS)?;
        Ok(Object::new(event))
    }

    /// Enqueues one work-item in the work's own queue, with this wait list.
    ///
    /// # Errors
    /// `clEnqueueNDRangeKernel`'s.
    pub fn act(&self, operand: i32, after: &[cl_event]) -> Result<Object<Event>> {
        self.act_on(&self.queue, operand, after)
    }

    /// The first `count` numbers.
    ///
    /// # Errors
    /// `clEnqueueReadBuffer`'s.
    pub fn read(&self, count: usize) -> Result<Vec<i32>> {
        commands::read(self.queue.get(), self.numbers.get(), 0, count)
    }
}

/// Adds the operand to the first number.
pub const ADD: &str =
    "kernel void act(global int *numbers, int operand) { *numbers += operand; }\n";

/// Appends to a list whose length is the first number. The kernel is slow between reading and
/// writing the length, so that concurrent kernels would lose an element.
const APPEND: &str = "kernel void act(global int *numbers, int operand)\n{\n\
    const int length = *numbers;\n    volatile int passing = 0;\n\
    for (int i = 0; i < 100000; ++i)\n        passing += i;\n\
    numbers[length + 1] = operand;\n    *numbers = length + 1;\n}\n";

/// `clGetEventInfo` of commands that have ended, and of a user event.
pub fn info(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    let mut event = null_mut();
    let number_there = 5i32;
    ok!(clEnqueueWriteBuffer(
        work.queue.get(),
        work.numbers.get(),
        CL_FALSE,
        0,
        4,
        (&raw const number_there).cast(),
        0,
        null(),
        &raw mut event
    ))?;
    let write: Object<Event> = Object::new(event);
    let kernel = work.act(6, &[write.get()])?;
    ok!(clEnqueueMarkerWithWaitList(
        work.queue.get(),
        0,
        null(),
        &raw mut event
    ))?;
    let marker = Object::new(event);
    ok!(clFinish(work.queue.get()))?;
    let kinds = [
        CL_COMMAND_WRITE_BUFFER,
        CL_COMMAND_NDRANGE_KERNEL,
        CL_COMMAND_MARKER,
    ];
    for (event, kind) in [&write, &kernel, &marker].into_iter().zip(kinds) {
        completed_event(event, context, &work.queue, kind)?;
    }
    equal("number", &work.read(1)?, &[11])?;
    user_event_info(context)?;
    refused!(
        CL_INVALID_EVENT,
        clSetUserEventStatus(kernel.get(), CL_COMPLETE)
    )
}

/// Queries the event of a completed command of the type `kind`.
fn completed_event(
    event: &Object<Event>,
    context: cl_context,
    queue: &Object<Queue>,
    kind: cl_command_type,
) -> Result<()> {
    let got: usize = number(answer!(clGetEventInfo(
        event.get(),
        CL_EVENT_COMMAND_QUEUE
    ))?)?;
    equal("CL_EVENT_COMMAND_QUEUE", &[got], &[queue.get() as usize])?;
    let got: usize = number(answer!(clGetEventInfo(event.get(), CL_EVENT_CONTEXT))?)?;
    equal("CL_EVENT_CONTEXT", &[got], &[context as usize])?;
    let got: u32 = number(answer!(clGetEventInfo(event.get(), CL_EVENT_COMMAND_TYPE))?)?;
    equal("CL_EVENT_COMMAND_TYPE", &[got], &[kind])?;
    equal(
        "CL_EVENT_COMMAND_EXECUTION_STATUS",
        &[status(event)?],
        &[CL_COMPLETE],
    )?;
    event.count_up_and_down(3, false)?;
    let mut byte = 0u8;
    refused!(
        CL_INVALID_VALUE,
        clGetEventInfo(
            event.get(),
            CL_EVENT_COMMAND_TYPE,
            1,
            (&raw mut byte).cast(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_VALUE,
        clGetEventInfo(event.get(), 0, 0, null_mut(), null_mut())
    )?;
    // The queue has no CL_QUEUE_PROFILING_ENABLE.
    refused!(
        CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(
            event.get(),
            CL_PROFILING_COMMAND_END,
            0,
            null_mut(),
            null_mut()
        )
    )
}

fn user_event_info(context: cl_context) -> Result<()> {
    let user = user_event(context)?;
    let got: usize = number(answer!(clGetEventInfo(user.get(), CL_EVENT_COMMAND_QUEUE))?)?;
    equal("CL_EVENT_COMMAND_QUEUE of a user event", &[got], &[0])?;
    let got: u32 = number(answer!(clGetEventInfo(user.get(), CL_EVENT_COMMAND_TYPE))?)?;
    equal(
        "CL_EVENT_COMMAND_TYPE of a user event",
        &[got],
        &[CL_COMMAND_USER],
    )?;
    equal("a user event's status", &[status(&user)?], &[CL_SUBMITTED])?;
    ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
    equal(
        "a user event's status, set",
        &[status(&user)?],
        &[CL_COMPLETE],
    )?;
    refused!(
        CL_INVALID_OPERATION,
        clSetUserEventStatus(user.get(), CL_COMPLETE)
    )
}

/// Commands of two queues in the order of their events: A B A B C. After `clFinish` of both queues,
/// all commands have ended.
pub fn finish(session: &Session) -> Result<()> {
    const ROUNDS: usize = 10;
    let work = Work::new(session, session.context.get(), APPEND, 1 + 5 * ROUNDS)?;
    let other = calls::queue(session, 0)?;
    let mut events: Vec<Object<Event>> = Vec::new();
    for _ in 0..ROUNDS {
        for (queue, letter) in [
            (&work.queue, b'A'),
            (&other, b'B'),
            (&work.queue, b'A'),
            (&other, b'B'),
            (&work.queue, b'C'),
        ] {
            let after: Vec<cl_event> = events.last().map(Object::get).into_iter().collect();
            events.push(work.act_on(queue, letter.into(), &after)?);
        }
    }
    // The queue of a command that others wait for must be flushed, so that they need no flush.
    ok!(clFlush(work.queue.get()))?;
    ok!(clFlush(other.get()))?;
    ok!(clFinish(work.queue.get()))?;
    ok!(clFinish(other.get()))?;
    for event in &events {
        equal("status after clFinish", &[status(event)?], &[CL_COMPLETE])?;
    }
    let list = work.read(1 + 5 * ROUNDS)?;
    let letters: String = list[1..]
        .iter()
        .map(|&letter| char::from(letter as u8))
        .collect();
    equal("letters", &[letters], &["ABABC".repeat(ROUNDS)])?;
    equal("their number", &list[..1], &[5 * ROUNDS as i32])?;
    ok!(clFinish(work.queue.get()))?;
    refused!(CL_INVALID_COMMAND_QUEUE, clFinish(null_mut()))
}

/// Commands that wait for one list of events; each command's own event then replaces an entry of
/// the list.
pub fn cycle(session: &Session) -> Result<()> {
    const ROUNDS: i32 = 500;
    let work = Work::new(session, session.context.get(), ADD, 1)?;
    let other = calls::queue(session, 0)?;
    let mut list: [cl_event; 2] = [null_mut(); 2];
    let mut old: Vec<Object<Event>> = Vec::new();
    for round in 0..ROUNDS {
        for (place, queue) in [&work.queue, &other].into_iter().enumerate() {
            let waits = if round == 0 { place } else { 2 };
            let after: *const cl_event = if waits == 0 { null() } else { list.as_ptr() };
            let (operand, one) = (1 + place as i32, 1usize);
            work.set_arguments(operand)?;
            let mut event = null_mut();
            ok!(clEnqueueNDRangeKernel(
                queue.get(),
                work.kernel.get(),
                1,
                null(),
                &raw const one,
                null(),
                waits as cl_uint,
                after,
                &raw mut event
            ))?;
            // The list is not in use after the call returns (section 5.8).
            list[place] = event;
            old.push(Object::new(event));
            ok!(clFlush(queue.get()))?;
        }
    }
    ok!(clWaitForEvents(2, list.as_ptr()))?;
    equal("sum", &work.read(1)?, &[3 * ROUNDS])?;
    for event in &old {
        equal("status", &[status(event)?], &[CL_COMPLETE])?;
    }
    Ok(())
}

/// One event that is waited for twice: by two calls, in one list, by two commands.
pub fn double_wait(session: &Session) -> Result<()> {
    let work = Work::new(session, session.context.get(), ADD, 1)?;
    let mut sum = 0;
    for _ in 0..100 {
        let first = work.act(1, &[])?;
        ok!(clWaitForEvents(1, &first.get()))?;
        ok!(clWaitForEvents(1, &first.get()))?;
        let again = [first.get(); 3];
        ok!(clWaitForEvents(3, again.as_ptr()))?;
        let second = work.act(10, &again)?;
        let third = work.act(100, &[second.get(), first.get(), second.get()])?;
        sum += 111;
        let mut got = [0; 2];
        // Blocking reads, with the same events in their wait list.
        for number in &mut got {
            let list = [third.get(), third.get()];
            ok!(clEnqueueReadBuffer(
                work.queue.get(),
                work.numbers.get(),
                CL_TRUE,
                0,
                4,
                (number as *mut i32).cast(),
                2,
                list.as_ptr(),
                null_mut()
            ))?;
        }
        equal("sums", &got, &[sum; 2])?;
        ok!(clWaitForEvents(1, &third.get()))?;
        equal("references", &[third.references()? >= 1], &[true])?;
    }
    refused!(CL_INVALID_VALUE, clWaitForEvents(0, null()))
}

/// Callbacks for all states, one or more for each, and after the end; invalid calls.
pub fn callbacks(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 1)?;
    let user = user_event(context)?;
    let event = work.act(1, &[user.get()])?;
    let watch_it = watch(
        &event,
        &[CL_COMPLETE, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE],
    )?;
    ok!(clFlush(work.queue.get()))?;
    std::thread::sleep(Duration::from_millis(20));
    let mut early = watch_it.until_now();
    early.retain(|call| call.0 != CL_SUBMITTED);
    ensure!(
        early.is_empty(),
        "called before the command could run: {early:?} (state, status, the event)"
    );
    ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
    let wanted: Vec<Call> = [CL_COMPLETE, CL_COMPLETE, CL_RUNNING, CL_SUBMITTED]
        .map(|state| (state, state, true))
        .into();
    equal(
        "calls (state, status, of the event)",
        &watch_it.all()?,
        &wanted,
    )?;
    // A callback that is registered after the end is called as well.
    let after = watch(&event, &[CL_COMPLETE])?;
    equal(
        "after the end",
        &after.all()?,
        &[(CL_COMPLETE, CL_COMPLETE, true)],
    )?;
    equal("number", &work.read(1)?, &[1])?;
    let nothing = null_mut();
    refused!(
        CL_INVALID_VALUE,
        clSetEventCallback(event.get(), CL_COMPLETE, None, nothing)
    )?;
    for state in [CL_QUEUED, 4, -1] {
        refused!(
            CL_INVALID_VALUE,
            clSetEventCallback(event.get(), state, Some(callback::event), nothing)
        )?;
    }
    refused!(
        CL_INVALID_EVENT,
        clSetEventCallback(null_mut(), CL_COMPLETE, Some(callback::event), nothing)
    )
}
