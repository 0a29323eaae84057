//! Platform, devices, contexts and handles.

use crate::session::{Session, made, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

fn device_text(device: cl_device_id, name: u32) -> String {
    let mut size = 0;
    let mut text = vec![0u8; 4096];
    // SAFETY: the vector has room.
    ok(unsafe {
        clGetDeviceInfo(
            device,
            name,
            text.len(),
            text.as_mut_ptr().cast(),
            &mut size,
        )
    });
    String::from_utf8(text[..size - 1].to_vec()).unwrap()
}

fn device_number<T: Default>(device: cl_device_id, name: u32) -> T {
    let mut value = T::default();
    let to = std::ptr::from_mut(&mut value).cast();
    // SAFETY: the value has the size given.
    ok(unsafe { clGetDeviceInfo(device, name, size_of::<T>(), to, null_mut()) });
    value
}

#[test]
fn four_clusters_of_24_arrays() {
    let session = Session::open();
    for &device in &session.devices {
        assert_eq!(
            device_number::<u32>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
            24
        );
        assert_eq!(
            device_number::<u64>(device, CL_DEVICE_LOCAL_MEM_SIZE),
            640 << 10
        );
        // PyOpenCL keeps binaries by this text; another build refuses them.
        let version = device_text(device, CL_DEVICE_VERSION);
        assert!(version.starts_with("OpenCL 1.2 ") && version.contains(" build "));
        assert!(device_text(device, CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
        assert!(device_text(device, CL_DEVICE_EXTENSIONS).contains("cl_khr_fp64"));
    }
}

#[test]
fn queries_say_what_is_wrong_with_them() {
    let session = Session::open();
    let mut value = 0u32;
    let to = std::ptr::from_mut(&mut value).cast();
    let mut count = 0;
    // SAFETY: all pointers are to locals.
    unsafe {
        assert_eq!(
            clGetPlatformIDs(0, null_mut(), null_mut()),
            CL_INVALID_VALUE
        );
        assert_eq!(
            clGetDeviceIDs(session.platform, 0, 0, null_mut(), &mut count),
            CL_INVALID_DEVICE_TYPE
        );
        assert_eq!(
            clGetDeviceIDs(
                session.platform,
                CL_DEVICE_TYPE_GPU,
                0,
                null_mut(),
                &mut count
            ),
            CL_DEVICE_NOT_FOUND
        );
        let device = session.devices[0];
        assert_eq!(
            clGetDeviceInfo(device, 0xBAD, 4, to, null_mut()),
            CL_INVALID_VALUE
        );
        assert_eq!(
            clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, 3, to, null_mut()),
            CL_INVALID_VALUE
        );
        assert_eq!(
            clGetDeviceInfo(
                session.context.cast(),
                CL_DEVICE_MAX_COMPUTE_UNITS,
                4,
                to,
                null_mut()
            ),
            CL_INVALID_DEVICE
        );
    }
}

#[test]
fn contexts_check_properties_and_devices() {
    let session = Session::open();
    let device = session.devices[0];
    let foreign = session.context.cast();
    let bad: [cl_context_properties; 3] = [0x9999, 1, 0];
    let good: [cl_context_properties; 3] =
        [CL_CONTEXT_PLATFORM as isize, session.platform as isize, 0];
    // SAFETY: all pointers are to locals.
    unsafe {
        assert_eq!(
            refused(|code| clCreateContext(null(), 1, &foreign, None, null_mut(), code)),
            CL_INVALID_DEVICE
        );
        assert_eq!(
            refused(|code| clCreateContext(bad.as_ptr(), 1, &device, None, null_mut(), code)),
            CL_INVALID_PROPERTY
        );
        let context =
            made(|code| clCreateContext(good.as_ptr(), 1, &device, None, null_mut(), code));
        assert_eq!(
            refused(|code| clCreateCommandQueue(context, session.devices[3], 0, code)),
            CL_INVALID_DEVICE
        );
        ok(clReleaseContext(context));
    }
}

#[test]
fn stale_handles_and_handles_of_another_kind_are_recognised() {
    let session = Session::open();
    let buffer = session.buffer(&[1u8; 64]);
    // SAFETY: the loader reads the handles' first word, which stays readable.
    unsafe {
        ok(clRetainMemObject(buffer));
        ok(clReleaseMemObject(buffer));
        ok(clReleaseMemObject(buffer));
        assert_eq!(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
        assert_eq!(clReleaseKernel(session.context.cast()), CL_INVALID_KERNEL);
        assert_eq!(clFinish(session.context.cast()), CL_INVALID_COMMAND_QUEUE);
        assert_eq!(clRetainEvent(session.queue.cast()), CL_INVALID_EVENT);
    }
}
