//! `clCreateImage`'s rules for each type of image.

use super::creation::*;
use crate::images::*;
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::null_mut;

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateImage {
        CL_INVALID_IMAGE_DESCRIPTOR {
            null: |session| creation(session, |creation| creation.desc = None).image(),
            image_type_of_a_buffer: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_type = CL_MEM_OBJECT_BUFFER)
            },
            unknown_image_type: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_type = 7)
            },
            num_mip_levels: |session| {
                of_type(session, TYPE_2D, |shape| shape.num_mip_levels = 1)
            },
            num_samples: |session| of_type(session, TYPE_2D, |shape| shape.num_samples = 1),

            no_width_of_a_1d_image: |session| {
                of_type(session, TYPE_1D, |shape| shape.image_width = 0)
            },
            no_width_of_an_image_of_a_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.image_width = 0)
            },
            no_width_of_an_array_of_1d_images: |session| {
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_width = 0)
            },
            no_width_of_a_2d_image: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_width = 0)
            },
            no_width_of_an_array_of_2d_images: |session| {
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_width = 0)
            },
            no_width_of_a_3d_image: |session| {
                of_type(session, TYPE_3D, |shape| shape.image_width = 0)
            },
            no_height_of_a_2d_image: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_height = 0)
            },
            no_height_of_an_array_of_2d_images: |session| {
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_height = 0)
            },
            no_height_of_a_3d_image: |session| {
                of_type(session, TYPE_3D, |shape| shape.image_height = 0)
            },
            no_depth_of_a_3d_image: |session| {
                of_type(session, TYPE_3D, |shape| shape.image_depth = 0)
            },
            array_of_no_1d_images: |session| {
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_array_size = 0)
            },
            array_of_no_2d_images: |session| {
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_array_size = 0)
            },

            row_pitch_of_a_1d_image_without_host_ptr: |session| {
                of_type(session, TYPE_1D, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_of_an_image_of_a_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_of_an_array_of_1d_images_without_host_ptr: |session| {
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_of_a_2d_image_without_host_ptr: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_of_an_array_of_2d_images_without_host_ptr: |session| {
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_of_a_3d_image_without_host_ptr: |session| {
                of_type(session, TYPE_3D, |shape| shape.image_row_pitch = 16)
            },
            slice_pitch_of_a_2d_image_without_host_ptr: |session| {
                of_type(session, TYPE_2D, |shape| shape.image_slice_pitch = 64)
            },
            slice_pitch_of_an_image_of_a_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.image_slice_pitch = 64)
            },
            slice_pitch_of_an_array_of_1d_images_without_host_ptr: |session| {
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_slice_pitch = 16)
            },
            slice_pitch_of_an_array_of_2d_images_without_host_ptr: |session| {
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_slice_pitch = 64)
            },
            slice_pitch_of_a_3d_image_without_host_ptr: |session| {
                of_type(session, TYPE_3D, |shape| shape.image_slice_pitch = 64)
            },

            row_pitch_less_than_a_row_of_a_1d_image: |session| pitched(session, TYPE_1D, 12, 0),
            row_pitch_less_than_a_row_of_an_array_of_1d_images: |session| {
                pitched(session, TYPE_1D_ARRAY, 12, 0)
            },
            row_pitch_less_than_a_row_of_a_2d_image: |session| pitched(session, TYPE_2D, 12, 0),
            row_pitch_less_than_a_row_of_an_array_of_2d_images: |session| {
                pitched(session, TYPE_2D_ARRAY, 12, 0)
            },
            row_pitch_less_than_a_row_of_a_3d_image: |session| pitched(session, TYPE_3D, 12, 0),
            row_pitch_not_of_whole_pixels_of_a_1d_image: |session| {
                pitched(session, TYPE_1D, 18, 0)
            },
            row_pitch_not_of_whole_pixels_of_an_array_of_1d_images: |session| {
                pitched(session, TYPE_1D_ARRAY, 18, 0)
            },
            row_pitch_not_of_whole_pixels_of_a_2d_image: |session| {
                pitched(session, TYPE_2D, 18, 0)
            },
            row_pitch_not_of_whole_pixels_of_an_array_of_2d_images: |session| {
                pitched(session, TYPE_2D_ARRAY, 18, 0)
            },
            row_pitch_not_of_whole_pixels_of_a_3d_image: |session| {
                pitched(session, TYPE_3D, 18, 0)
            },
            row_pitch_beyond_memory: |session| pitched(session, TYPE_2D, 1 << 62, 0),
            slice_pitch_less_than_an_image_of_an_array_of_1d_images: |session| {
                pitched(session, TYPE_1D_ARRAY, 0, 12)
            },
            slice_pitch_less_than_the_row_pitch_of_an_array_of_1d_images: |session| {
                pitched(session, TYPE_1D_ARRAY, 24, 20)
            },
            slice_pitch_less_than_an_image_of_an_array_of_2d_images: |session| {
                pitched(session, TYPE_2D_ARRAY, 0, 48)
            },
            slice_pitch_less_than_a_slice_of_a_3d_image: |session| {
                pitched(session, TYPE_3D, 0, 48)
            },
            slice_pitch_less_than_row_pitch_times_height_of_a_3d_image: |session| {
                pitched(session, TYPE_3D, 32, 64)
            },
            slice_pitch_not_of_whole_rows_of_an_array_of_1d_images: |session| {
                pitched(session, TYPE_1D_ARRAY, 16, 20)
            },
            slice_pitch_not_of_whole_rows_of_an_array_of_2d_images: |session| {
                pitched(session, TYPE_2D_ARRAY, 16, 72)
            },
            slice_pitch_not_of_whole_rows_of_a_3d_image: |session| {
                pitched(session, TYPE_3D, 16, 72)
            },
            slice_pitch_beyond_memory: |session| pitched(session, TYPE_3D, 0, 1 << 62),

            buffer_for_a_1d_image: |session| {
                let buffer = session.buffer(&[0u8; 256]);
                of_type(session, TYPE_1D, |shape| shape.buffer = buffer)
            },
            buffer_for_an_array_of_1d_images: |session| {
                let buffer = session.buffer(&[0u8; 256]);
                of_type(session, TYPE_1D_ARRAY, |shape| shape.buffer = buffer)
            },
            buffer_for_an_array_of_2d_images: |session| {
                let buffer = session.buffer(&[0u8; 256]);
                of_type(session, TYPE_2D_ARRAY, |shape| shape.buffer = buffer)
            },
            buffer_for_a_3d_image: |session| {
                let buffer = session.buffer(&[0u8; 256]);
                of_type(session, TYPE_3D, |shape| shape.buffer = buffer)
            },
            no_buffer_for_an_image_of_a_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.buffer = null_mut())
            },
            released_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.buffer = stale::buffer(session))
            },
            released_buffer_for_a_2d_image: |session| {
                of_type(session, TYPE_2D, |shape| shape.buffer = stale::buffer(session))
            },
            image_for_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.buffer = image(session))
            },
            image_for_buffer_of_a_2d_image: |session| {
                of_type(session, TYPE_2D, |shape| shape.buffer = image(session))
            },
            context_for_buffer: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.buffer = session.context.cast())
            },
            buffer_of_another_context: |session| {
                let buffer = session.another().buffer(&[0u8; 64]);
                of_type(session, TYPE_1D_BUFFER, |shape| shape.buffer = buffer)
            },
            buffer_of_another_context_for_a_2d_image: |session| {
                let buffer = session.another().buffer(&[0u8; 64]);
                of_type(session, TYPE_2D, |shape| shape.buffer = buffer)
            },
            buffer_smaller_than_the_row: |session| {
                of_type(session, TYPE_1D_BUFFER, |shape| shape.image_width = 17)
            },
            buffer_smaller_than_the_2d_image: |session| {
                let buffer = session.buffer(&[0u8; 63]);
                of_type(session, TYPE_2D, |shape| shape.buffer = buffer)
            },
            buffer_smaller_than_row_pitch_times_height: |session| {
                let buffer = session.buffer(&[0u8; 32 * SIZE - 1]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_row_pitch = 32;
                })
            },
            row_pitch_less_than_a_row_of_a_2d_image_of_a_buffer: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_row_pitch = 12;
                })
            },
            slice_pitch_of_a_2d_image_of_a_buffer: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_slice_pitch = 64;
                })
            },
        }
        CL_INVALID_IMAGE_SIZE {
            too_wide_a_1d_image: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE2D_MAX_WIDTH);
                of_type(session, TYPE_1D, |shape| shape.image_width = width)
            },
            too_wide_an_image_of_a_buffer: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
                of_type(session, TYPE_1D_BUFFER, |shape| shape.image_width = width)
            },
            too_wide_an_array_of_1d_images: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE2D_MAX_WIDTH);
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_width = width)
            },
            too_wide_a_2d_image: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE2D_MAX_WIDTH);
                of_type(session, TYPE_2D, |shape| shape.image_width = width)
            },
            too_wide_an_array_of_2d_images: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE2D_MAX_WIDTH);
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_width = width)
            },
            too_wide_a_3d_image: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE3D_MAX_WIDTH);
                of_type(session, TYPE_3D, |shape| shape.image_width = width)
            },
            too_high_a_2d_image: |session| {
                let height = beyond(session, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
                of_type(session, TYPE_2D, |shape| shape.image_height = height)
            },
            too_high_an_array_of_2d_images: |session| {
                let height = beyond(session, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_height = height)
            },
            too_high_a_3d_image: |session| {
                let height = beyond(session, CL_DEVICE_IMAGE3D_MAX_HEIGHT);
                of_type(session, TYPE_3D, |shape| shape.image_height = height)
            },
            too_deep_a_3d_image: |session| {
                let depth = beyond(session, CL_DEVICE_IMAGE3D_MAX_DEPTH);
                of_type(session, TYPE_3D, |shape| shape.image_depth = depth)
            },
            too_many_1d_images_in_an_array: |session| {
                let images = beyond(session, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
                of_type(session, TYPE_1D_ARRAY, |shape| shape.image_array_size = images)
            },
            too_many_2d_images_in_an_array: |session| {
                let images = beyond(session, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
                of_type(session, TYPE_2D_ARRAY, |shape| shape.image_array_size = images)
            },
            sizes_that_overflow: |session| {
                let shape = desc(TYPE_3D, [usize::MAX; 3]);
                creation(session, |creation| creation.desc = Some(shape)).image()
            },
        }
        CL_MEM_OBJECT_ALLOCATION_FAILURE {
            larger_than_any_memory: |session| {
                let shape = desc(TYPE_3D, [2048; 3]);
                creation(session, |creation| creation.desc = Some(shape)).image()
            },
            host_memory_larger_than_any_memory: |session| pitched(session, TYPE_2D, 1 << 40, 0),
        }
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR {
            three_channels_not_packed: |session| of_format(session, CL_RGB, CL_UNORM_INT8),
            three_padded_channels_not_packed: |session| {
                of_format(session, CL_RGBx, CL_FLOAT)
            },
            four_channels_packed_in_565: |session| {
                of_format(session, CL_RGBA, CL_UNORM_SHORT_565)
            },
            four_channels_packed_in_555: |session| {
                of_format(session, CL_RGBA, CL_UNORM_SHORT_555)
            },
            one_channel_packed_in_101010: |session| {
                of_format(session, CL_R, CL_UNORM_INT_101010)
            },
            bgra_of_16_bits: |session| of_format(session, CL_BGRA, CL_UNORM_INT16),
            argb_of_floats: |session| of_format(session, CL_ARGB, CL_FLOAT),
            intensity_of_signed_integers: |session| {
                of_format(session, CL_INTENSITY, CL_SIGNED_INT8)
            },
            luminance_of_unsigned_integers: |session| {
                of_format(session, CL_LUMINANCE, CL_UNSIGNED_INT32)
            },
            channel_order_of_a_later_version: |session| {
                // CL_sRGBA of OpenCL 2.0.
                of_format(session, 0x10C1, CL_UNORM_INT8)
            },
            no_width_of_a_2d_image_of_a_buffer: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_width = 0;
                })
            },
            no_height_of_a_2d_image_of_a_buffer: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_height = 0;
                })
            },
            row_pitch_of_a_2d_image_of_a_buffer_not_aligned: |session| {
                let buffer = session.buffer(&[0u8; 256]);
                of_type(session, TYPE_2D, |shape| {
                    shape.buffer = buffer;
                    shape.image_row_pitch = 18;
                })
            },
            host_memory_of_the_buffer_of_a_2d_image_not_aligned: |session| {
                of_host_memory(session, 2)
            },
        }
        CL_INVALID_VALUE {
            read_write_image_of_a_write_only_buffer: |session| {
                of_buffer(session, TYPE_1D_BUFFER, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE)
            },
            read_only_image_of_a_write_only_buffer: |session| {
                of_buffer(session, TYPE_1D_BUFFER, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY)
            },
            read_write_image_of_a_read_only_buffer: |session| {
                of_buffer(session, TYPE_1D_BUFFER, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE)
            },
            write_only_image_of_a_read_only_buffer: |session| {
                of_buffer(session, TYPE_1D_BUFFER, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY)
            },
            write_only_2d_image_of_a_read_only_buffer: |session| {
                of_buffer(session, TYPE_2D, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY)
            },
            image_of_a_buffer_uses_host_memory: |session| {
                of_buffer(session, TYPE_1D_BUFFER, 0, CL_MEM_USE_HOST_PTR)
            },
            image_of_a_buffer_allocates_host_memory: |session| {
                of_buffer(session, TYPE_1D_BUFFER, 0, CL_MEM_ALLOC_HOST_PTR)
            },
            image_of_a_buffer_copies_host_memory: |session| {
                of_buffer(session, TYPE_1D_BUFFER, 0, CL_MEM_COPY_HOST_PTR)
            },
            image_of_a_buffer_uses_host_memory_in_2d: |session| {
                of_buffer(session, TYPE_2D, 0, CL_MEM_USE_HOST_PTR)
            },
            host_reads_image_of_a_buffer_it_only_writes: |session| {
                let flags = CL_MEM_HOST_WRITE_ONLY;
                of_buffer(session, TYPE_1D_BUFFER, flags, CL_MEM_HOST_READ_ONLY)
            },
            host_writes_image_of_a_buffer_it_only_reads: |session| {
                let flags = CL_MEM_HOST_READ_ONLY;
                of_buffer(session, TYPE_1D_BUFFER, flags, CL_MEM_HOST_WRITE_ONLY)
            },
            host_reads_image_of_a_buffer_without_host_access: |session| {
                let flags = CL_MEM_HOST_NO_ACCESS;
                of_buffer(session, TYPE_1D_BUFFER, flags, CL_MEM_HOST_READ_ONLY)
            },
            host_writes_image_of_a_buffer_without_host_access: |session| {
                let flags = CL_MEM_HOST_NO_ACCESS;
                of_buffer(session, TYPE_2D, flags, CL_MEM_HOST_WRITE_ONLY)
            },
        }
    }
};
