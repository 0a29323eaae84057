//! Handles of objects that are gone: made, and released at once.

use crate::images::RGBA8;
use crate::session::{Session, made, ok};
use crate::sub_devices::one_compute_unit;
use cl_sys::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// A released context.
pub fn context(session: &Session) -> cl_context {
    // SAFETY: the device is valid.
    unsafe {
        let context =
            made(|code| clCreateContext(null(), 1, &session.devices[0], None, null_mut(), code));
        ok(clReleaseContext(context));
        context
    }
}

/// A released sub-device; other devices are never released.
pub fn sub_device(session: &Session) -> cl_device_id {
    let device = one_compute_unit(session);
    // SAFETY: the sub-device is valid.
    ok(unsafe { clReleaseDevice(device) });
    device
}

/// A released queue.
pub fn queue(session: &Session) -> cl_command_queue {
    // SAFETY: context and device are valid.
    unsafe {
        let queue = made(|code| clCreateCommandQueue(session.context, session.devices[0], 0, code));
        ok(clReleaseCommandQueue(queue));
        queue
    }
}

/// A released buffer.
pub fn buffer(session: &Session) -> cl_mem {
    let buffer = session.buffer(&[0i32; 16]);
    // SAFETY: the buffer is valid.
    ok(unsafe { clReleaseMemObject(buffer) });
    buffer
}

/// A released image.
pub fn image(session: &Session) -> cl_mem {
    let image = session.empty_image(&RGBA8, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]);
    // SAFETY: the image is valid.
    ok(unsafe { clReleaseMemObject(image) });
    image
}

/// A released sampler.
pub fn sampler(session: &Session) -> cl_sampler {
    // SAFETY: the context is valid.
    unsafe {
        let sampler = made(|code| {
            clCreateSampler(
                session.context,
                CL_FALSE,
                CL_ADDRESS_NONE,
                CL_FILTER_NEAREST,
                code,
            )
        });
        ok(clReleaseSampler(sampler));
        sampler
    }
}

/// A released program.
pub fn program(session: &Session) -> cl_program {
    let program = session.program("kernel void empty() {}");
    // SAFETY: the program is valid.
    ok(unsafe { clReleaseProgram(program) });
    program
}

/// A released kernel.
pub fn kernel(session: &Session) -> cl_kernel {
    let program = session.program("kernel void empty() {}");
    ok(session.build(program, ""));
    let name = CString::from(c"empty");
    // SAFETY: the program is built and the name outlives the call.
    unsafe {
        let kernel = made(|code| clCreateKernel(program, name.as_ptr(), code));
        ok(clReleaseKernel(kernel));
        kernel
    }
}

/// A released event.
pub fn event(session: &Session) -> cl_event {
    // SAFETY: the context is valid.
    unsafe {
        let event = made(|code| clCreateUserEvent(session.context, code));
        ok(clReleaseEvent(event));
        event
    }
}
