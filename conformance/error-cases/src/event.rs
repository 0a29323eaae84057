//! Events, markers and barriers.

use crate::session::{Session, made, ok, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// A user event of the session's context.
pub fn user_event(session: &Session) -> cl_event {
    // SAFETY: the context is valid.
    made(|code| unsafe { clCreateUserEvent(session.context, code) })
}

/// `CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3` and the same of arrays.
const COUNTERS: cl_profiling_info = 0x4D4F_4302;
const ARRAY_COUNTERS: cl_profiling_info = 0x4D4F_4304;

/// A user event of another context.
fn foreign_event(session: &Session) -> cl_event {
    user_event(&session.another())
}

/// The event of a marker that has ended, in a queue that profiles.
fn ended(session: &Session) -> cl_event {
    let mut event = null_mut();
    // SAFETY: the queue is valid.
    unsafe {
        ok(clEnqueueMarkerWithWaitList(
            session.profiling,
            0,
            null(),
            &mut event,
        ));
        ok(clWaitForEvents(1, &event));
    }
    event
}

/// Queries a value into `size` bytes.
fn info(event: cl_event, name: cl_event_info, size: usize) -> cl_int {
    let mut value = [0u64; 2];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetEventInfo(event, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

fn profiling(event: cl_event, name: cl_profiling_info, size: usize) -> cl_int {
    let mut value = 0u64;
    let to = (&raw mut value).cast();
    // SAFETY: there is room for the value.
    unsafe { clGetEventProfilingInfo(event, name, size, to, null_mut()) }
}

fn marker(queue: cl_command_queue, wait_list: &[cl_event]) -> cl_int {
    // SAFETY: the list is read during the call.
    unsafe {
        let count = wait_list.len() as u32;
        clEnqueueMarkerWithWaitList(queue, count, wait_list.as_ptr(), null_mut())
    }
}

fn barrier(queue: cl_command_queue, wait_list: &[cl_event]) -> cl_int {
    // SAFETY: the list is read during the call.
    unsafe {
        let count = wait_list.len() as u32;
        clEnqueueBarrierWithWaitList(queue, count, wait_list.as_ptr(), null_mut())
    }
}

fn wait_in_queue(queue: cl_command_queue, events: &[cl_event]) -> cl_int {
    // SAFETY: the list is read during the call.
    unsafe { clEnqueueWaitForEvents(queue, events.len() as u32, events.as_ptr().cast_mut()) }
}

fn wait(events: &[cl_event]) -> cl_int {
    // SAFETY: the list is read during the call.
    unsafe { clWaitForEvents(events.len() as u32, events.as_ptr()) }
}

fn set_status(event: cl_event, status: cl_int) -> cl_int {
    // SAFETY: no pointers are given.
    unsafe { clSetUserEventStatus(event, status) }
}

extern "C" fn nothing(_: cl_event, _: cl_int, _: *mut c_void) {}

type Callback = extern "C" fn(cl_event, cl_int, *mut c_void);

fn set_callback(event: cl_event, status: cl_int, callback: Option<Callback>) -> cl_int {
    // SAFETY: the callback uses no data.
    unsafe { clSetEventCallback(event, status, callback, null_mut()) }
}

fn retain(event: cl_event) -> cl_int {
    // SAFETY: no other pointers are given.
    unsafe { clRetainEvent(event) }
}

fn release(event: cl_event) -> cl_int {
    // SAFETY: no other pointers are given.
    unsafe { clReleaseEvent(event) }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateUserEvent {
        CL_INVALID_CONTEXT {
            // SAFETY: the place for the code is valid.
            null: |_| refused(|code| unsafe { clCreateUserEvent(null_mut(), code) }),
            released: |session| {
                let context = stale::context(session);
                // SAFETY: as above.
                refused(|code| unsafe { clCreateUserEvent(context, code) })
            },
            a_queue: |session| {
                // SAFETY: as above.
                refused(|code| unsafe { clCreateUserEvent(session.queue.cast(), code) })
            },
        }
    }
    clSetUserEventStatus {
        CL_INVALID_EVENT {
            null: |_| set_status(null_mut(), CL_COMPLETE),
            released: |session| set_status(stale::event(session), CL_COMPLETE),
            a_context: |session| set_status(session.context.cast(), CL_COMPLETE),
            the_event_of_a_command: |session| set_status(ended(session), CL_COMPLETE),
        }
        CL_INVALID_VALUE {
            running: |session| set_status(user_event(session), CL_RUNNING),
            submitted: |session| set_status(user_event(session), CL_SUBMITTED),
            queued: |session| set_status(user_event(session), CL_QUEUED),
            no_status: |session| set_status(user_event(session), 77),
        }
        CL_INVALID_OPERATION {
            complete_before: |session| {
                let event = user_event(session);
                ok(set_status(event, CL_COMPLETE));
                set_status(event, CL_COMPLETE)
            },
            failed_before: |session| {
                let event = user_event(session);
                ok(set_status(event, -1));
                set_status(event, CL_COMPLETE)
            },
        }
    }
    clWaitForEvents {
        CL_INVALID_VALUE {
            no_events: |session| {
                // SAFETY: the list is not read.
                unsafe { clWaitForEvents(0, &user_event(session)) }
            },
            // SAFETY: null is no list.
            null_list: |_| unsafe { clWaitForEvents(1, null()) },
        }
        CL_INVALID_CONTEXT {
            events_of_two_contexts: |session| wait(&[ended(session), foreign_event(session)]),
        }
        CL_INVALID_EVENT {
            null: |session| wait(&[ended(session), null_mut()]),
            released: |session| wait(&[stale::event(session)]),
            a_queue: |session| wait(&[session.queue.cast()]),
        }
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
            a_failed_user_event: |session| {
                let failed = user_event(session);
                ok(set_status(failed, -3));
                wait(&[ended(session), failed])
            },
            a_command_behind_a_failed_user_event: |session| {
                let gate = user_event(session);
                let mut event = null_mut();
                // SAFETY: queue and list are valid.
                ok(unsafe { clEnqueueMarkerWithWaitList(session.profiling, 1, &gate, &mut event) });
                ok(set_status(gate, -3));
                wait(&[event])
            },
        }
    }
    clGetEventInfo {
        CL_INVALID_VALUE {
            no_such_query: |session| info(user_event(session), CL_PROFILING_COMMAND_END, 16),
            too_little_room: |session| info(user_event(session), CL_EVENT_COMMAND_TYPE, 3),
        }
        CL_INVALID_EVENT {
            null: |_| info(null_mut(), CL_EVENT_CONTEXT, 8),
            released: |session| info(stale::event(session), CL_EVENT_CONTEXT, 8),
            a_device: |session| info(session.devices[0].cast(), CL_EVENT_CONTEXT, 8),
        }
    }
    clSetEventCallback {
        CL_INVALID_EVENT {
            null: |_| set_callback(null_mut(), CL_COMPLETE, Some(nothing)),
            released: |session| set_callback(stale::event(session), CL_COMPLETE, Some(nothing)),
            a_queue: |session| set_callback(session.queue.cast(), CL_COMPLETE, Some(nothing)),
        }
        CL_INVALID_VALUE {
            null_function: |session| set_callback(user_event(session), CL_COMPLETE, None),
            queued: |session| set_callback(user_event(session), CL_QUEUED, Some(nothing)),
            a_negative_status: |session| set_callback(user_event(session), -1, Some(nothing)),
        }
    }
    clRetainEvent {
        CL_INVALID_EVENT {
            null: |_| retain(null_mut()),
            released: |session| retain(stale::event(session)),
            a_context: |session| retain(session.context.cast()),
        }
    }
    clReleaseEvent {
        CL_INVALID_EVENT {
            null: |_| release(null_mut()),
            released: |session| release(stale::event(session)),
            released_twice_while_a_command_waits_for_it: |session| {
                let gate = user_event(session);
                ok(marker(session.queue, &[gate]));
                ok(release(gate));
                let code = release(gate);
                ok(set_status(gate, CL_COMPLETE));
                code
            },
            a_context: |session| release(session.context.cast()),
        }
    }
    clGetEventProfilingInfo {
        CL_PROFILING_INFO_NOT_AVAILABLE {
            a_queue_that_does_not_profile: |session| {
                let mut event = null_mut();
                // SAFETY: the queue is valid.
                unsafe {
                    let queue = session.queue;
                    ok(clEnqueueMarkerWithWaitList(queue, 0, null(), &mut event));
                    ok(clWaitForEvents(1, &event));
                }
                profiling(event, CL_PROFILING_COMMAND_START, 8)
            },
            a_command_that_has_not_ended: |session| {
                let gate = user_event(session);
                let mut event = null_mut();
                // SAFETY: queue and list are valid.
                ok(unsafe { clEnqueueMarkerWithWaitList(session.queue, 1, &gate, &mut event) });
                let code = profiling(event, CL_PROFILING_COMMAND_QUEUED, 8);
                ok(set_status(gate, CL_COMPLETE));
                code
            },
            a_user_event: |session| {
                let event = user_event(session);
                ok(set_status(event, CL_COMPLETE));
                profiling(event, CL_PROFILING_COMMAND_END, 8)
            },
            counters_of_a_command_that_is_no_kernel: |session| {
                let first = profiling(ended(session), COUNTERS, 8);
                assert_eq!(profiling(ended(session), ARRAY_COUNTERS, 8), first);
                first
            },
        }
        CL_INVALID_VALUE {
            no_such_query: |session| profiling(ended(session), CL_EVENT_COMMAND_TYPE, 8),
            too_little_room: |session| profiling(ended(session), CL_PROFILING_COMMAND_END, 4),
        }
        CL_INVALID_EVENT {
            null: |_| profiling(null_mut(), CL_PROFILING_COMMAND_END, 8),
            released: |session| profiling(stale::event(session), CL_PROFILING_COMMAND_END, 8),
            a_queue: |session| profiling(session.queue.cast(), CL_PROFILING_COMMAND_END, 8),
        }
    }
    clEnqueueMarkerWithWaitList {
        CL_INVALID_COMMAND_QUEUE {
            null: |session| marker(null_mut(), &[ended(session)]),
            released: |session| marker(stale::queue(session), &[ended(session)]),
            a_context: |session| marker(session.context.cast(), &[ended(session)]),
        }
        CL_INVALID_CONTEXT {
            an_event_of_another_context: |session| marker(session.queue, &[foreign_event(session)]),
        }
        CL_INVALID_EVENT_WAIT_LIST {
            a_null_list_of_one: |session| {
                // SAFETY: null is no list.
                unsafe { clEnqueueMarkerWithWaitList(session.queue, 1, null(), null_mut()) }
            },
            a_list_of_no_events: |session| {
                let event = ended(session);
                // SAFETY: the list is not read.
                unsafe { clEnqueueMarkerWithWaitList(session.queue, 0, &event, null_mut()) }
            },
            a_released_event: |session| marker(session.queue, &[stale::event(session)]),
            a_null_event: |session| marker(session.queue, &[ended(session), null_mut()]),
        }
    }
    clEnqueueBarrierWithWaitList {
        CL_INVALID_COMMAND_QUEUE {
            null: |session| barrier(null_mut(), &[ended(session)]),
            released: |session| barrier(stale::queue(session), &[ended(session)]),
            a_context: |session| barrier(session.context.cast(), &[ended(session)]),
        }
        CL_INVALID_CONTEXT {
            an_event_of_another_context: |session| barrier(session.queue, &[foreign_event(session)]),
        }
        CL_INVALID_EVENT_WAIT_LIST {
            a_null_list_of_one: |session| {
                // SAFETY: null is no list.
                unsafe { clEnqueueBarrierWithWaitList(session.queue, 1, null(), null_mut()) }
            },
            a_list_of_no_events: |session| {
                let event = ended(session);
                // SAFETY: the list is not read.
                unsafe { clEnqueueBarrierWithWaitList(session.queue, 0, &event, null_mut()) }
            },
            a_released_event: |session| barrier(session.queue, &[stale::event(session)]),
            a_null_event: |session| barrier(session.queue, &[ended(session), null_mut()]),
        }
    }
    clEnqueueMarker {
        CL_INVALID_COMMAND_QUEUE {
            null: |_| {
                let mut event = null_mut();
                // SAFETY: there is room for the event.
                unsafe { clEnqueueMarker(null_mut(), &mut event) }
            },
            released: |session| {
                let mut event = null_mut();
                // SAFETY: as above.
                unsafe { clEnqueueMarker(stale::queue(session), &mut event) }
            },
        }
        CL_INVALID_VALUE {
            // SAFETY: null is no place for an event.
            null_event: |session| unsafe { clEnqueueMarker(session.queue, null_mut()) },
        }
    }
    clEnqueueWaitForEvents {
        CL_INVALID_COMMAND_QUEUE {
            null: |session| wait_in_queue(null_mut(), &[ended(session)]),
            released: |session| wait_in_queue(stale::queue(session), &[ended(session)]),
        }
        CL_INVALID_CONTEXT {
            an_event_of_another_context: |session| {
                wait_in_queue(session.queue, &[foreign_event(session)])
            },
        }
        CL_INVALID_VALUE {
            no_events: |session| {
                let mut event = ended(session);
                // SAFETY: the list is not read.
                unsafe { clEnqueueWaitForEvents(session.queue, 0, &mut event) }
            },
            // SAFETY: null is no list.
            null_list: |session| unsafe { clEnqueueWaitForEvents(session.queue, 1, null_mut()) },
        }
        CL_INVALID_EVENT {
            null: |session| wait_in_queue(session.queue, &[null_mut()]),
            released: |session| wait_in_queue(session.queue, &[stale::event(session)]),
        }
    }
    clEnqueueBarrier {
        CL_INVALID_COMMAND_QUEUE {
            // SAFETY: no other pointers are given.
            null: |_| unsafe { clEnqueueBarrier(null_mut()) },
            // SAFETY: as above.
            released: |session| unsafe { clEnqueueBarrier(stale::queue(session)) },
        }
    }
};
