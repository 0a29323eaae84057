//! Maps of buffers: where they point, how they are counted, and what undoes them.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

fn unmap(queue: cl_command_queue, object: cl_mem, pointer: *mut c_void) -> cl_int {
    // SAFETY: pointers that are not mapped are refused.
    unsafe { clEnqueueUnmapMemObject(queue, object, pointer, 0, null(), null_mut()) }
}

fn count(object: cl_mem) -> u32 {
    let mut count = 0u32;
    let to = (&raw mut count).cast();
    // SAFETY: there is room for the answer.
    ok(unsafe { clGetMemObjectInfo(object, CL_MEM_MAP_COUNT, 4, to, null_mut()) });
    count
}

fn part(buffer: cl_mem, origin: usize, size: usize) -> cl_mem {
    let region = [origin, size];
    // SAFETY: the region is read during the call.
    made(|code| unsafe {
        let region = region.as_ptr().cast();
        clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
    })
}

fn user_event(session: &Session) -> cl_event {
    // SAFETY: the context is valid.
    made(|code| unsafe { clCreateUserEvent(session.context, code) })
}

fn status(event: cl_event) -> cl_int {
    let mut status = 12345;
    let to = (&raw mut status).cast();
    // SAFETY: there is room for the answer.
    ok(unsafe { clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, to, null_mut()) });
    status
}

#[test]
fn pointers_are_in_the_host_memory_that_is_used() {
    let session = Session::open();
    let mut memory = vec![1u32; 1024];
    let start = memory.as_mut_ptr().cast::<c_void>();
    // SAFETY: the memory outlives the buffer.
    let buffer = made(|code| unsafe {
        clCreateBuffer(session.context, CL_MEM_USE_HOST_PTR, 4096, start, code)
    });
    let kernel = session.kernel(
        "kernel void add(global uint *x) { x[get_global_id(0)] += get_global_id(0); }",
        "add",
    );
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1024], None, &[], null_mut()));
    let mapped = session.map(buffer, CL_MAP_READ, 400, 100).unwrap();
    assert_eq!(mapped, start.wrapping_byte_add(400));
    let sub_buffer = part(buffer, 1024, 512);
    let of_part = session.map(sub_buffer, CL_MAP_WRITE, 16, 64).unwrap();
    assert_eq!(of_part, start.wrapping_byte_add(1040));
    // SAFETY: 4 bytes are mapped at both.
    unsafe {
        assert_eq!(mapped.cast::<u32>().read(), 101);
        assert_eq!(of_part.cast::<u32>().read(), 261);
        of_part.cast::<u32>().write(7);
    }
    ok(session.unmap(buffer, mapped));
    ok(session.unmap(sub_buffer, of_part));
    assert_eq!(session.read::<u32>(buffer, 261)[260], 7);
    // SAFETY: no command uses them any more.
    unsafe {
        ok(clReleaseMemObject(sub_buffer));
        ok(clReleaseMemObject(buffer));
    }
    assert_eq!(memory[260], 7);
}

#[test]
fn a_region_is_unmapped_as_often_as_it_was_mapped() {
    let session = Session::open();
    let buffer = session.buffer(&[3u8; 256]);
    let first = session.map(buffer, CL_MAP_READ, 64, 64).unwrap();
    let second = session.map(buffer, CL_MAP_READ, 64, 64).unwrap();
    let overlapping = session.map(buffer, CL_MAP_READ, 0, 256).unwrap();
    // Reading it is no hindrance for one who writes.
    let writing = session.map(buffer, CL_MAP_WRITE, 64, 64).unwrap();
    assert_eq!((first, second), (second, writing));
    assert_eq!(overlapping.wrapping_byte_add(64), first);
    for left in [3, 2, 1] {
        ok(session.unmap(buffer, first));
        assert_eq!(count(buffer), left);
    }
    assert_eq!(session.unmap(buffer, first), CL_INVALID_VALUE);
    ok(session.unmap(buffer, overlapping));
    assert_eq!(count(buffer), 0);
}

#[test]
fn mapped_in_one_queue_and_unmapped_in_another() {
    let session = Session::open();
    let buffer = session.buffer(&[0u32; 64]);
    // SAFETY: the second device is of the context.
    let other =
        made(|code| unsafe { clCreateCommandQueue(session.context, session.devices[1], 0, code) });
    let mapped = session.map(buffer, CL_MAP_WRITE, 0, 256).unwrap();
    // SAFETY: 64 elements are mapped.
    unsafe { std::slice::from_raw_parts_mut(mapped.cast::<u32>(), 64) }.fill(8);
    ok(unmap(other, buffer, mapped));
    // SAFETY: the queue is valid.
    ok(unsafe { clFinish(other) });
    assert_eq!(count(buffer), 0);
    assert_eq!(session.read::<u32>(buffer, 64), [8; 64]);
}

#[test]
fn what_is_mapped_for_writing_is_free_when_unmapped() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 1024]);
    let (low, high) = (part(buffer, 0, 512), part(buffer, 256, 512));
    let mapped = session.map(low, CL_MAP_WRITE, 128, 256).unwrap();
    assert_eq!((count(low), count(high), count(buffer)), (1, 0, 0));
    assert_eq!(
        session.map(high, CL_MAP_WRITE, 127, 1).unwrap_err(),
        CL_INVALID_OPERATION
    );
    assert_eq!(
        session.map(buffer, CL_MAP_WRITE, 128, 1).unwrap_err(),
        CL_INVALID_OPERATION
    );
    // Next to it is not over it.
    let adjacent = session.map(high, CL_MAP_WRITE, 128, 384).unwrap();
    let before = session.map(buffer, CL_MAP_WRITE, 0, 128).unwrap();
    ok(session.unmap(low, mapped));
    let again = session
        .map(high, CL_MAP_WRITE_INVALIDATE_REGION, 0, 128)
        .unwrap();
    for (object, pointer) in [(high, adjacent), (buffer, before), (high, again)] {
        ok(session.unmap(object, pointer));
    }
    assert_eq!((count(low), count(high), count(buffer)), (0, 0, 0));
}

#[test]
fn a_sub_buffer_that_is_gone_is_mapped_no_more() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 1024]);
    let sub_buffer = part(buffer, 0, 512);
    session.map(sub_buffer, CL_MAP_WRITE, 0, 512).unwrap();
    assert_eq!(
        session.map(buffer, CL_MAP_WRITE, 0, 8).unwrap_err(),
        CL_INVALID_OPERATION
    );
    // SAFETY: both are valid, and the map has ended.
    unsafe {
        ok(clFinish(session.queue));
        ok(clReleaseMemObject(sub_buffer));
    }
    let mapped = session.map(buffer, CL_MAP_WRITE, 0, 8).unwrap();
    ok(session.unmap(buffer, mapped));
}

#[test]
fn a_map_that_fails_leaves_nothing_mapped() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 64]);
    let gate = user_event(&session);
    let mut event = null_mut();
    // SAFETY: objects and events are valid.
    unsafe {
        let pointer = made(|code| {
            let flags = CL_MAP_WRITE;
            let to = &mut event;
            clEnqueueMapBuffer(
                session.queue,
                buffer,
                CL_FALSE,
                flags,
                0,
                64,
                1,
                &gate,
                to,
                code,
            )
        });
        assert_eq!(count(buffer), 1);
        assert_eq!(
            session.map(buffer, CL_MAP_WRITE, 32, 8).unwrap_err(),
            CL_INVALID_OPERATION
        );
        ok(clSetUserEventStatus(gate, -9));
        let code = clWaitForEvents(1, &event);
        assert_eq!(code, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_eq!(status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_eq!(count(buffer), 0);
        assert_eq!(session.unmap(buffer, pointer), CL_INVALID_VALUE);
    }
    let mapped = session.map(buffer, CL_MAP_WRITE, 0, 64).unwrap();
    ok(session.unmap(buffer, mapped));
}

#[test]
fn what_could_not_be_unmapped_is_still_mapped() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 64]);
    let mapped = session.map(buffer, CL_MAP_WRITE, 16, 32).unwrap();
    let gate = user_event(&session);
    let mut event = null_mut();
    // SAFETY: objects and events are valid.
    unsafe {
        let queue = session.queue;
        ok(clEnqueueUnmapMemObject(
            queue, buffer, mapped, 1, &gate, &mut event,
        ));
        // It is as good as unmapped, unless that fails.
        assert_eq!(count(buffer), 0);
        assert_eq!(unmap(queue, buffer, mapped), CL_INVALID_VALUE);
        ok(clSetUserEventStatus(gate, -9));
        let code = clWaitForEvents(1, &event);
        assert_eq!(code, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    assert_eq!(count(buffer), 1);
    assert_eq!(
        session.map(buffer, CL_MAP_WRITE, 0, 17).unwrap_err(),
        CL_INVALID_OPERATION
    );
    ok(session.unmap(buffer, mapped));
    assert_eq!(count(buffer), 0);
}
