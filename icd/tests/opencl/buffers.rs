//! Buffers and the commands on them.

use crate::session::{Session, made, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

#[test]
fn creation_checks_its_arguments() {
    let session = Session::open();
    let mut memory = [0u8; 16];
    let host = memory.as_mut_ptr().cast();
    let create = |flags: cl_mem_flags, size, host| {
        // SAFETY: the host memory has 16 bytes; sizes with it are not larger.
        refused(|code| unsafe { clCreateBuffer(session.context, flags, size, host, code) })
    };
    assert_eq!(
        create(CL_MEM_READ_WRITE, 0, null_mut()),
        CL_INVALID_BUFFER_SIZE
    );
    assert_eq!(
        create(CL_MEM_READ_WRITE, 1 << 40, null_mut()),
        CL_INVALID_BUFFER_SIZE
    );
    assert_eq!(create(CL_MEM_READ_WRITE, 16, host), CL_INVALID_HOST_PTR);
    assert_eq!(
        create(CL_MEM_USE_HOST_PTR, 16, null_mut()),
        CL_INVALID_HOST_PTR
    );
    assert_eq!(
        create(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, null_mut()),
        CL_INVALID_VALUE
    );
}

#[test]
fn sub_buffers_share_the_bytes_and_are_aligned() {
    let session = Session::open();
    let buffer = session.buffer(&(0..1024).collect::<Vec<i32>>());
    let sub = |origin: usize, size: usize, code| {
        let region = [origin, size];
        // SAFETY: the region is read during the call.
        unsafe {
            clCreateSubBuffer(
                buffer,
                0,
                CL_BUFFER_CREATE_TYPE_REGION,
                region.as_ptr().cast(),
                code,
            )
        }
    };
    let part = made(|code| sub(512, 256, code));
    assert_eq!(
        session.read::<i32>(part, 64),
        (128..192).collect::<Vec<_>>()
    );
    assert_eq!(
        refused(|code| sub(4, 256, code)),
        CL_MISALIGNED_SUB_BUFFER_OFFSET
    );
    assert_eq!(refused(|code| sub(0, 0, code)), CL_INVALID_BUFFER_SIZE);
    assert_eq!(refused(|code| sub(4096 - 128, 256, code)), CL_INVALID_VALUE);
}

#[test]
fn copies_fills_and_rectangles() {
    let session = Session::open();
    let source = session.buffer(&(0..64).collect::<Vec<u8>>());
    let target = session.buffer(&[0u8; 64]);
    let queue = session.queue;
    // SAFETY: all lists are read during the calls.
    unsafe {
        ok(clEnqueueCopyBuffer(
            queue,
            source,
            target,
            8,
            0,
            8,
            0,
            null(),
            null_mut(),
        ));
        assert_eq!(
            clEnqueueCopyBuffer(queue, source, source, 0, 4, 8, 0, null(), null_mut()),
            CL_MEM_COPY_OVERLAP
        );
        assert_eq!(
            clEnqueueCopyBuffer(queue, source, target, 60, 0, 8, 0, null(), null_mut()),
            CL_INVALID_VALUE
        );
        let pattern = [0xAAu8, 0xBB];
        ok(clEnqueueFillBuffer(
            queue,
            target,
            pattern.as_ptr().cast(),
            2,
            8,
            6,
            0,
            null(),
            null_mut(),
        ));
        // 2 x 2 bytes from row 1 column 3 of rows of 8 to row 4 column 0.
        ok(clEnqueueCopyBufferRect(
            queue,
            source,
            target,
            [3, 1, 0].as_ptr(),
            [0, 4, 0].as_ptr(),
            [2, 2, 1].as_ptr(),
            8,
            0,
            8,
            0,
            0,
            null(),
            null_mut(),
        ));
    }
    let mut expected = [0u8; 64];
    expected[..8].copy_from_slice(&[8, 9, 10, 11, 12, 13, 14, 15]);
    expected[8..14].copy_from_slice(&[0xAA, 0xBB, 0xAA, 0xBB, 0xAA, 0xBB]);
    expected[32..34].copy_from_slice(&[11, 12]);
    expected[40..42].copy_from_slice(&[19, 20]);
    assert_eq!(session.read::<u8>(target, 64), expected);
}

#[test]
fn mapped_bytes_are_the_buffers_own() {
    let session = Session::open();
    let buffer = session.buffer(&[5u32; 16]);
    let pointer = session.map(buffer, CL_MAP_WRITE, 16, 32).unwrap();
    let mut count = 0u32;
    // SAFETY: the mapped region has 8 elements; there is room for the count.
    unsafe {
        std::slice::from_raw_parts_mut(pointer.cast::<u32>(), 8).fill(9);
        let to = (&raw mut count).cast();
        ok(clGetMemObjectInfo(
            buffer,
            CL_MEM_MAP_COUNT,
            4,
            to,
            null_mut(),
        ));
    }
    assert_eq!(count, 1);
    ok(session.unmap(buffer, pointer));
    assert_eq!(session.unmap(buffer, pointer), CL_INVALID_VALUE);
    let mut expected = [5u32; 16];
    expected[4..12].fill(9);
    assert_eq!(session.read::<u32>(buffer, 16), expected);
}

#[test]
fn host_memory_is_used_in_place() {
    let session = Session::open();
    let mut memory = [1i32, 2, 3, 4];
    // SAFETY: the memory outlives the buffer.
    let buffer = made(|code| unsafe {
        let host = memory.as_mut_ptr().cast();
        clCreateBuffer(session.context, CL_MEM_USE_HOST_PTR, 16, host, code)
    });
    let kernel = session.kernel(
        "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }",
        "twice",
    );
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[4], None, &[], null_mut()));
    assert_eq!(session.read::<i32>(buffer, 4), [2, 4, 6, 8]);
    // SAFETY: the handle is valid.
    unsafe { ok(clReleaseMemObject(buffer)) };
    assert_eq!(memory, [2, 4, 6, 8]);
}

#[test]
fn destructor_callbacks_come_last_first() {
    use std::sync::Mutex;
    static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    extern "C" fn note(_: cl_mem, number: *mut c_void) {
        ORDER.lock().unwrap().push(number as usize);
    }
    let session = Session::open();
    let buffer = session.buffer(&[0u8; 8]);
    // SAFETY: the callback only uses its number.
    unsafe {
        for number in 1..=3usize {
            ok(clSetMemObjectDestructorCallback(
                buffer,
                Some(note),
                number as *mut c_void,
            ));
        }
        ok(clReleaseMemObject(buffer));
    }
    assert_eq!(*ORDER.lock().unwrap(), [3, 2, 1]);
}
