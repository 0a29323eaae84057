//! Sub-devices (OpenCL 1.2, section 4.3).

use crate::session::{Session, answer, made, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

pub use error_cases::sub_devices::{equally, sub_devices};

fn query(device: cl_device_id, name: cl_device_info) -> Vec<u8> {
    // SAFETY: `answer` queries the size first.
    answer(|size, to, size_ret| unsafe { clGetDeviceInfo(device, name, size, to, size_ret) })
}

fn number(device: cl_device_id, name: cl_device_info) -> u32 {
    u32::from_ne_bytes(query(device, name).try_into().unwrap())
}

/// An answer in words: partition properties, an affinity domain, a handle.
fn words(device: cl_device_id, name: cl_device_info) -> Vec<usize> {
    let bytes = query(device, name);
    let (words, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    words
        .iter()
        .map(|word| usize::from_ne_bytes(*word))
        .collect()
}

fn retain(device: cl_device_id) -> cl_int {
    // SAFETY: a handle, at worst of what is gone.
    unsafe { clRetainDevice(device) }
}

fn release(device: cl_device_id) -> cl_int {
    // SAFETY: a handle, at worst of what is gone.
    unsafe { clReleaseDevice(device) }
}

const EQUALLY: usize = CL_DEVICE_PARTITION_EQUALLY as usize;
const BY_COUNTS: usize = CL_DEVICE_PARTITION_BY_COUNTS as usize;
const BY_AFFINITY_DOMAIN: usize = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as usize;

const SQUARES: &str = "kernel void squares(global int *x) {
    local int part[64];
    size_t i = get_global_id(0), l = get_local_id(0), last = get_local_size(0) - 1;
    part[l] = i * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i - l + (last - l)] = part[last - l];
}";

/// Squares from `first` on, computed by a queue.
fn squares(session: &Session, kernel: cl_kernel, queue: cl_command_queue, count: usize) {
    let buffer = session.buffer(&vec![-1i32; count]);
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(queue, kernel, &[count], Some(&[64]), &[], null_mut()));
    // SAFETY: valid handles.
    unsafe {
        ok(clFinish(queue));
        let expected: Vec<_> = (0..count as i32).map(|i| i.wrapping_mul(i)).collect();
        assert_eq!(session.read::<i32>(buffer, count), expected);
        ok(clReleaseMemObject(buffer));
    }
}

#[test]
fn a_kernel_runs_on_6_of_24_arrays() {
    let root = Session::open();
    let parts = equally(root.devices[0], 6);
    assert_eq!(parts.len(), 4);
    let session = Session::over(root.platform, parts);
    let kernel = session.kernel(SQUARES, "squares");
    assert_eq!(number(session.devices[0], CL_DEVICE_MAX_COMPUTE_UNITS), 6);
    for count in [64, 64 * 7, 64 * 1000] {
        squares(&session, kernel, session.queue, count);
    }
}

#[test]
fn sub_devices_say_how_they_came_about() {
    let root = Session::open().devices[1];
    assert_eq!(words(root, CL_DEVICE_PARENT_DEVICE), [0]);
    assert_eq!(words(root, CL_DEVICE_PARTITION_TYPE), [0]);
    assert_eq!(number(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 24);
    let all = [EQUALLY, BY_COUNTS, BY_AFFINITY_DOMAIN];
    assert_eq!(words(root, CL_DEVICE_PARTITION_PROPERTIES), all);

    let units = |devices: &[cl_device_id]| -> Vec<u32> {
        let units = |device: &_| number(*device, CL_DEVICE_MAX_COMPUTE_UNITS);
        devices.iter().map(units).collect()
    };
    let equal = equally(root, 7);
    assert_eq!(units(&equal), [7, 7, 7], "three are not used");
    let counts = [BY_COUNTS as isize, 4, 1, 2, 0, 0];
    let inner = sub_devices(equal[2], &counts);
    assert_eq!(units(&inner), [4, 1, 2]);
    let next = CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE as isize;
    let caches = sub_devices(inner[0], &[BY_AFFINITY_DOMAIN as isize, next, 0]);
    assert_eq!(units(&caches), [1; 4]);

    let expected = [
        (equal[0], root, vec![EQUALLY, 7, 0]),
        (inner[1], equal[2], vec![BY_COUNTS, 4, 1, 2, 0, 0]),
        (
            caches[3],
            inner[0],
            vec![
                BY_AFFINITY_DOMAIN,
                CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE as usize,
                0,
            ],
        ),
    ];
    for (device, parent, properties) in expected {
        assert_eq!(words(device, CL_DEVICE_PARENT_DEVICE), [parent.addr()]);
        assert_eq!(words(device, CL_DEVICE_PARTITION_TYPE), properties);
    }
    // With one compute unit there is nothing to divide.
    assert_eq!(words(inner[1], CL_DEVICE_PARTITION_PROPERTIES), [0]);
    assert_eq!(words(inner[1], CL_DEVICE_PARTITION_AFFINITY_DOMAIN), [0]);
    assert_eq!(number(inner[1], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 0);
    assert_eq!(words(inner[2], CL_DEVICE_PARTITION_PROPERTIES), all);
}

#[test]
fn root_devices_are_those_of_the_platform_only() {
    let session = Session::open();
    equally(session.devices[0], 1);
    let mut count = 0;
    // SAFETY: all pointers are to locals.
    unsafe {
        let platform = session.platform;
        let all = CL_DEVICE_TYPE_ALL;
        ok(clGetDeviceIDs(platform, all, 0, null_mut(), &mut count));
        assert_eq!(count, 4);
        let context = made(|code| clCreateContextFromType(null(), all, None, null_mut(), code));
        let bytes = answer(|size, to, size_ret| {
            clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, size, to, size_ret)
        });
        assert_eq!(bytes, 4u32.to_ne_bytes());
        ok(clReleaseContext(context));
    }
}

#[test]
fn references_to_sub_devices_are_counted_those_to_root_devices_are_not() {
    let root = Session::open().devices[0];
    let references = |device| number(device, CL_DEVICE_REFERENCE_COUNT);
    for call in [retain, release, release, release] {
        ok(call(root));
        assert_eq!(references(root), 1);
    }
    let part = equally(root, 12)[0];
    assert_eq!(references(part), 1);
    ok(retain(part));
    assert_eq!(references(part), 2);
    ok(release(part));
    assert_eq!(references(part), 1);
    ok(release(part));
    assert_eq!(release(part), CL_INVALID_DEVICE);
    assert_eq!(retain(part), CL_INVALID_DEVICE);
    let mut context_code = -1;
    // SAFETY: a stale handle, which the library recognises.
    unsafe {
        let context = clCreateContext(null(), 1, &part, None, null_mut(), &mut context_code);
        assert!(context.is_null());
    }
    assert_eq!(context_code, CL_INVALID_DEVICE);
}

#[test]
fn a_sub_device_lives_as_long_as_anything_uses_it() {
    let root = Session::open();
    let outer = equally(root.devices[0], 12)[1];
    let inner = equally(outer, 5)[1];
    ok(release(outer));
    // The inner one holds the outer one.
    assert_eq!(words(inner, CL_DEVICE_PARENT_DEVICE), [outer.addr()]);
    assert_eq!(number(outer, CL_DEVICE_MAX_COMPUTE_UNITS), 12);
    assert_eq!(number(outer, CL_DEVICE_REFERENCE_COUNT), 0);

    let session = Session::over(root.platform, vec![inner]);
    ok(release(inner));
    let kernel = session.kernel(SQUARES, "squares");
    squares(&session, kernel, session.queue, 640);
    // SAFETY: valid handles; the last is of the queue, which is asked before it goes.
    unsafe {
        ok(clReleaseContext(session.context));
        ok(clReleaseCommandQueue(session.out_of_order));
        squares_release(kernel);
        let device = answer(|size, to, size_ret| {
            clGetCommandQueueInfo(session.queue, CL_QUEUE_DEVICE, size, to, size_ret)
        });
        assert_eq!(device, inner.addr().to_ne_bytes());
        // Who finds it there may keep it.
        ok(retain(inner));
        ok(clReleaseCommandQueue(session.queue));
    }
    assert_eq!(number(inner, CL_DEVICE_REFERENCE_COUNT), 1);
    ok(release(inner));
    assert_eq!(release(inner), CL_INVALID_DEVICE);
}

#[test]
fn the_last_part_takes_the_device_it_is_of_with_it() {
    let outer = equally(Session::open().devices[0], 4).remove(2);
    let inner = equally(outer, 2);
    for device in [outer, inner[0]] {
        ok(release(device));
    }
    assert_eq!(number(outer, CL_DEVICE_MAX_COMPUTE_UNITS), 4);
    assert_eq!(release(outer), CL_INVALID_DEVICE, "not held by the program");
    ok(release(inner[1]));
    for device in [outer, inner[0], inner[1]] {
        assert_eq!(retain(device), CL_INVALID_DEVICE);
    }
}

/// Releases a kernel and its program.
fn squares_release(kernel: cl_kernel) {
    // SAFETY: a valid handle.
    unsafe {
        let program = answer(|size, to, size_ret| {
            clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, size, to, size_ret)
        });
        let address = usize::from_ne_bytes(program.try_into().unwrap());
        ok(clReleaseKernel(kernel));
        ok(clReleaseProgram(std::ptr::with_exposed_provenance_mut(
            address,
        )));
    }
}

#[test]
fn contexts_mix_clusters_and_their_parts() {
    let root = Session::open();
    let halves = equally(root.devices[0], 12);
    let quarter = equally(halves[1], 6)[0];
    let mixture = vec![
        halves[0],
        root.devices[0],
        root.devices[3],
        quarter,
        halves[0],
    ];
    let session = Session::over(root.platform, mixture);
    let devices = answer(|size, to, size_ret| {
        // SAFETY: `answer` queries the size first.
        unsafe { clGetContextInfo(session.context, CL_CONTEXT_DEVICES, size, to, size_ret) }
    });
    assert_eq!(devices.len(), 4 * size_of::<usize>(), "twice is once");

    let kernel = session.kernel(
        "kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }",
        "add",
    );
    let buffer = session.buffer(&[0i32; 4096]);
    // Each device adds to what the one before has left.
    for (number, &device) in session.devices[..4].iter().enumerate() {
        // SAFETY: a device of the context.
        let queue = made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) });
        ok(session.set(kernel, 0, &buffer));
        ok(session.set(kernel, 1, &(1 << number)));
        // SAFETY: a valid queue; the list is read during the call.
        unsafe {
            ok(clEnqueueMigrateMemObjects(
                queue,
                1,
                &buffer,
                0,
                0,
                null(),
                null_mut(),
            ));
            ok(session.launch(queue, kernel, &[4096], None, &[], null_mut()));
            ok(clFinish(queue));
        }
    }
    assert_eq!(session.read::<i32>(buffer, 4096), [15; 4096]);
    // Not every part of a cluster is in a context with another part.
    let outsider = halves[1];
    // SAFETY: valid handles.
    let code = refused(|code| unsafe { clCreateCommandQueue(session.context, outsider, 0, code) });
    assert_eq!(code, CL_INVALID_DEVICE);
}

/// A context over a cluster and its halves.
fn whole_and_halves() -> Session {
    let root = Session::open();
    let mut devices = vec![root.devices[0]];
    devices.extend(equally(root.devices[0], 12));
    Session::over(root.platform, devices)
}

fn build_for(program: cl_program, device: cl_device_id) -> cl_int {
    // SAFETY: the device is read during the call.
    unsafe { clBuildProgram(program, 1, &device, null(), None, null_mut()) }
}

fn build_status(program: cl_program, device: cl_device_id) -> cl_int {
    let status = CL_PROGRAM_BUILD_STATUS;
    // SAFETY: `answer` queries the size first.
    let bytes = answer(|size, to, size_ret| unsafe {
        clGetProgramBuildInfo(program, device, status, size, to, size_ret)
    });
    cl_int::from_ne_bytes(bytes.try_into().unwrap())
}

fn work_group_size(kernel: cl_kernel, device: cl_device_id) -> Result<usize, cl_int> {
    let mut size = 0usize;
    let to = (&raw mut size).cast();
    let name = CL_KERNEL_WORK_GROUP_SIZE;
    // SAFETY: the size has room.
    match unsafe { clGetKernelWorkGroupInfo(kernel, device, name, 8, to, null_mut()) } {
        CL_SUCCESS => Ok(size),
        code => Err(code),
    }
}

#[test]
fn what_is_built_for_a_cluster_serves_its_parts() {
    let session = whole_and_halves();
    let [whole, half, other] = session.devices[..] else {
        panic!("three devices");
    };
    let program = session.program(SQUARES);
    assert_eq!(build_status(program, half), CL_BUILD_NONE);
    ok(build_for(program, whole));
    assert_eq!(build_status(program, half), CL_BUILD_SUCCESS);
    let kernel = session.kernel_of(program, "squares");
    for device in [whole, half, other] {
        assert_eq!(work_group_size(kernel, device), Ok(1024));
        // SAFETY: a device of the context.
        let queue = made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) });
        squares(&session, kernel, queue, 640);
    }
    // Not a device of the context, though a part of one.
    let outsider = equally(whole, 3)[0];
    assert_eq!(work_group_size(kernel, outsider), Err(CL_INVALID_DEVICE));
}

#[test]
fn what_is_built_for_a_part_serves_no_other() {
    let session = whole_and_halves();
    let [whole, half, other] = session.devices[..] else {
        panic!("three devices");
    };
    let program = session.program("kernel void none() {}");
    ok(build_for(program, half));
    assert_eq!(build_status(program, whole), CL_BUILD_NONE);
    let kernel = session.kernel_of(program, "none");
    assert_eq!(work_group_size(kernel, half), Ok(1024));
    for device in [whole, other] {
        assert_eq!(work_group_size(kernel, device), Err(CL_INVALID_DEVICE));
        // SAFETY: a device of the context.
        let queue = made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) });
        assert_eq!(
            session.launch(queue, kernel, &[1], None, &[], null_mut()),
            CL_INVALID_PROGRAM_EXECUTABLE
        );
    }
}

#[test]
fn a_binary_from_a_part_is_one_for_all() {
    let session = whole_and_halves();
    let [whole, half, other] = session.devices[..] else {
        panic!("three devices");
    };
    let program = session.program(SQUARES);
    ok(build_for(program, half));
    // SAFETY: `answer` queries the size first; each binary has room.
    let binary = unsafe {
        let sizes = answer(|size, to, size_ret| {
            clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, size, to, size_ret)
        });
        let (sizes, _) = sizes.as_chunks();
        let sizes: Vec<_> = sizes
            .iter()
            .map(|size| usize::from_ne_bytes(*size))
            .collect();
        assert!(sizes[1] > 0 && sizes[0] == 0 && sizes[2] == 0, "{sizes:?}");
        let mut binary = vec![0u8; sizes[1]];
        let mut places = [null_mut(), binary.as_mut_ptr(), null_mut()];
        ok(clGetProgramInfo(
            program,
            CL_PROGRAM_BINARIES,
            size_of_val(&places),
            places.as_mut_ptr().cast(),
            null_mut(),
        ));
        binary
    };
    let with_binary = |devices: &[cl_device_id]| {
        let sizes = vec![binary.len(); devices.len()];
        let starts = vec![binary.as_ptr(); devices.len()];
        // SAFETY: the lists have an entry for each device.
        let program = made(|code| unsafe {
            clCreateProgramWithBinary(
                session.context,
                devices.len() as u32,
                devices.as_ptr(),
                sizes.as_ptr(),
                starts.as_ptr(),
                null_mut(),
                code,
            )
        });
        assert_eq!(session.build(program, ""), CL_SUCCESS);
        session.kernel_of(program, "squares")
    };
    // For the whole alone it serves the parts, too.
    for devices in [&[whole][..], &[whole, half, other]] {
        let kernel = with_binary(devices);
        for device in [whole, half, other] {
            // SAFETY: a device of the context.
            let queue =
                made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) });
            squares(&session, kernel, queue, 640);
        }
    }
}

#[test]
fn threads_divide_the_same_device_and_use_its_parts() {
    let root = Session::open();
    // Handles may go from thread to thread; pointers do not know that.
    let platform = root.platform.expose_provenance();
    let device = root.devices[3].expose_provenance();
    std::thread::scope(|scope| {
        for units in [2, 3, 5, 11] {
            scope.spawn(move || {
                let platform = std::ptr::with_exposed_provenance_mut(platform);
                let device = std::ptr::with_exposed_provenance_mut(device);
                for _ in 0..5 {
                    let parts = equally(device, units);
                    let session = Session::over(platform, parts.clone());
                    parts.into_iter().for_each(|part| ok(release(part)));
                    let kernel = session.kernel(SQUARES, "squares");
                    squares(&session, kernel, session.queue, 6400);
                    squares_release(kernel);
                    // SAFETY: valid handles, each released once.
                    unsafe {
                        ok(clReleaseCommandQueue(session.queue));
                        ok(clReleaseCommandQueue(session.out_of_order));
                        ok(clReleaseContext(session.context));
                    }
                }
            });
        }
    });
    assert_eq!(number(root.devices[3], CL_DEVICE_REFERENCE_COUNT), 1);
}
