//! Commands on large buffers and sub-buffers.

use super::buffers::{GIB, LARGE, Large, PLACES, kernels, mark};
use crate::session::{made, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

#[test]
fn written_and_read_at_once_and_from_buffer_to_buffer() {
    let all = Large::new();
    for place in PLACES {
        all.write(all.large, place, &mark(place));
    }
    for place in PLACES {
        assert_eq!(all.read(all.large, place, 64), mark(place), "{place}");
    }
    // From beyond 4 GiB to beyond 4 GiB, in another buffer and in the same.
    let (from, to, within) = (6 * GIB, 4 * GIB - 16, 5 * GIB + 8);
    for (destination, offset) in [(all.other, to), (all.large, within)] {
        // SAFETY: there is nothing to read or write of the host program's.
        unsafe {
            ok(clEnqueueCopyBuffer(
                all.session.queue,
                all.large,
                destination,
                from,
                offset,
                64,
                0,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(all.read(destination, offset, 64), mark(from));
    }
}

#[test]
fn filled_across_the_limits() {
    let all = Large::new();
    let pattern = [1u8, 2, 3, 4];
    for place in PLACES {
        // SAFETY: the pattern is read during the call.
        unsafe {
            ok(clEnqueueFillBuffer(
                all.session.queue,
                all.large,
                pattern.as_ptr().cast(),
                4,
                place,
                64,
                0,
                null(),
                null_mut(),
            ));
        }
        assert_eq!(
            all.read(all.large, place, 64),
            pattern.repeat(16),
            "{place}"
        );
    }
}

/// Rectangles with slices of 2 GiB: two rows of 16 bytes in each of four.
#[test]
fn rectangles_with_slices_of_gibibytes() {
    let all = Large::new();
    let queue = all.session.queue;
    let (row, slice) = (1usize << 20, 2 * GIB);
    let origin = [24usize, 1023, 0];
    let region = [16usize, 2, 4];
    let zero = [0usize; 3];
    let bytes: Vec<u8> = (0..128).collect();
    let place = |y: usize, z: usize| 24 + (1023 + y) * row + z * slice;
    let mut back = vec![0u8; 128];
    // SAFETY: the host program's side is tight and has 128 bytes; the calls block.
    unsafe {
        ok(clEnqueueWriteBufferRect(
            queue,
            all.large,
            CL_TRUE,
            origin.as_ptr(),
            zero.as_ptr(),
            region.as_ptr(),
            row,
            slice,
            0,
            0,
            bytes.as_ptr().cast(),
            0,
            null(),
            null_mut(),
        ));
        ok(clEnqueueReadBufferRect(
            queue,
            all.large,
            CL_TRUE,
            origin.as_ptr(),
            zero.as_ptr(),
            region.as_ptr(),
            row,
            slice,
            0,
            0,
            back.as_mut_ptr().cast(),
            0,
            null(),
            null_mut(),
        ));
        // To slices of 1 GiB and a little, the last of which begins beyond 4 GiB.
        let (row, slice) = (1usize << 19, GIB + (GIB >> 2));
        ok(clEnqueueCopyBufferRect(
            queue,
            all.large,
            all.other,
            origin.as_ptr(),
            [8usize, 1, 0].as_ptr(),
            region.as_ptr(),
            1 << 20,
            2 * GIB,
            row,
            slice,
            0,
            null(),
            null_mut(),
        ));
    }
    assert_eq!(back, bytes);
    for (index, row_bytes) in bytes.chunks(16).enumerate() {
        let (y, z) = (index % 2, index / 2);
        assert_eq!(all.read(all.large, place(y, z), 16), row_bytes);
        let there = 8 + (1 + y) * (1 << 19) + z * (GIB + (GIB >> 2));
        assert_eq!(all.read(all.other, there, 16), row_bytes);
    }
}

#[test]
fn mapped_whole_and_beyond_the_limits() {
    let all = Large::new();
    let map = |offset, size, flags| all.session.map(all.large, flags, offset, size).unwrap();
    let unmap = |pointer| ok(all.session.unmap(all.large, pointer));
    let whole = map(0, LARGE, CL_MAP_READ);
    for place in PLACES {
        let part = map(place, 64, CL_MAP_WRITE);
        assert_eq!(part.addr() - whole.addr(), place);
        // SAFETY: 64 bytes are mapped there for writing.
        unsafe { std::slice::from_raw_parts_mut(part.cast::<u8>(), 64) }
            .copy_from_slice(&mark(place));
        unmap(part);
        assert_eq!(all.read(all.large, place, 64), mark(place));
    }
    unmap(whole);
}

#[test]
fn sub_buffers_beyond_the_limits() {
    let all = Large::new();
    let (origin, size) = (5 * GIB, 3 * GIB);
    let region = [origin, size];
    // SAFETY: the region is read during the call.
    let part = made(|code| unsafe {
        clCreateSubBuffer(
            all.large,
            0,
            CL_BUFFER_CREATE_TYPE_REGION,
            region.as_ptr().cast(),
            code,
        )
    });
    for query in [(CL_MEM_OFFSET, origin), (CL_MEM_SIZE, size)] {
        let mut answer = 0usize;
        // SAFETY: there is room for the answer.
        unsafe {
            let to = (&raw mut answer).cast();
            ok(clGetMemObjectInfo(part, query.0, 8, to, null_mut()));
        }
        assert_eq!(answer, query.1);
    }
    let source = "kernel void mark(global uchar *x, ulong place) {
        x[place + get_global_id(0)] = get_global_id(0) + 100;
    }";
    let expected: Vec<u8> = (100..164).collect();
    for (kernel, place) in kernels(&all.session, source, "mark")
        .into_iter()
        .zip([2 * GIB - 32, 3 * GIB - 64])
    {
        ok(all.session.set(kernel, 1, &(place as u64)));
        all.launch(kernel, part, 0, 64, 64);
        assert_eq!(all.read(part, place, 64), expected);
        assert_eq!(all.read(all.large, origin + place, 64), expected);
    }
    // SAFETY: no command uses it any more.
    ok(unsafe { clReleaseMemObject(part) });
}
