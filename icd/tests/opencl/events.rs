//! Events and the order of commands.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

fn status(event: cl_event) -> i32 {
    let mut status = 99;
    let to = std::ptr::from_mut(&mut status).cast();
    // SAFETY: the value has the size given.
    ok(unsafe { clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, to, null_mut()) });
    status
}

const APPEND: &str = "kernel void append(global int *list, int value) {
        list[++list[0]] = value;
    }";

#[test]
fn a_user_event_holds_commands_back() {
    let session = Session::open();
    let kernel = session.kernel(APPEND, "append");
    let list = session.buffer(&[0i32; 8]);
    ok(session.set(kernel, 0, &list));
    // SAFETY: the handles are valid.
    let gate = made(|code| unsafe { clCreateUserEvent(session.context, code) });
    let mut events = [null_mut(); 3];
    for (value, event) in (1..).zip(&mut events) {
        ok(session.set(kernel, 1, &value));
        let wait: &[cl_event] = if value == 1 { &[gate] } else { &[] };
        ok(session.launch(session.queue, kernel, &[1], None, wait, event));
    }
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(events.iter().all(|event| status(*event) > 0));
    // SAFETY: as above.
    unsafe {
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        assert_eq!(
            clSetUserEventStatus(gate, CL_COMPLETE),
            CL_INVALID_OPERATION
        );
        ok(clWaitForEvents(3, events.as_ptr()));
    }
    assert!(events.iter().all(|event| status(*event) == CL_COMPLETE));
    assert_eq!(session.read::<i32>(list, 4), [3, 1, 2, 3]);
}

#[test]
fn failure_goes_from_event_to_event() {
    let session = Session::open();
    let kernel = session.kernel(APPEND, "append");
    let list = session.buffer(&[0i32; 8]);
    ok(session.set(kernel, 0, &list));
    ok(session.set(kernel, 1, &5));
    // SAFETY: the handles are valid.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let (mut first, mut second) = (null_mut(), null_mut());
        let queue = session.out_of_order;
        ok(session.launch(queue, kernel, &[1], None, &[gate], &mut first));
        ok(session.launch(queue, kernel, &[1], None, &[first], &mut second));
        ok(clSetUserEventStatus(gate, -77));
        assert_eq!(
            clWaitForEvents(1, &second),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        );
        assert!(status(first) < 0 && status(second) < 0);
        ok(clFinish(queue));
    }
    assert_eq!(session.read::<i32>(list, 1), [0]);
}

#[test]
fn an_out_of_order_queue_keeps_to_wait_lists_and_barriers() {
    let session = Session::open();
    let kernel = session.kernel(APPEND, "append");
    let list = session.buffer(&[0i32; 64]);
    ok(session.set(kernel, 0, &list));
    let queue = session.out_of_order;
    let mut last: Option<cl_event> = None;
    for value in 0..20 {
        let mut event = null_mut();
        ok(session.set(kernel, 1, &value));
        let wait: Vec<cl_event> = last.into_iter().collect();
        ok(session.launch(queue, kernel, &[1], None, &wait, &mut event));
        last = Some(event);
    }
    // SAFETY: the queue is valid.
    unsafe { ok(clEnqueueBarrierWithWaitList(queue, 0, null(), null_mut())) };
    ok(session.set(kernel, 1, &99));
    ok(session.launch(queue, kernel, &[1], None, &[], null_mut()));
    // SAFETY: as above.
    unsafe { ok(clFinish(queue)) };
    let expected: Vec<i32> = [21].into_iter().chain(0..20).chain([99]).collect();
    assert_eq!(session.read::<i32>(list, 22), expected);
}

#[test]
fn callbacks_are_called_once_with_their_status() {
    static RECEIVED: Mutex<Vec<i32>> = Mutex::new(Vec::new());
    extern "C" fn note(_: cl_event, status: cl_int, _: *mut c_void) {
        RECEIVED.lock().unwrap().push(status);
    }
    let session = Session::open();
    // SAFETY: the callback uses no data.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let mut marker = null_mut();
        ok(clEnqueueMarkerWithWaitList(
            session.queue,
            1,
            &gate,
            &mut marker,
        ));
        ok(clSetEventCallback(
            marker,
            CL_RUNNING,
            Some(note),
            null_mut(),
        ));
        ok(clSetEventCallback(
            marker,
            CL_COMPLETE,
            Some(note),
            null_mut(),
        ));
        assert!(RECEIVED.lock().unwrap().is_empty());
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clFinish(session.queue));
        // The last callback may still be pending.
        while RECEIVED.lock().unwrap().len() < 2 {
            std::thread::yield_now();
        }
        assert_eq!(*RECEIVED.lock().unwrap(), [CL_RUNNING, CL_COMPLETE]);
    }
}

#[test]
fn profiling_counters_are_in_order() {
    let session = Session::open();
    let kernel = session.kernel(APPEND, "append");
    let list = session.buffer(&[0i32; 8]);
    ok(session.set(kernel, 0, &list));
    ok(session.set(kernel, 1, &1));
    let counters = |event| {
        [
            CL_PROFILING_COMMAND_QUEUED,
            CL_PROFILING_COMMAND_SUBMIT,
            CL_PROFILING_COMMAND_START,
            CL_PROFILING_COMMAND_END,
        ]
        .map(|name| {
            let mut time = 0u64;
            let to = std::ptr::from_mut(&mut time).cast();
            // SAFETY: the value has the size given.
            let code = unsafe { clGetEventProfilingInfo(event, name, 8, to, null_mut()) };
            (code, time)
        })
    };
    for (queue, code) in [
        (session.profiling, CL_SUCCESS),
        (session.out_of_order, CL_PROFILING_INFO_NOT_AVAILABLE),
    ] {
        let mut event = null_mut();
        ok(session.launch(queue, kernel, &[1], None, &[], &mut event));
        // SAFETY: the event is valid.
        unsafe { ok(clWaitForEvents(1, &event)) };
        let counters = counters(event);
        assert!(counters.iter().all(|(got, _)| *got == code), "{counters:?}");
        assert!(counters.is_sorted_by_key(|(_, time)| *time), "{counters:?}");
    }
}

#[test]
fn many_threads_share_a_queue() {
    let session = Session::open();
    let source = "kernel void add(global int *x) { atomic_inc(x); }";
    let program = session.program(source);
    ok(session.build(program, ""));
    let total = session.buffer(&[0i32]);
    let (program, total_address) = (program as usize, total as usize);
    let queues =
        [session.queue, session.profiling, session.out_of_order].map(|queue| queue as usize);
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let session = &session;
            scope.spawn(move || {
                let queue = queues[thread % 3] as cl_command_queue;
                let kernel = session.kernel_of(program as cl_program, "add");
                ok(session.set(kernel, 0, &(total_address as cl_mem)));
                for round in 0..100 {
                    ok(session.launch(queue, kernel, &[10], None, &[], null_mut()));
                    if round % 7 == 0 {
                        // SAFETY: the queue is valid.
                        unsafe { ok(clFinish(queue)) };
                    }
                }
                // SAFETY: as above.
                unsafe { ok(clFinish(queue)) };
            });
        }
    });
    assert_eq!(session.read::<i32>(total, 1), [6000]);
}
