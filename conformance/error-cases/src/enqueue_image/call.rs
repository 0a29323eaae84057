//! Commands on images, each valid but for a change.

use crate::images::*;
use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Each axis of an image that its type lets have more than one pixel.
pub const SIZE: usize = 4;

pub fn image_of(session: &Session, image_type: cl_uint) -> cl_mem {
    session.empty_image(&RGBA8, image_type, [SIZE; 3])
}

pub fn image_with(session: &Session, flags: cl_mem_flags) -> cl_mem {
    let shape = desc(TYPE_2D, [SIZE, SIZE, 1]);
    session.image_with(flags, &RGBA8, &shape, null_mut())
}

/// The arguments of a call; each function uses those it has. As they stand, one pixel is
/// moved.
pub struct Call {
    pub queue: cl_command_queue,
    pub image: cl_mem,
    /// Where `clEnqueueCopyImage` copies to.
    pub destination: cl_mem,
    pub buffer: cl_mem,
    pub offset: usize,
    pub origin: Option<[usize; 3]>,
    pub destination_origin: Option<[usize; 3]>,
    pub region: Option<[usize; 3]>,
    pub row_pitch: usize,
    pub slice_pitch: usize,
    pub host: Vec<u8>,
    pub color: Option<[f32; 4]>,
    pub map_flags: cl_map_flags,
    pub mapped: Mapped,
    pub has_row_pitch: bool,
    pub has_slice_pitch: bool,
    pub events: Option<Vec<cl_event>>,
    pub num_events: u32,
}

pub fn pointer<T>(value: Option<&T>) -> *const T {
    value.map_or(null(), std::ptr::from_ref)
}

/// A call like the valid one, but for a change.
pub fn call(session: &Session, change: impl FnOnce(&mut Call)) -> Call {
    let mut call = Call {
        queue: session.queue,
        image: image_of(session, TYPE_2D),
        destination: image_of(session, TYPE_2D),
        buffer: session.buffer(&[0u8; 64]),
        offset: 0,
        origin: Some([0; 3]),
        destination_origin: Some([0; 3]),
        region: Some([1; 3]),
        row_pitch: 0,
        slice_pitch: 0,
        host: vec![0; 1 << 10],
        color: Some([0.0; 4]),
        map_flags: CL_MAP_READ,
        mapped: Mapped {
            pointer: null_mut(),
            row_pitch: 0,
            slice_pitch: 0,
        },
        has_row_pitch: true,
        has_slice_pitch: true,
        events: None,
        num_events: 0,
    };
    change(&mut call);
    call
}

impl Call {
    pub fn wait_list(&self) -> (u32, *const cl_event) {
        let list = self
            .events
            .as_ref()
            .map_or(null(), |events| events.as_ptr());
        (self.num_events, list)
    }

    pub fn wait_for(&mut self, event: cl_event) {
        self.events = Some(vec![event]);
        self.num_events = 1;
    }

    pub fn origin(&self) -> *const usize {
        pointer(self.origin.as_ref()).cast()
    }

    pub fn region(&self) -> *const usize {
        pointer(self.region.as_ref()).cast()
    }

    pub fn host(&mut self) -> *mut c_void {
        if self.host.is_empty() {
            return null_mut();
        }
        self.host.as_mut_ptr().cast()
    }

    pub fn read(mut self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: host memory and lists outlive the call, which blocks.
        unsafe {
            clEnqueueReadImage(
                self.queue,
                self.image,
                CL_TRUE,
                self.origin(),
                self.region(),
                self.row_pitch,
                self.slice_pitch,
                self.host(),
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn write(mut self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: as for `read`.
        unsafe {
            clEnqueueWriteImage(
                self.queue,
                self.image,
                CL_TRUE,
                self.origin(),
                self.region(),
                self.row_pitch,
                self.slice_pitch,
                self.host(),
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn fill(self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: colour and lists are read during the call.
        unsafe {
            clEnqueueFillImage(
                self.queue,
                self.image,
                pointer(self.color.as_ref()).cast(),
                self.origin(),
                self.region(),
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn copy(self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImage(
                self.queue,
                self.image,
                self.destination,
                self.origin(),
                pointer(self.destination_origin.as_ref()).cast(),
                self.region(),
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn copy_to_buffer(self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImageToBuffer(
                self.queue,
                self.image,
                self.buffer,
                self.origin(),
                self.region(),
                self.offset,
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn copy_from_buffer(self) -> cl_int {
        let (count, list) = self.wait_list();
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyBufferToImage(
                self.queue,
                self.buffer,
                self.image,
                self.offset,
                self.origin(),
                self.region(),
                count,
                list,
                null_mut(),
            )
        }
    }

    pub fn map(mut self) -> cl_int {
        let (count, list) = self.wait_list();
        let place = |wanted: bool, to: *mut usize| if wanted { to } else { null_mut() };
        let row_pitch = place(self.has_row_pitch, &raw mut self.mapped.row_pitch);
        let slice_pitch = place(self.has_slice_pitch, &raw mut self.mapped.slice_pitch);
        let mut code = 1;
        // SAFETY: the lists are read during the call, the results written.
        let start = unsafe {
            clEnqueueMapImage(
                self.queue,
                self.image,
                CL_TRUE,
                self.map_flags,
                self.origin(),
                self.region(),
                row_pitch,
                slice_pitch,
                count,
                list,
                null_mut(),
                &mut code,
            )
        };
        assert_eq!(start.is_null(), code != CL_SUCCESS);
        code
    }
}

/// A user event that has failed.
pub fn failed_event(session: &Session) -> cl_event {
    // SAFETY: the context is valid, and so is the event.
    unsafe {
        let event = made(|code| clCreateUserEvent(session.context, code));
        ok(clSetUserEventStatus(event, -1));
        event
    }
}
