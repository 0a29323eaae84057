//! Images of all types, and transfers of parts of them.

use super::pixel::Format;
use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Memory, Object};
use harness::session::Session;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Types of images with their own memory, and sizes of small ones. The second size of
/// one-dimensional arrays and the third of two-dimensional ones is the number of images.
pub const TYPES: [(cl_uint, [usize; 3]); 5] = [
    (CL_MEM_OBJECT_IMAGE1D, [13, 1, 1]),
    (CL_MEM_OBJECT_IMAGE1D_ARRAY, [7, 5, 1]),
    (CL_MEM_OBJECT_IMAGE2D, [9, 6, 1]),
    (CL_MEM_OBJECT_IMAGE2D_ARRAY, [6, 5, 3]),
    (CL_MEM_OBJECT_IMAGE3D, [5, 4, 3]),
];

/// The name of a type in OpenCL C.
pub fn name(image_type: cl_uint) -> &'static str {
    match image_type {
        CL_MEM_OBJECT_IMAGE1D => "image1d_t",
        CL_MEM_OBJECT_IMAGE1D_BUFFER => "image1d_buffer_t",
        CL_MEM_OBJECT_IMAGE1D_ARRAY => "image1d_array_t",
        CL_MEM_OBJECT_IMAGE2D => "image2d_t",
        CL_MEM_OBJECT_IMAGE2D_ARRAY => "image2d_array_t",
        _ => "image3d_t",
    }
}

/// The coordinates of the pixel `x`, `y`, `z` in OpenCL C, of type `int` or `float`.
pub fn coordinates(image_type: cl_uint, kind: &str) -> String {
    match image_type {
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER => "x".into(),
        CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D => format!("({kind}2)(x, y)"),
        _ => format!("({kind}4)(x, y, z, 0)"),
    }
}

pub fn description(image_type: cl_uint, [width, height, depth]: [usize; 3]) -> cl_image_desc {
    let (image_height, image_depth, image_array_size) = match image_type {
        CL_MEM_OBJECT_IMAGE1D_ARRAY => (0, 0, height),
        CL_MEM_OBJECT_IMAGE2D_ARRAY => (height, 0, depth),
        CL_MEM_OBJECT_IMAGE3D => (height, depth, 0),
        CL_MEM_OBJECT_IMAGE2D => (height, 0, 0),
        _ => (0, 0, 0),
    };
    cl_image_desc {
        image_type,
        image_width: width,
        image_height,
        image_depth,
        image_array_size,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

pub fn create(
    session: &Session,
    flags: cl_bitfield,
    format: Format,
    description: &cl_image_desc,
    host: *mut c_void,
) -> Result<Object<Memory>> {
    let format = cl_image_format {
        image_channel_order: format.0,
        image_channel_data_type: format.1,
    };
    made!(clCreateImage(
        session.context.get(),
        flags,
        &raw const format,
        description,
        host
    ))
    .map(Object::new)
}

/// A small image that kernels may read and write.
pub fn image(
    session: &Session,
    format: Format,
    image_type: cl_uint,
    extent: [usize; 3],
) -> Result<Object<Memory>> {
    let description = description(image_type, extent);
    create(session, CL_MEM_READ_WRITE, format, &description, null_mut())
}

pub const RGBA8: Format = (CL_RGBA, CL_UNSIGNED_INT8);

/// Reads or writes a part of an image. Pitches of 0 mean no padding.
pub fn transfer(
    session: &Session,
    image: &Object<Memory>,
    [origin, region]: [[usize; 3]; 2],
    [row, slice]: [usize; 2],
    bytes: &mut [u8],
    write: bool,
) -> Result<()> {
    let (queue, image, start) = (session.queue.get(), image.get(), bytes.as_mut_ptr().cast());
    let (origin, region) = (origin.as_ptr(), region.as_ptr());
    if write {
        ok!(clEnqueueWriteImage(
            queue,
            image,
            CL_TRUE,
            origin,
            region,
            row,
            slice,
            start,
            0,
            null(),
            null_mut()
        ))
    } else {
        ok!(clEnqueueReadImage(
            queue,
            image,
            CL_TRUE,
            origin,
            region,
            row,
            slice,
            start,
            0,
            null(),
            null_mut()
        ))
    }
}

/// The supported formats of a type of images for a use.
pub fn supported(
    session: &Session,
    flags: cl_bitfield,
    image_type: cl_uint,
) -> Result<Vec<Format>> {
    let mut formats = vec![[0; 2]; 1000];
    let mut count = 0;
    ok!(clGetSupportedImageFormats(
        session.context.get(),
        flags,
        image_type,
        formats.len() as cl_uint,
        formats.as_mut_ptr().cast(),
        &raw mut count
    ))?;
    formats.truncate(count as usize);
    Ok(formats
        .into_iter()
        .map(|[order, kind]| (order, kind))
        .collect())
}
