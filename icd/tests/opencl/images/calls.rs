//! The calls on images that many tests make.

use super::model::{desc, format};
use crate::session::{Session, made, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

impl Session {
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

    pub fn image(
        &self,
        format: &cl_image_format,
        image_type: cl_mem_object_type,
        extent: [usize; 3],
        bytes: &[u8],
    ) -> cl_mem {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let host = bytes.as_ptr().cast_mut().cast();
        self.image_with(flags, format, &desc(image_type, extent), host)
    }

    pub fn write_pixels(
        &self,
        image: cl_mem,
        origin: [usize; 3],
        region: [usize; 3],
        pitches: (usize, usize),
        bytes: &[u8],
    ) -> cl_int {
        // SAFETY: the bytes hold the region with these pitches; the call blocks.
        unsafe {
            clEnqueueWriteImage(
                self.queue,
                image,
                CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                pitches.0,
                pitches.1,
                bytes.as_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    pub fn read_pixels(
        &self,
        image: cl_mem,
        origin: [usize; 3],
        region: [usize; 3],
        pitches: (usize, usize),
        bytes: &mut [u8],
    ) -> cl_int {
        // SAFETY: as for `write_pixels`.
        unsafe {
            clEnqueueReadImage(
                self.queue,
                image,
                CL_TRUE,
                origin.as_ptr(),
                region.as_ptr(),
                pitches.0,
                pitches.1,
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    /// All pixels of an image, tight.
    pub fn all_pixels(&self, image: cl_mem, extent: [usize; 3], element_size: usize) -> Vec<u8> {
        let mut bytes = vec![0; extent.iter().product::<usize>() * element_size];
        ok(self.read_pixels(image, [0; 3], extent, (0, 0), &mut bytes));
        bytes
    }

    /// The bytes of one pixel.
    pub fn pixel(&self, image: cl_mem, at: [usize; 3], element_size: usize) -> Vec<u8> {
        let mut bytes = vec![0; element_size];
        ok(self.read_pixels(image, at, [1; 3], (0, 0), &mut bytes));
        bytes
    }

    pub fn image_info<T: Default>(&self, image: cl_mem, name: cl_uint) -> T {
        let (mut value, mut size) = (T::default(), 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetImageInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
    }

    pub fn mem_info<T: Default>(&self, image: cl_mem, name: cl_uint) -> T {
        let (mut value, mut size) = (T::default(), 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has as many bytes as the call is told.
        ok(unsafe { clGetMemObjectInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
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

    pub fn copy_image(
        &self,
        from: (cl_mem, [usize; 3]),
        to: (cl_mem, [usize; 3]),
        region: [usize; 3],
    ) -> cl_int {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueCopyImage(
                self.queue,
                from.0,
                to.0,
                from.1.as_ptr(),
                to.1.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    pub fn fill_image<T>(
        &self,
        image: cl_mem,
        color: &[T; 4],
        origin: [usize; 3],
        region: [usize; 3],
    ) -> cl_int {
        // SAFETY: the lists are read during the call.
        unsafe {
            clEnqueueFillImage(
                self.queue,
                image,
                color.as_ptr().cast(),
                origin.as_ptr(),
                region.as_ptr(),
                0,
                null(),
                null_mut(),
            )
        }
    }

    /// Bytes of a pixel.
    pub fn element_size(&self, image: cl_mem) -> usize {
        self.image_info(image, CL_IMAGE_ELEMENT_SIZE)
    }

    /// An image with nothing in it; of a buffer, if the type says so.
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

    pub fn sampler(&self, coords: cl_bool, addressing: cl_uint, filter: cl_uint) -> cl_sampler {
        // SAFETY: nothing is read.
        made(|code| unsafe { clCreateSampler(self.context, coords, addressing, filter, code) })
    }

    /// Launches a kernel, and does not wait for it.
    pub fn run(&self, kernel: cl_kernel, global: &[usize]) {
        ok(self.launch(self.queue, kernel, global, None, &[], null_mut()));
    }

    pub fn supported(&self, image_type: cl_mem_object_type) -> Vec<cl_image_format> {
        let mut count = 0;
        let mut formats: Vec<_> = (0..200).map(|_| format(0, 0)).collect();
        // SAFETY: the vector has room for as many as the call is told.
        unsafe {
            ok(clGetSupportedImageFormats(
                self.context,
                CL_MEM_READ_WRITE,
                image_type,
                formats.len() as u32,
                formats.as_mut_ptr(),
                &mut count,
            ));
        }
        formats.truncate(count as usize);
        formats
    }
}

/// What `clEnqueueMapImage` gives.
#[derive(Debug)]
pub struct Mapped {
    pub pointer: *mut c_void,
    pub row_pitch: usize,
    pub slice_pitch: usize,
}

unsafe extern "C" {
    // cl-sys declares it with an argument too few.
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
