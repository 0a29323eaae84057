//! Calls that create images, each valid but for a change.

use crate::images::*;
use crate::session::{Session, made, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

/// Each axis of an image that its type lets have more than one pixel.
pub const SIZE: usize = 4;

/// Host memory that holds any image of these tests, with room between rows and slices.
pub static HOST: [u64; 1 << 10] = [0; 1 << 10];

pub fn host() -> *mut c_void {
    HOST.as_ptr().cast_mut().cast()
}

/// The arguments of a creation; each function uses those it has. As they stand, there is an
/// image of four by four pixels.
pub struct Creation {
    pub context: cl_context,
    pub flags: cl_mem_flags,
    pub format: Option<cl_image_format>,
    pub desc: Option<cl_image_desc>,
    pub host: *mut c_void,
}

pub fn shape(image_type: cl_uint) -> cl_image_desc {
    desc(image_type, [SIZE; 3])
}

/// A creation like the valid one, but for a change.
pub fn creation(session: &Session, change: impl FnOnce(&mut Creation)) -> Creation {
    let mut creation = Creation {
        context: session.context,
        flags: 0,
        format: Some(RGBA8),
        desc: Some(shape(TYPE_2D)),
        host: null_mut(),
    };
    change(&mut creation);
    creation
}

impl Creation {
    pub fn format(&self) -> *const cl_image_format {
        self.format.as_ref().map_or(null(), std::ptr::from_ref)
    }

    pub fn in_host_memory(&mut self) {
        self.flags = CL_MEM_USE_HOST_PTR;
        self.host = host();
    }

    /// `clCreateImage`
    pub fn image(self) -> cl_int {
        let desc = self.desc.as_ref().map_or(null(), std::ptr::from_ref);
        // SAFETY: format and shape are read during the call; the host memory is larger
        // than any image that could be made here.
        refused(|code| unsafe {
            clCreateImage(
                self.context,
                self.flags,
                self.format(),
                desc,
                self.host,
                code,
            )
        })
    }

    /// `clCreateImage2D`
    pub fn image_2d(self) -> cl_int {
        let desc = self.desc.as_ref().unwrap();
        // SAFETY: as for `image`.
        refused(|code| unsafe {
            create_image_2d(
                self.context,
                self.flags,
                self.format(),
                desc.image_width,
                desc.image_height,
                desc.image_row_pitch,
                self.host,
                code,
            )
        })
    }

    /// `clCreateImage3D`
    pub fn image_3d(self) -> cl_int {
        let desc = self.desc.as_ref().unwrap();
        // SAFETY: as for `image`.
        refused(|code| unsafe {
            clCreateImage3D(
                self.context,
                self.flags,
                self.format().cast_mut(),
                desc.image_width,
                desc.image_height,
                desc.image_depth,
                desc.image_row_pitch,
                desc.image_slice_pitch,
                self.host,
                code,
            )
        })
    }
}

/// `clCreateImage` of another type than 2D, with a changed shape.
pub fn of_type(
    session: &Session,
    image_type: cl_uint,
    change: impl FnOnce(&mut cl_image_desc),
) -> cl_int {
    let mut shape = shape(image_type);
    if image_type == TYPE_1D_BUFFER {
        shape.buffer = session.buffer(&[0u8; 64]);
    }
    change(&mut shape);
    creation(session, |creation| creation.desc = Some(shape)).image()
}

/// The same over host memory, with pitches.
pub fn pitched(session: &Session, image_type: cl_uint, row: usize, slice: usize) -> cl_int {
    let mut shape = shape(image_type);
    (shape.image_row_pitch, shape.image_slice_pitch) = (row, slice);
    let change = |creation: &mut Creation| {
        creation.desc = Some(shape);
        creation.in_host_memory();
    };
    creation(session, change).image()
}

/// The same with flags.
pub fn flagged(session: &Session, flags: cl_mem_flags) -> Creation {
    creation(session, |creation| creation.flags = flags)
}

/// `clCreateImage` of a format.
pub fn of_format(session: &Session, order: cl_uint, data_type: cl_uint) -> cl_int {
    let format = format(order, data_type);
    creation(session, |creation| creation.format = Some(format)).image()
}

/// An image of 64 bytes of a buffer, both with flags.
pub fn of_buffer(
    session: &Session,
    image_type: cl_uint,
    buffer_flags: cl_mem_flags,
    flags: cl_mem_flags,
) -> cl_int {
    // SAFETY: the buffer has memory of its own.
    let buffer =
        made(|code| unsafe { clCreateBuffer(session.context, buffer_flags, 64, null_mut(), code) });
    let mut shape = shape(image_type);
    shape.buffer = buffer;
    let change = |creation: &mut Creation| {
        creation.desc = Some(shape);
        creation.flags = flags;
        if flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0 {
            creation.host = host();
        }
    };
    creation(session, change).image()
}

/// A 2D image in host memory that a buffer uses, from a byte on.
pub fn of_host_memory(session: &Session, first: usize) -> cl_int {
    // SAFETY: the static memory is large enough, and never written.
    let buffer = made(|code| unsafe {
        let (flags, start) = (CL_MEM_USE_HOST_PTR, host().wrapping_byte_add(first));
        clCreateBuffer(session.context, flags, 64, start, code)
    });
    of_type(session, TYPE_2D, |shape| shape.buffer = buffer)
}

/// One more than the device's limit.
pub fn beyond(session: &Session, limit: cl_device_info) -> usize {
    let mut value = 0usize;
    let to = (&raw mut value).cast();
    // SAFETY: the value has the size that is passed.
    let code = unsafe {
        clGetDeviceInfo(
            session.devices[0],
            limit,
            size_of::<usize>(),
            to,
            null_mut(),
        )
    };
    assert_eq!(code, CL_SUCCESS);
    value + 1
}

pub fn formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_uint,
    room: (cl_uint, *mut cl_image_format),
) -> cl_int {
    // SAFETY: nothing is written where there is no room.
    unsafe { clGetSupportedImageFormats(context, flags, image_type, room.0, room.1, null_mut()) }
}

pub fn info(image: cl_mem, name: cl_image_info, size: usize) -> cl_int {
    let mut value = [0u64; 2];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetImageInfo(image, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

pub fn image(session: &Session) -> cl_mem {
    session.empty_image(&RGBA8, TYPE_2D, [SIZE, SIZE, 1])
}
