//! Calls of the functions, each good unless something is changed.

use crate::session::{Session, made};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Bytes of the buffers, and of the host program's memory.
pub const SIZE: usize = 4096;

/// The arguments of any of the functions, each good unless it is changed.
#[derive(Clone, Copy)]
pub struct Call {
    pub queue: cl_command_queue,
    /// The one buffer, or the source.
    pub buffer: cl_mem,
    pub destination: cl_mem,
    pub blocking: cl_bool,
    pub offset: usize,
    pub destination_offset: usize,
    pub size: usize,
    /// Whether `ptr` (or `pattern`, or `mem_objects`) is not null.
    pub has_pointer: bool,
    pub region: Option<[usize; 3]>,
    pub origin: Option<[usize; 3]>,
    /// Of the memory that is written.
    pub destination_origin: Option<[usize; 3]>,
    pub row_pitch: usize,
    pub slice_pitch: usize,
    pub destination_row_pitch: usize,
    pub destination_slice_pitch: usize,
    pub pattern_size: usize,
    pub map_flags: cl_map_flags,
    pub migration_flags: cl_mem_migration_flags,
    pub mem_objects: cl_uint,
    /// The queue and object to be mapped, and a pointer to be unmapped instead of the mapped one.
    pub mapped: (cl_command_queue, cl_mem),
    pub unmapped: Option<*mut c_void>,
    pub events: cl_uint,
    pub event: Option<cl_event>,
}

impl Call {
    pub fn good(session: &Session) -> Self {
        let buffer = session.buffer(&[0u8; SIZE]);
        Self {
            queue: session.queue,
            buffer,
            destination: session.buffer(&[0u8; SIZE]),
            blocking: CL_TRUE,
            offset: 128,
            destination_offset: 256,
            size: 64,
            has_pointer: true,
            region: Some([8, 4, 2]),
            origin: Some([1, 2, 3]),
            destination_origin: Some([3, 2, 1]),
            row_pitch: 16,
            slice_pitch: 64,
            destination_row_pitch: 16,
            destination_slice_pitch: 64,
            pattern_size: 4,
            map_flags: CL_MAP_WRITE,
            migration_flags: 0,
            mem_objects: 1,
            mapped: (session.queue, buffer),
            unmapped: None,
            events: 0,
            event: None,
        }
    }

    /// Good, but for the events it waits for.
    pub fn waiting(session: &Session, events: cl_uint, event: Option<cl_event>) -> Self {
        Self {
            events,
            event,
            ..Self::good(session)
        }
    }

    /// Good, but on a buffer with these flags.
    pub fn on_flags(session: &Session, flags: cl_mem_flags) -> Self {
        // SAFETY: there is no host pointer.
        let buffer =
            made(|code| unsafe { clCreateBuffer(session.context, flags, SIZE, null_mut(), code) });
        Self {
            buffer,
            ..Self::good(session)
        }
    }

    pub fn wait_list(&self) -> *const cl_event {
        self.event.as_ref().map_or(null(), std::ptr::from_ref)
    }
}

fn start(triple: &Option<[usize; 3]>) -> *const usize {
    triple.as_ref().map_or(null(), |triple| triple.as_ptr())
}

fn given<T>(call: &Call, memory: &mut T) -> *mut c_void {
    if call.has_pointer {
        std::ptr::from_mut(memory).cast()
    } else {
        null_mut()
    }
}

// SAFETY of all calls: what they point to is read during the call, or written by a blocking
// one; the regions that are not refused are within SIZE bytes.

pub fn read(call: &Call) -> cl_int {
    let mut memory = [0u8; SIZE];
    // SAFETY: see above.
    unsafe {
        clEnqueueReadBuffer(
            call.queue,
            call.buffer,
            call.blocking,
            call.offset,
            call.size,
            given(call, &mut memory),
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn write(call: &Call) -> cl_int {
    let mut memory = [0u8; SIZE];
    // SAFETY: see above.
    unsafe {
        clEnqueueWriteBuffer(
            call.queue,
            call.buffer,
            call.blocking,
            call.offset,
            call.size,
            given(call, &mut memory),
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn read_rect(call: &Call) -> cl_int {
    let mut memory = [0u8; SIZE];
    // SAFETY: see above.
    unsafe {
        clEnqueueReadBufferRect(
            call.queue,
            call.buffer,
            call.blocking,
            start(&call.origin),
            start(&call.destination_origin),
            start(&call.region),
            call.row_pitch,
            call.slice_pitch,
            call.destination_row_pitch,
            call.destination_slice_pitch,
            given(call, &mut memory),
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

/// The buffer is what is written.
pub fn write_rect(call: &Call) -> cl_int {
    let mut memory = [0u8; SIZE];
    // SAFETY: see above.
    unsafe {
        clEnqueueWriteBufferRect(
            call.queue,
            call.buffer,
            call.blocking,
            start(&call.destination_origin),
            start(&call.origin),
            start(&call.region),
            call.destination_row_pitch,
            call.destination_slice_pitch,
            call.row_pitch,
            call.slice_pitch,
            given(call, &mut memory),
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn copy(call: &Call) -> cl_int {
    // SAFETY: see above.
    unsafe {
        clEnqueueCopyBuffer(
            call.queue,
            call.buffer,
            call.destination,
            call.offset,
            call.destination_offset,
            call.size,
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn copy_rect(call: &Call) -> cl_int {
    // SAFETY: see above.
    unsafe {
        clEnqueueCopyBufferRect(
            call.queue,
            call.buffer,
            call.destination,
            start(&call.origin),
            start(&call.destination_origin),
            start(&call.region),
            call.row_pitch,
            call.slice_pitch,
            call.destination_row_pitch,
            call.destination_slice_pitch,
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn fill(call: &Call) -> cl_int {
    let mut pattern = [0u8; 256];
    // SAFETY: see above.
    unsafe {
        clEnqueueFillBuffer(
            call.queue,
            call.buffer,
            given(call, &mut pattern),
            call.pattern_size,
            call.offset,
            call.size,
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn map(call: &Call) -> cl_int {
    let mut code = -12345;
    // SAFETY: see above.
    let pointer = unsafe {
        clEnqueueMapBuffer(
            call.queue,
            call.buffer,
            call.blocking,
            call.map_flags,
            call.offset,
            call.size,
            call.events,
            call.wait_list(),
            null_mut(),
            &mut code,
        )
    };
    assert_eq!(pointer.is_null(), code != CL_SUCCESS);
    code
}

pub fn map_copies(call: &Call) -> (cl_int, cl_int) {
    (map(call), map(call))
}

pub fn unmap(call: &Call) -> cl_int {
    let (queue, buffer) = call.mapped;
    // SAFETY: see above.
    unsafe {
        let mapped = made(|code| {
            clEnqueueMapBuffer(
                queue,
                buffer,
                CL_TRUE,
                CL_MAP_READ,
                128,
                64,
                0,
                null(),
                null_mut(),
                code,
            )
        });
        clEnqueueUnmapMemObject(
            call.queue,
            call.buffer,
            call.unmapped.unwrap_or(mapped),
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}

pub fn migrate(call: &Call) -> cl_int {
    let mut objects = [call.buffer, call.destination];
    // SAFETY: see above.
    unsafe {
        clEnqueueMigrateMemObjects(
            call.queue,
            call.mem_objects,
            given(call, &mut objects).cast(),
            call.migration_flags,
            call.events,
            call.wait_list(),
            null_mut(),
        )
    }
}
