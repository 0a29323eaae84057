//! Kernels: arguments, index spaces, results.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::null_mut;

const SCALE: &str = "
    kernel void scale(global int *x, int factor, local int *scratch) {
        int i = get_local_id(0);
        scratch[i] = x[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0)] = scratch[get_local_size(0) - 1 - i] * factor;
    }
    kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *x) {
        x[get_global_id(0)] = get_group_id(0);
    }";

#[test]
fn arguments_are_checked() {
    let session = Session::open();
    let kernel = session.kernel(SCALE, "scale");
    let buffer = session.buffer(&(0..64).collect::<Vec<i32>>());
    assert_eq!(session.set(kernel, 3, &buffer), CL_INVALID_ARG_INDEX);
    assert_eq!(session.set(kernel, 1, &7u64), CL_INVALID_ARG_SIZE);
    assert_eq!(
        session.set(kernel, 0, &session.context),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(session.set(kernel, 0, &7u8), CL_INVALID_ARG_SIZE);
    // SAFETY: local memory has no value to be read.
    unsafe {
        assert_eq!(
            clSetKernelArg(kernel, 2, 0, std::ptr::null()),
            CL_INVALID_ARG_SIZE
        );
        assert_eq!(
            clSetKernelArg(kernel, 2, 4, std::ptr::from_ref(&4).cast()),
            CL_INVALID_ARG_VALUE
        );
    }
    ok(session.set(kernel, 0, &buffer));
    ok(session.set(kernel, 1, &10));
    let run = |local: &[usize]| {
        session.launch(session.queue, kernel, &[64], Some(local), &[], null_mut())
    };
    assert_eq!(run(&[16]), CL_INVALID_KERNEL_ARGS);
    // SAFETY: as above.
    let local = |bytes| ok(unsafe { clSetKernelArg(kernel, 2, bytes, std::ptr::null()) });
    local(1 << 30);
    assert_eq!(run(&[16]), CL_OUT_OF_RESOURCES);
    local(64);
    ok(run(&[16]));
    let expected: Vec<i32> = (0..64).map(|i| (i / 16 * 16 + 15 - i % 16) * 10).collect();
    assert_eq!(session.read::<i32>(buffer, 64), expected);
}

#[test]
fn index_spaces_are_checked() {
    let session = Session::open();
    let program = session.program(SCALE);
    ok(session.build(program, ""));
    let kernel = session.kernel_of(program, "fixed");
    let run = |global: &[usize], local: Option<&[usize]>| {
        session.launch(session.queue, kernel, global, local, &[], null_mut())
    };
    let buffer = session.buffer(&[-1i32; 32]);
    ok(session.set(kernel, 0, &buffer));
    assert_eq!(run(&[31], None), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(run(&[32], Some(&[16])), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(run(&[31], Some(&[8])), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(run(&[0], Some(&[8])), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_eq!(run(&[1, 1, 1, 1], None), CL_INVALID_WORK_DIMENSION);
    let groups: Vec<i32> = (0..32).map(|i| i / 8).collect();
    for local in [Some(&[8][..]), None] {
        let buffer = session.buffer(&[-1i32; 32]);
        ok(session.set(kernel, 0, &buffer));
        ok(run(&[32], local));
        assert_eq!(session.read::<i32>(buffer, 32), groups, "{local:?}");
    }
}

#[test]
fn three_dimensions_with_offsets() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void place(global uint *x) {
            uint i = get_global_id(0) - get_global_offset(0);
            uint j = get_global_id(1) - get_global_offset(1);
            uint k = get_global_id(2) - get_global_offset(2);
            x[i + 6 * (j + 4 * k)] = get_global_id(0) + 100 * get_global_id(1)
                + 10000 * get_global_id(2) + 1000000 * get_work_dim();
        }",
        "place",
    );
    let buffer = session.buffer(&[0u32; 48]);
    ok(session.set(kernel, 0, &buffer));
    // SAFETY: the sizes are read during the call.
    ok(unsafe {
        clEnqueueNDRangeKernel(
            session.queue,
            kernel,
            3,
            [5usize, 7, 9].as_ptr(),
            [6usize, 4, 2].as_ptr(),
            [3usize, 2, 1].as_ptr(),
            0,
            std::ptr::null(),
            null_mut(),
        )
    });
    let expected: Vec<u32> = (0..48)
        .map(|n| (n % 6 + 5) + 100 * (n / 6 % 4 + 7) + 10_000 * (n / 24 + 9) + 3_000_000)
        .collect();
    assert_eq!(session.read::<u32>(buffer, 48), expected);
}

#[test]
fn global_atomics_of_all_groups_add_up() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void count(global int *total, global uint *largest) {
            atomic_add(total, 3);
            atomic_max(largest, (uint)get_global_id(0));
        }",
        "count",
    );
    let (total, largest) = (session.buffer(&[0i32]), session.buffer(&[0u32]));
    ok(session.set(kernel, 0, &total));
    ok(session.set(kernel, 1, &largest));
    ok(session.launch(
        session.queue,
        kernel,
        &[100_000],
        Some(&[50]),
        &[],
        null_mut(),
    ));
    assert_eq!(session.read::<i32>(total, 1), [300_000]);
    assert_eq!(session.read::<u32>(largest, 1), [99_999]);
}

#[test]
fn strided_async_copies_are_dma() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void transpose(global const float *in, global float *out) {
            local float tile[64];
            size_t group = get_group_id(0);
            event_t event = async_work_group_strided_copy(tile, in + group, 64, 8, 0);
            wait_group_events(1, &event);
            event = async_work_group_copy(out + group * 64, tile, 64, 0);
            wait_group_events(1, &event);
        }",
        "transpose",
    );
    let values: Vec<f32> = (0..512u16).map(f32::from).collect();
    let (from, to) = (session.buffer(&values), session.buffer(&[0f32; 512]));
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    ok(session.launch(session.queue, kernel, &[128], Some(&[16]), &[], null_mut()));
    let expected: Vec<f32> = (0..512).map(|i| values[i % 64 * 8 + i / 64]).collect();
    assert_eq!(session.read::<f32>(to, 512), expected);
}

#[test]
fn buffers_outlive_their_release_while_a_launch_needs_them() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void fill(global int *x, global int *y) {
            x[get_global_id(0)] = 4; y[get_global_id(0)] = x[get_global_id(0)];
        }",
        "fill",
    );
    let (gone, kept) = (session.buffer(&[0i32; 1024]), session.buffer(&[0i32; 1024]));
    ok(session.set(kernel, 0, &gone));
    ok(session.set(kernel, 1, &kept));
    ok(session.launch(session.queue, kernel, &[1024], None, &[], null_mut()));
    // SAFETY: the handles are valid.
    unsafe {
        ok(clReleaseMemObject(gone));
        ok(clReleaseKernel(kernel));
    }
    assert_eq!(session.read::<i32>(kept, 1024), [4; 1024]);
}

#[test]
fn offsets_may_be_as_large_as_size_t_allows() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void place(global ulong *x, ulong first) {
            x[get_global_id(0) - first] = get_global_id(0);
        }",
        "place",
    );
    let buffer = session.buffer(&[0u64; 64]);
    ok(session.set(kernel, 0, &buffer));
    for offset in [1 << 31, (1 << 62) + 5, 1 << 63, usize::MAX - 64] {
        ok(session.set(kernel, 1, &offset));
        // SAFETY: the sizes are read during the call.
        ok(unsafe {
            let (offset, global) = ([offset], [64usize]);
            clEnqueueNDRangeKernel(
                session.queue,
                kernel,
                1,
                offset.as_ptr(),
                global.as_ptr(),
                std::ptr::null(),
                0,
                std::ptr::null(),
                null_mut(),
            )
        });
        let expected: Vec<u64> = (0..64).map(|id| offset as u64 + id).collect();
        assert_eq!(session.read::<u64>(buffer, 64), expected);
    }
}
