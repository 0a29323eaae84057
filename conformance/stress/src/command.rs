//! Commands, each with its wait list and its event. Host memory that a command accesses after the
//! call belongs to `Kept`, which frees it after the command has ended.

use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::callback::{self, NativeArguments};
use harness::object::{Event, Kernel, Memory, Object, Queue};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// The events that a command waits for, as a C array.
pub struct WaitList(Vec<cl_event>);

impl WaitList {
    /// A list of references that live until the call returns.
    pub fn new<'a>(events: impl IntoIterator<Item = &'a Object<Event>>) -> Self {
        Self(events.into_iter().map(Object::get).collect())
    }

    /// `num_events_in_wait_list`
    pub fn count(&self) -> cl_uint {
        self.0.len() as cl_uint
    }

    /// `event_wait_list`
    pub fn start(&self) -> *const cl_event {
        if self.0.is_empty() {
            null()
        } else {
            self.0.as_ptr()
        }
    }
}

/// Enqueues a command, with the wait list and an event as last arguments.
macro_rules! enqueue {
    ($wait:expr, $function:ident ( $($argument:expr),* $(,)? )) => {{
        let wait = $crate::command::WaitList::new($wait.iter().copied());
        let mut event: cl_sys::cl_event = std::ptr::null_mut();
        harness::call::ok!(
            $function($($argument,)* wait.count(), wait.start(), &raw mut event)
        )
        .map(|()| harness::object::Object::<harness::object::Event>::new(event))
    }};
}
pub(crate) use enqueue;

/// The events that a command waits for.
pub type Before<'a> = &'a [&'a Object<Event>];

/// Host memory that commands use. If it is dropped before `finished`, after a failure, the memory
/// is leaked, because commands may still access it.
#[derive(Default)]
pub struct Kept {
    words: Vec<Box<[u32]>>,
    finished: bool,
}

impl Kept {
    /// Keeps the words. Returns their address.
    pub fn keep(&mut self, words: Vec<u32>) -> *mut c_void {
        self.words.push(words.into_boxed_slice());
        let kept = self.words.last_mut().expect("pushed just now");
        kept.as_mut_ptr().cast()
    }

    /// Returns the memory after all commands that use it have ended.
    pub fn finished(mut self) -> Vec<Box<[u32]>> {
        self.finished = true;
        std::mem::take(&mut self.words)
    }

    /// Number of kept pieces of memory.
    pub fn len(&self) -> usize {
        self.words.len()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.finished {
            std::mem::forget(std::mem::take(&mut self.words));
        }
    }
}

/// Size of the elements of all buffers, in bytes.
pub const WORD: usize = size_of::<u32>();

/// Non-blocking `clEnqueueWriteBuffer` from kept memory. Offsets are in words.
pub fn write(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    place: std::ops::Range<usize>,
    from: *const c_void,
    before: Before<'_>,
) -> Result<Object<Event>> {
    enqueue!(
        before,
        clEnqueueWriteBuffer(
            queue.get(),
            buffer.get(),
            CL_FALSE,
            place.start * WORD,
            place.len() * WORD,
            from,
        )
    )
}

/// Non-blocking `clEnqueueReadBuffer` to kept memory. Offsets are in words.
pub fn read(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    place: std::ops::Range<usize>,
    to: *mut c_void,
    before: Before<'_>,
) -> Result<Object<Event>> {
    enqueue!(
        before,
        clEnqueueReadBuffer(
            queue.get(),
            buffer.get(),
            CL_FALSE,
            place.start * WORD,
            place.len() * WORD,
            to,
        )
    )
}

/// Reads words of a buffer with a blocking command.
pub fn read_now(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    words: usize,
    before: Before<'_>,
) -> Result<Vec<u32>> {
    let mut read = vec![0u32; words];
    enqueue!(
        before,
        clEnqueueReadBuffer(
            queue.get(),
            buffer.get(),
            CL_TRUE,
            0,
            words * WORD,
            read.as_mut_ptr().cast(),
        )
    )?;
    Ok(read)
}

/// `clEnqueueCopyBuffer`. Offsets are in words.
pub fn copy(
    queue: &Object<Queue>,
    [from, to]: [&Object<Memory>; 2],
    [from_place, to_place]: [usize; 2],
    words: usize,
    before: Before<'_>,
) -> Result<Object<Event>> {
    enqueue!(
        before,
        clEnqueueCopyBuffer(
            queue.get(),
            from.get(),
            to.get(),
            from_place * WORD,
            to_place * WORD,
            words * WORD,
        )
    )
}

/// `clEnqueueFillBuffer`. Offsets are in words.
pub fn fill(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    pattern: &[u32],
    place: std::ops::Range<usize>,
    before: Before<'_>,
) -> Result<Object<Event>> {
    enqueue!(
        before,
        clEnqueueFillBuffer(
            queue.get(),
            buffer.get(),
            pattern.as_ptr().cast(),
            size_of_val(pattern),
            place.start * WORD,
            place.len() * WORD,
        )
    )
}

/// `clEnqueueNDRangeKernel` in one dimension.
pub fn launch(
    queue: &Object<Queue>,
    kernel: &Object<Kernel>,
    items: std::ops::Range<usize>,
    local: Option<usize>,
    before: Before<'_>,
) -> Result<Object<Event>> {
    let (offset, global) = (items.start, items.len());
    enqueue!(
        before,
        clEnqueueNDRangeKernel(
            queue.get(),
            kernel.get(),
            1,
            if offset == 0 {
                null()
            } else {
                &raw const offset
            },
            &raw const global,
            local.as_ref().map_or(null(), std::ptr::from_ref),
        )
    )
}

/// `clSetKernelArg` with a value, which is a handle for objects.
pub fn set<T>(kernel: &Object<Kernel>, index: u32, value: &T) -> Result<()> {
    let value = std::ptr::from_ref(value).cast();
    ok!(clSetKernelArg(kernel.get(), index, size_of::<T>(), value))
}

/// `clSetKernelArg` for local memory.
pub fn set_local(kernel: &Object<Kernel>, index: u32, bytes: usize) -> Result<()> {
    ok!(clSetKernelArg(kernel.get(), index, bytes, null()))
}

/// `clEnqueueMapBuffer`. Returns the address and the event.
pub fn map(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    (blocking, flags): (bool, cl_map_flags),
    place: std::ops::Range<usize>,
    before: Before<'_>,
) -> Result<(*mut u32, Object<Event>)> {
    let wait = WaitList::new(before.iter().copied());
    let mut event = null_mut();
    let address = made!(clEnqueueMapBuffer(
        queue.get(),
        buffer.get(),
        cl_bool::from(blocking),
        flags,
        place.start * WORD,
        place.len() * WORD,
        wait.count(),
        wait.start(),
        &raw mut event,
    ))?;
    Ok((address.cast(), Object::new(event)))
}

/// `clEnqueueUnmapMemObject`
pub fn unmap(
    queue: &Object<Queue>,
    memory: &Object<Memory>,
    address: *mut u32,
    before: Before<'_>,
) -> Result<Object<Event>> {
    enqueue!(
        before,
        clEnqueueUnmapMemObject(queue.get(), memory.get(), address.cast())
    )
}

/// `clEnqueueNativeKernel` with the buffer's address.
pub fn native(
    queue: &Object<Queue>,
    buffer: &Object<Memory>,
    before: Before<'_>,
    body: impl FnOnce(*mut u32) + Send + 'static,
) -> Result<Object<Event>> {
    let user_data = callback::user_data("a native kernel", move |buffer, _| body(buffer.cast()));
    let mut arguments = NativeArguments {
        user_data,
        buffer: null_mut(),
    };
    let memory = buffer.get();
    let place: *const c_void = (&raw const arguments.buffer).cast();
    let enqueued = enqueue!(
        before,
        clEnqueueNativeKernel(
            queue.get(),
            Some(callback::native),
            (&raw mut arguments).cast(),
            size_of::<NativeArguments>(),
            1,
            &raw const memory,
            &raw const place,
        )
    );
    if enqueued.is_err() {
        callback::forget(user_data);
    }
    enqueued
}

/// `clEnqueueMarkerWithWaitList`
pub fn marker(queue: &Object<Queue>, before: Before<'_>) -> Result<Object<Event>> {
    enqueue!(before, clEnqueueMarkerWithWaitList(queue.get()))
}

/// `clEnqueueBarrierWithWaitList`
pub fn barrier(queue: &Object<Queue>, before: Before<'_>) -> Result<Object<Event>> {
    enqueue!(before, clEnqueueBarrierWithWaitList(queue.get()))
}

/// `clEnqueueMigrateMemObjects`
pub fn migrate(
    queue: &Object<Queue>,
    memory: &Object<Memory>,
    flags: cl_mem_migration_flags,
    before: Before<'_>,
) -> Result<Object<Event>> {
    let memory = memory.get();
    enqueue!(
        before,
        clEnqueueMigrateMemObjects(queue.get(), 1, &raw const memory, flags)
    )
}

/// `clFlush`
pub fn flush(queue: &Object<Queue>) -> Result<()> {
    ok!(clFlush(queue.get()))
}

/// `clFinish`
pub fn finish(queue: &Object<Queue>) -> Result<()> {
    ok!(clFinish(queue.get()))
}

/// `clWaitForEvents`
pub fn wait<'a>(events: impl IntoIterator<Item = &'a Object<Event>>) -> Result<()> {
    let list = WaitList::new(events);
    ok!(clWaitForEvents(list.count(), list.start()))
}

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`
pub fn status(event: &Object<Event>) -> Result<cl_int> {
    let mut status = 99;
    ok!(clGetEventInfo(
        event.get(),
        CL_EVENT_COMMAND_EXECUTION_STATUS,
        size_of::<cl_int>(),
        (&raw mut status).cast(),
        null_mut(),
    ))?;
    Ok(status)
}

/// `clCreateUserEvent`
pub fn user_event(context: cl_context) -> Result<Object<Event>> {
    made!(clCreateUserEvent(context)).map(Object::new)
}

/// `clSetUserEventStatus`
pub fn set_status(event: &Object<Event>, status: cl_int) -> Result<()> {
    ok!(clSetUserEventStatus(event.get(), status))
}

/// `clSetEventCallback`
pub fn on_status(
    event: &Object<Event>,
    status: cl_int,
    body: impl FnOnce(*mut c_void, cl_int) + Send + 'static,
) -> Result<()> {
    let kind = match status {
        CL_COMPLETE => "an event callback (COMPLETE)",
        CL_RUNNING => "an event callback (RUNNING)",
        _ => "an event callback (SUBMITTED)",
    };
    let user_data = callback::user_data(kind, body);
    let set = ok!(clSetEventCallback(
        event.get(),
        status,
        Some(callback::event),
        user_data
    ));
    if set.is_err() {
        callback::forget(user_data);
    }
    set
}

/// `clSetMemObjectDestructorCallback`
pub fn on_destruction(memory: &Object<Memory>, body: impl FnOnce() + Send + 'static) -> Result<()> {
    let user_data = callback::user_data("a destructor callback", move |_, _| body());
    let set = ok!(clSetMemObjectDestructorCallback(
        memory.get(),
        Some(callback::memory),
        user_data
    ));
    if set.is_err() {
        callback::forget(user_data);
    }
    set
}
