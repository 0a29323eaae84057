//! Contexts and command-queues: what they say of themselves, and how long they live.

use crate::session::{Session, answer, made, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

fn of_context(context: cl_context, name: cl_context_info) -> Vec<u8> {
    answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetContextInfo(context, name, size, value, size_ret) }
    })
}

fn of_queue(queue: cl_command_queue, name: cl_command_queue_info) -> Vec<u8> {
    answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetCommandQueueInfo(queue, name, size, value, size_ret) }
    })
}

fn bytes_of(words: &[usize]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn contexts_return_their_properties_as_given() {
    let session = Session::open();
    let platform = session.platform.expose_provenance();
    let (of_platform, user_sync) = (
        CL_CONTEXT_PLATFORM as usize,
        CL_CONTEXT_INTEROP_USER_SYNC as usize,
    );
    for list in [
        &[0][..],
        &[of_platform, platform, 0],
        &[user_sync, 1, of_platform, platform, 0],
    ] {
        // SAFETY: list and devices are read during the call.
        let context = made(|code| unsafe {
            let devices = session.devices.as_ptr();
            clCreateContext(list.as_ptr().cast(), 1, devices, None, null_mut(), code)
        });
        assert_eq!(of_context(context, CL_CONTEXT_PROPERTIES), bytes_of(list));
        // SAFETY: the context is valid.
        ok(unsafe { clReleaseContext(context) });
    }
    assert!(of_context(session.context, CL_CONTEXT_PROPERTIES).is_empty());
}

#[test]
fn a_device_given_twice_is_there_once() {
    let session = Session::open();
    let [first, second] = [session.devices[2], session.devices[0]];
    let devices = [first, second, first, second, second];
    // SAFETY: the devices are read during the call.
    let context = made(|code| unsafe {
        clCreateContext(null(), 5, devices.as_ptr(), None, null_mut(), code)
    });
    assert_eq!(
        of_context(context, CL_CONTEXT_NUM_DEVICES),
        2u32.to_ne_bytes()
    );
    assert_eq!(
        of_context(context, CL_CONTEXT_DEVICES),
        bytes_of(&[first.addr(), second.addr()])
    );
    // SAFETY: the context is valid.
    ok(unsafe { clReleaseContext(context) });
}

#[test]
fn queues_say_what_they_were_made_with_and_keep_their_context() {
    let session = Session::open();
    let device = session.devices[0];
    // SAFETY: handles are valid as long as something holds their objects.
    unsafe {
        let context = made(|code| clCreateContext(null(), 1, &device, None, null_mut(), code));
        let both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        let queue = made(|code| clCreateCommandQueue(context, device, both, code));
        assert_eq!(
            of_queue(queue, CL_QUEUE_CONTEXT),
            bytes_of(&[context.addr()])
        );
        assert_eq!(of_queue(queue, CL_QUEUE_DEVICE), bytes_of(&[device.addr()]));
        assert_eq!(of_queue(queue, CL_QUEUE_PROPERTIES), both.to_ne_bytes());
        assert_eq!(
            of_queue(queue, CL_QUEUE_REFERENCE_COUNT),
            1u32.to_ne_bytes()
        );
        ok(clRetainCommandQueue(queue));
        assert_eq!(
            of_queue(queue, CL_QUEUE_REFERENCE_COUNT),
            2u32.to_ne_bytes()
        );
        ok(clReleaseCommandQueue(queue));

        ok(clRetainContext(context));
        assert_eq!(
            of_context(context, CL_CONTEXT_REFERENCE_COUNT),
            2u32.to_ne_bytes()
        );
        ok(clReleaseContext(context));
        ok(clReleaseContext(context));
        // Only the queue holds it now; a query returns a handle that may be used and retained.
        assert_eq!(
            of_queue(queue, CL_QUEUE_CONTEXT),
            bytes_of(&[context.addr()])
        );
        assert_eq!(
            of_context(context, CL_CONTEXT_REFERENCE_COUNT),
            0u32.to_ne_bytes()
        );
        ok(clReleaseMemObject(made(|code| {
            clCreateBuffer(context, 0, 16, null_mut(), code)
        })));
        ok(clReleaseCommandQueue(queue));
        assert_eq!(clReleaseContext(context), CL_INVALID_CONTEXT);
        assert_eq!(clRetainCommandQueue(queue), CL_INVALID_COMMAND_QUEUE);
    }
}

#[test]
fn releasing_a_queue_lets_its_commands_run() {
    let session = Session::open();
    let buffer = session.buffer(&[0u32; 4]);
    // SAFETY: handles are valid; the pattern is copied during the call.
    unsafe {
        let queue = made(|code| clCreateCommandQueue(session.context, session.devices[0], 0, code));
        let (pattern, mut event) = (7u32, null_mut());
        ok(clEnqueueFillBuffer(
            queue,
            buffer,
            (&raw const pattern).cast(),
            4,
            0,
            16,
            0,
            null(),
            &mut event,
        ));
        ok(clReleaseCommandQueue(queue));
        // The queue is neither flushed nor waited for.
        ok(clWaitForEvents(1, &event));
        assert_eq!(session.read::<u32>(buffer, 4), [7; 4]);
        // The event still knows it.
        let of_event = answer(|size, value, size_ret| {
            clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, size, value, size_ret)
        });
        assert_eq!(of_event, bytes_of(&[queue.addr()]));
        ok(clReleaseEvent(event));
    }
}
