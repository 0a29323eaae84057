//! Two large buffers, and the offsets that tests access.

use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};
use std::sync::MutexGuard;

pub const GIB: usize = 1 << 30;

/// The size of the largest possible buffer, in bytes.
pub const LARGE: usize = 8 * GIB;

/// The size of a second buffer, in bytes: a device has room for both.
pub const OTHER: usize = 4 * GIB + GIB / 2;

/// Offsets around the limits of 32-bit numbers, and near the end of the largest buffer, in bytes.
pub const PLACES: [usize; 5] = [GIB - 32, 2 * GIB - 32, 4 * GIB - 32, 6 * GIB, LARGE - 64];

/// Two large buffers on a device that no other test uses concurrently.
pub struct Large {
    pub session: Session,
    pub large: cl_mem,
    pub other: cl_mem,
    _turn: MutexGuard<'static, ()>,
}

impl Large {
    pub fn new() -> Self {
        let (session, turn) = Session::with_a_device_alone();
        let create = |size| {
            // SAFETY: there is no host memory.
            made(|code| unsafe { clCreateBuffer(session.context, 0, size, null_mut(), code) })
        };
        Self {
            large: create(LARGE),
            other: create(OTHER),
            session,
            _turn: turn,
        }
    }

    pub fn write(&self, buffer: cl_mem, offset: usize, bytes: &[u8]) {
        // SAFETY: the call blocks.
        ok(unsafe {
            let start = bytes.as_ptr().cast();
            let (queue, size) = (self.session.queue, bytes.len());
            clEnqueueWriteBuffer(
                queue,
                buffer,
                CL_TRUE,
                offset,
                size,
                start,
                0,
                null(),
                null_mut(),
            )
        });
    }

    pub fn read(&self, buffer: cl_mem, offset: usize, size: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; size];
        // SAFETY: the vector has room, and the call blocks.
        ok(unsafe {
            let start = bytes.as_mut_ptr().cast();
            clEnqueueReadBuffer(
                self.session.queue,
                buffer,
                CL_TRUE,
                offset,
                size,
                start,
                0,
                null(),
                null_mut(),
            )
        });
        bytes
    }

    /// Launches a kernel with a buffer as its first argument.
    pub fn launch(
        &self,
        kernel: cl_kernel,
        buffer: cl_mem,
        offset: usize,
        size: usize,
        local: usize,
    ) {
        ok(self.session.set(kernel, 0, &buffer));
        // SAFETY: sizes are read during the call.
        unsafe {
            ok(clEnqueueNDRangeKernel(
                self.session.queue,
                kernel,
                1,
                &offset,
                &size,
                &local,
                0,
                null(),
                null_mut(),
            ));
        }
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        // SAFETY: both are valid, and no command uses them any more.
        unsafe {
            ok(clFinish(self.session.queue));
            ok(clReleaseMemObject(self.large));
            ok(clReleaseMemObject(self.other));
        }
    }
}

/// 64 bytes that tell places apart.
pub fn mark(place: usize) -> Vec<u8> {
    let bytes = (0..64).map(|index| (place / 32 + 7 * index + 1) as u8);
    bytes.collect()
}

/// Builds a kernel with and without optimisation.
pub fn kernels(session: &Session, source: &str, name: &str) -> [cl_kernel; 2] {
    ["", "-cl-opt-disable"].map(|options| {
        let program = session.program(source);
        let built = session.build(program, options);
        assert_eq!(built, CL_SUCCESS, "{}", session.log(program));
        session.kernel_of(program, name)
    })
}
