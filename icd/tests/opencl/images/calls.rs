//! The calls on images that many tests make.

use super::model::{desc, format};
use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

impl Session {
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
        // SAFETY: the value has the size passed.
        ok(unsafe { clGetImageInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
    }

    pub fn mem_info<T: Default>(&self, image: cl_mem, name: cl_uint) -> T {
        let (mut value, mut size) = (T::default(), 0);
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the value has the size passed.
        ok(unsafe { clGetMemObjectInfo(image, name, size_of::<T>(), to, &mut size) });
        assert_eq!(size, size_of::<T>());
        value
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

    /// Launches a kernel, and does not wait for it.
    pub fn run(&self, kernel: cl_kernel, global: &[usize]) {
        ok(self.launch(self.queue, kernel, global, None, &[], null_mut()));
    }

    pub fn supported(&self, image_type: cl_mem_object_type) -> Vec<cl_image_format> {
        let mut count = 0;
        let mut formats: Vec<_> = (0..200).map(|_| format(0, 0)).collect();
        // SAFETY: the vector has room for the number of formats passed.
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
