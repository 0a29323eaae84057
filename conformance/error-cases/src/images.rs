//! Images: formats, descriptions, and the calls that error cases and tests share.

use crate::session::{Session, made};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_1D: cl_uint = CL_MEM_OBJECT_IMAGE1D;
/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_1D_ARRAY: cl_uint = CL_MEM_OBJECT_IMAGE1D_ARRAY;
/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_1D_BUFFER: cl_uint = CL_MEM_OBJECT_IMAGE1D_BUFFER;
/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_2D: cl_uint = CL_MEM_OBJECT_IMAGE2D;
/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_2D_ARRAY: cl_uint = CL_MEM_OBJECT_IMAGE2D_ARRAY;
/// `CL_MEM_OBJECT_IMAGE…`
pub const TYPE_3D: cl_uint = CL_MEM_OBJECT_IMAGE3D;

/// A format.
pub fn format(order: cl_uint, data_type: cl_uint) -> cl_image_format {
    cl_image_format {
        image_channel_order: order,
        image_channel_data_type: data_type,
    }
}

/// The description of an image: pixels, rows or images, slices or images.
pub fn desc(image_type: cl_mem_object_type, extent: [usize; 3]) -> cl_image_desc {
    let [width, height, depth] = extent;
    cl_image_desc {
        image_type,
        image_width: width,
        image_height: if image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY {
            0
        } else {
            height
        },
        image_depth: if image_type == CL_MEM_OBJECT_IMAGE3D {
            depth
        } else {
            0
        },
        image_array_size: match image_type {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => height,
            CL_MEM_OBJECT_IMAGE2D_ARRAY => depth,
            _ => 0,
        },
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

/// Four channels of eight bits, normalised.
pub const RGBA8: cl_image_format = cl_image_format {
    image_channel_order: CL_RGBA,
    image_channel_data_type: CL_UNORM_INT8,
};

impl Session {
    /// An image.
    pub fn image_with(
        &self,
        flags: cl_mem_flags,
        format: &cl_image_format,
        desc: &cl_image_desc,
        host: *mut c_void,
    ) -> cl_mem {
        // SAFETY: the host memory, if any, has the pixels that `desc` says.
        made(|code| unsafe { clCreateImage(self.context, flags, format, desc, host, code) })
    }

    /// An image without contents; of a buffer, if its type is one of a buffer.
    pub fn empty_image(
        &self,
        format: &cl_image_format,
        image_type: cl_mem_object_type,
        extent: [usize; 3],
    ) -> cl_mem {
        let mut shape = desc(image_type, extent);
        if image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER {
            shape.buffer = self.buffer(&vec![0u8; 16 * extent[0]]);
        }
        self.image_with(0, format, &shape, null_mut())
    }

    /// A sampler.
    pub fn sampler(&self, coords: cl_bool, addressing: cl_uint, filter: cl_uint) -> cl_sampler {
        // SAFETY: nothing is read.
        made(|code| unsafe { clCreateSampler(self.context, coords, addressing, filter, code) })
    }

    /// Maps a region, blocking; the code if that fails.
    pub fn map_pixels(
        &self,
        image: cl_mem,
        flags: cl_map_flags,
        origin: [usize; 3],
        region: [usize; 3],
    ) -> Result<Mapped, cl_int> {
        let (mut row_pitch, mut slice_pitch, mut code) = (1, 1, 1);
        // SAFETY: the lists are read during the call.
        let pointer = unsafe {
            clEnqueueMapImage(
                self.queue,
                image,
                CL_TRUE,
                flags,
                origin.as_ptr(),
                region.as_ptr(),
                &mut row_pitch,
                &mut slice_pitch,
                0,
                null(),
                null_mut(),
                &mut code,
            )
        };
        assert_eq!(pointer.is_null(), code != CL_SUCCESS);
        (code == CL_SUCCESS)
            .then_some(Mapped {
                pointer,
                row_pitch,
                slice_pitch,
            })
            .ok_or(code)
    }
}

/// A mapped region: results of `clEnqueueMapImage`.
#[derive(Debug)]
pub struct Mapped {
    /// The first pixel.
    pub pointer: *mut c_void,
    /// Bytes from row to row.
    pub row_pitch: usize,
    /// Bytes from slice to slice.
    pub slice_pitch: usize,
}

unsafe extern "C" {
    /// `clCreateImage2D`, which cl-sys declares with an argument too few.
    #[link_name = "clCreateImage2D"]
    pub fn create_image_2d(
        context: cl_context,
        flags: cl_mem_flags,
        format: *const cl_image_format,
        width: usize,
        height: usize,
        row_pitch: usize,
        host_ptr: *mut c_void,
        errcode_ret: *mut cl_int,
    ) -> cl_mem;
}
