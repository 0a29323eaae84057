//! Memory objects: queries, lifetimes, and destructor callbacks.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// A number, an address or a handle that a query returns, and its size in bytes.
fn info(object: cl_mem, name: cl_mem_info) -> (usize, usize) {
    let mut value = 0usize;
    let mut size = 0;
    let to = (&raw mut value).cast();
    // SAFETY: there is room for any of the answers.
    ok(unsafe { clGetMemObjectInfo(object, name, 8, to, &mut size) });
    (value, size)
}

fn number(object: cl_mem, name: cl_mem_info) -> usize {
    info(object, name).0
}

fn create(session: &Session, flags: cl_mem_flags, size: usize, host: *mut c_void) -> cl_mem {
    // SAFETY: the callers' memory has as many bytes, and outlives buffers that use it.
    made(|code| unsafe { clCreateBuffer(session.context, flags, size, host, code) })
}

fn part(buffer: cl_mem, flags: cl_mem_flags, origin: usize, size: usize) -> cl_mem {
    let region = [origin, size];
    // SAFETY: the region is read during the call.
    made(|code| unsafe {
        let region = region.as_ptr().cast();
        clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, region, code)
    })
}

fn release(object: cl_mem) -> cl_int {
    // SAFETY: handles that are not valid are recognised.
    unsafe { clReleaseMemObject(object) }
}

#[test]
fn buffers_and_sub_buffers_are_queried() {
    let session = Session::open();
    let mut memory = vec![0u8; 4096];
    let host = memory.as_mut_ptr().cast::<c_void>();
    let flags = CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY;
    let used = create(&session, flags, 4096, host);
    let copied = create(&session, CL_MEM_COPY_HOST_PTR, 4096, host);
    let sub_buffer = part(used, 0, 1024, 512);
    let of_copied = part(
        copied,
        CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
        2048,
        2048,
    );
    let context = session.context.addr();
    let expected = |name, size, values: [usize; 4]| {
        let objects = [used, copied, sub_buffer, of_copied];
        for (object, value) in objects.into_iter().zip(values) {
            assert_eq!(info(object, name), (value, size), "{name:#x}");
        }
    };
    expected(CL_MEM_TYPE, 4, [CL_MEM_OBJECT_BUFFER as usize; 4]);
    expected(
        CL_MEM_FLAGS,
        8,
        [
            flags,
            CL_MEM_COPY_HOST_PTR,
            flags,
            CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_COPY_HOST_PTR,
        ]
        .map(|flags| flags as usize),
    );
    expected(CL_MEM_SIZE, 8, [4096, 4096, 512, 2048]);
    expected(CL_MEM_HOST_PTR, 8, [host.addr(), 0, host.addr() + 1024, 0]);
    expected(CL_MEM_MAP_COUNT, 4, [0; 4]);
    expected(CL_MEM_REFERENCE_COUNT, 4, [1; 4]);
    expected(CL_MEM_CONTEXT, 8, [context; 4]);
    let parents = [0, 0, used.addr(), copied.addr()];
    expected(CL_MEM_ASSOCIATED_MEMOBJECT, 8, parents);
    expected(CL_MEM_OFFSET, 8, [0, 0, 1024, 2048]);
    for object in [sub_buffer, of_copied, used, copied] {
        ok(release(object));
    }
}

#[test]
fn flags_are_as_they_were_given_and_by_default_all_may_read_and_write() {
    let session = Session::open();
    for flags in [
        CL_MEM_READ_WRITE,
        CL_MEM_WRITE_ONLY,
        CL_MEM_READ_ONLY,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_ALLOC_HOST_PTR | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_NO_ACCESS,
    ] {
        let buffer = create(&session, flags, 64, null_mut());
        assert_eq!(number(buffer, CL_MEM_FLAGS), flags as usize);
    }
    let buffer = create(&session, 0, 64, null_mut());
    assert_eq!(number(buffer, CL_MEM_FLAGS), CL_MEM_READ_WRITE as usize);
}

#[test]
fn memory_can_be_copied_to_where_the_host_sees_it() {
    let session = Session::open();
    let mut memory = [1u32, 2, 3, 4];
    let flags = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    let buffer = create(&session, flags, 16, memory.as_mut_ptr().cast());
    // The host program's memory is its own again.
    memory.fill(0);
    assert_eq!(session.read::<u32>(buffer, 4), [1, 2, 3, 4]);
}

/// Kernels that read bytes need no alignment, however many they read at once.
#[test]
fn host_memory_may_be_at_odd_addresses() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void invert(global uchar *x) { x[get_global_id(0)] ^= 255; }",
        "invert",
    );
    for start in [1, 3] {
        let mut memory: Vec<u8> = (0..=255).cycle().take(4096 + start).collect();
        let expected: Vec<u8> = memory[start..].iter().map(|byte| !byte).collect();
        let host = memory[start..].as_mut_ptr().cast();
        let buffer = create(&session, CL_MEM_USE_HOST_PTR, 4096, host);
        ok(session.set(kernel, 0, &buffer));
        ok(session.launch(session.queue, kernel, &[4096], Some(&[64]), &[], null_mut()));
        assert_eq!(session.read::<u8>(buffer, 4096), expected);
        ok(release(buffer));
        assert_eq!(memory[start..], expected);
    }
}

#[test]
fn sub_buffers_overlap_and_keep_their_buffer() {
    let session = Session::open();
    let buffer = session.buffer(&(0..1024).collect::<Vec<u32>>());
    let low = part(buffer, 0, 0, 1024);
    let high = part(buffer, CL_MEM_READ_ONLY, 512, 1024);
    ok(release(buffer));
    assert_eq!(number(low, CL_MEM_ASSOCIATED_MEMOBJECT), buffer.addr());
    assert_eq!(number(buffer, CL_MEM_REFERENCE_COUNT), 0);
    let kernel = session.kernel(
        "kernel void negate(global int *x) { x[get_global_id(0)] *= -1; }",
        "negate",
    );
    ok(session.set(kernel, 0, &low));
    ok(session.launch(session.queue, kernel, &[256], None, &[], null_mut()));
    let expected: Vec<i32> = (128..384).map(|x| if x < 256 { -x } else { x }).collect();
    assert_eq!(session.read::<i32>(high, 256), expected);
    ok(release(low));
    assert_eq!(session.read::<i32>(high, 256), expected);
    ok(release(high));
    // It was alive for its parts only.
    assert_eq!(release(buffer), CL_INVALID_MEM_OBJECT);
    let mut value = 0usize;
    let to = (&raw mut value).cast();
    // SAFETY: the handle is stale, which is recognised.
    let code = unsafe { clGetMemObjectInfo(buffer, CL_MEM_SIZE, 8, to, null_mut()) };
    assert_eq!(code, CL_INVALID_MEM_OBJECT);
}

#[test]
fn the_hosts_access_is_that_of_the_part() {
    let session = Session::open();
    let buffer = session.buffer(&[0u32; 64]);
    let read_only = part(buffer, CL_MEM_HOST_READ_ONLY, 0, 128);
    assert_eq!(session.read::<u32>(read_only, 32), [0; 32]);
    let write = |object: cl_mem| {
        // SAFETY: the call blocks.
        unsafe {
            let value = [1u32];
            let from = value.as_ptr().cast();
            clEnqueueWriteBuffer(
                session.queue,
                object,
                CL_TRUE,
                0,
                4,
                from,
                0,
                null(),
                null_mut(),
            )
        }
    };
    assert_eq!(write(read_only), CL_INVALID_OPERATION);
    ok(write(buffer));
    assert_eq!(session.read::<u32>(read_only, 1), [1]);
}

#[test]
fn references_are_counted() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 64]);
    for references in 2..5 {
        // SAFETY: the buffer is valid.
        ok(unsafe { clRetainMemObject(buffer) });
        assert_eq!(number(buffer, CL_MEM_REFERENCE_COUNT), references);
    }
    for references in [3, 2, 1] {
        ok(release(buffer));
        assert_eq!(number(buffer, CL_MEM_REFERENCE_COUNT), references);
    }
    ok(release(buffer));
    assert_eq!(release(buffer), CL_INVALID_MEM_OBJECT);
}

/// What has ended, in that order: each test has its own numbers.
static ENDED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

extern "C" fn note(_: cl_mem, number: *mut c_void) {
    ENDED.lock().unwrap().push(number.addr());
}

fn note_end(object: cl_mem, number: usize) {
    let number = std::ptr::without_provenance_mut(number);
    // SAFETY: the callback only uses its number.
    ok(unsafe { clSetMemObjectDestructorCallback(object, Some(note), number) });
}

/// Numbers from `first` to the one before `end` in the order in which they came.
fn ended(first: usize, end: usize) -> Vec<usize> {
    let ended = ENDED.lock().unwrap();
    let own = |number: &usize| (first..end).contains(number);
    ended.iter().copied().filter(own).collect()
}

/// As `ended`, when there are `count`: objects that end with a command are reported a little later.
fn ended_at_last(first: usize, end: usize, count: usize) -> Vec<usize> {
    while ended(first, end).len() < count {
        std::thread::yield_now();
    }
    ended(first, end)
}

#[test]
fn a_buffer_ends_after_its_parts() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 1024]);
    let sub_buffer = part(buffer, 0, 0, 512);
    note_end(buffer, 10);
    note_end(sub_buffer, 11);
    note_end(buffer, 12);
    // SAFETY: the buffer is valid.
    ok(unsafe { clRetainMemObject(buffer) });
    ok(release(buffer));
    ok(release(buffer));
    assert!(ended(10, 20).is_empty());
    ok(release(sub_buffer));
    assert_eq!(ended(10, 20), [11, 12, 10]);
}

/// The last reference goes with a command, of the part as of the buffer.
#[test]
fn a_buffer_ends_after_its_parts_when_commands_end() {
    let session = Session::open();
    for round in 0..20 {
        let buffer = session.buffer(&[0u8; 1024]);
        let sub_buffer = part(buffer, 0, 0, 512);
        let number = 100 + 10 * round;
        note_end(buffer, number + 1);
        note_end(sub_buffer, number);
        // SAFETY: objects and events are valid.
        unsafe {
            let gate = made(|code| clCreateUserEvent(session.context, code));
            let queue = session.queue;
            let objects = [sub_buffer];
            ok(clEnqueueMigrateMemObjects(
                queue,
                1,
                objects.as_ptr(),
                0,
                1,
                &gate,
                null_mut(),
            ));
            ok(release(buffer));
            ok(release(sub_buffer));
            ok(clSetUserEventStatus(gate, CL_COMPLETE));
        }
        let end = number + 10;
        assert_eq!(ended_at_last(number, end, 2), [number, number + 1]);
    }
}

#[test]
fn a_buffer_ends_when_no_command_uses_it_any_more() {
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 1024]);
    note_end(buffer, 20);
    // SAFETY: objects and events are valid.
    unsafe {
        let gate = made(|code| clCreateUserEvent(session.context, code));
        let pattern = [1u8];
        let from = pattern.as_ptr().cast();
        ok(clEnqueueFillBuffer(
            session.queue,
            buffer,
            from,
            1,
            0,
            1024,
            1,
            &gate,
            null_mut(),
        ));
        ok(release(buffer));
        assert!(ended(20, 30).is_empty());
        ok(clSetUserEventStatus(gate, CL_COMPLETE));
        ok(clFinish(session.queue));
    }
    assert_eq!(ended_at_last(20, 30, 1), [20]);
}

/// Makes and releases objects, and makes calls that fail.
extern "C" fn call_the_library(object: cl_mem, other: *mut c_void) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let mut context: cl_context = null_mut();
    let to = (&raw mut context).cast();
    // SAFETY: `other` is a buffer, of which this has a reference; `object` is no more.
    unsafe {
        assert_eq!(clReleaseMemObject(object), CL_INVALID_MEM_OBJECT);
        ok(clGetMemObjectInfo(other, CL_MEM_CONTEXT, 8, to, null_mut()));
        let buffer = made(|code| clCreateBuffer(context, 0, 64, null_mut(), code));
        note_end(buffer, 30 + CALLS.fetch_add(1, Ordering::Relaxed) as usize);
        ok(clReleaseMemObject(buffer));
        ok(clReleaseMemObject(other));
    }
}

#[test]
fn callbacks_may_call_the_library_and_end_other_objects() {
    let session = Session::open();
    let [first, second] = [session.buffer(&[0u8; 64]), session.buffer(&[0u8; 64])];
    note_end(second, 39);
    // SAFETY: the callback is given a reference of the second buffer.
    unsafe {
        for _ in 0..2 {
            ok(clRetainMemObject(second));
            ok(clSetMemObjectDestructorCallback(
                first,
                Some(call_the_library),
                second,
            ));
        }
    }
    ok(release(second));
    // Ends while a kernel of which it is an argument gets another.
    let kernel = session.kernel("kernel void none(global int *x) {}", "none");
    ok(session.set(kernel, 0, &first));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    ok(release(first));
    let third = session.buffer(&[0u8; 64]);
    ok(session.set(kernel, 0, &third));
    // SAFETY: the queue is valid.
    ok(unsafe { clFinish(session.queue) });
    assert_eq!(ended_at_last(30, 40, 3), [30, 31, 39]);
}
