//! Images and samplers for the programs that need them.

use crate::session::{Argument, Session};
use anyhow::Result;
use bytemuck::Pod;
use opencl3::kernel::Kernel;
use opencl3::memory::{
    CL_MEM_COPY_HOST_PTR, CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D, CL_MEM_READ_WRITE, ClMem as _,
};
use opencl3::types::{CL_BLOCKING, cl_image_desc, cl_image_format};
use std::marker::PhantomData;
use std::ptr::null_mut;

/// The type of an image and its size in pixels.
#[derive(Clone, Copy)]
pub enum Shape {
    /// `image1d_t`: width.
    Line(usize),
    /// `image2d_t`: width and height.
    Plane(usize, usize),
    /// `image2d_array_t`: width, height and layers.
    Stack(usize, usize, usize),
    /// `image3d_t`: width, height and depth.
    Volume(usize, usize, usize),
}

impl Shape {
    fn region(self) -> [usize; 3] {
        match self {
            Self::Line(width) => [width, 1, 1],
            Self::Plane(width, height) => [width, height, 1],
            Self::Stack(width, height, depth) | Self::Volume(width, height, depth) => {
                [width, height, depth]
            }
        }
    }
}

/// An image of pixels `T`.
pub struct Image<T> {
    memory: opencl3::memory::Image,
    shape: Shape,
    pixel: PhantomData<T>,
}

impl<T> Argument for Image<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &self.memory.get()) }?)
    }
}

/// A sampler object of the host.
pub struct Sampler(opencl3::memory::Sampler);

impl Argument for Sampler {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &self.0.get()) }?)
    }
}

impl Session {
    /// An image with a copy of these pixels. `format` has its channel order and data type.
    ///
    /// # Errors
    /// `clCreateImage`'s.
    pub fn image<T: Pod>(
        &self,
        format: (u32, u32),
        shape: Shape,
        pixels: &[T],
    ) -> Result<Image<T>> {
        let [width, height, depth] = shape.region();
        assert_eq!(pixels.len(), width * height * depth, "pixels");
        let format = cl_image_format {
            image_channel_order: format.0,
            image_channel_data_type: format.1,
        };
        let description = cl_image_desc {
            image_type: match shape {
                Shape::Line(..) => CL_MEM_OBJECT_IMAGE1D,
                Shape::Plane(..) => CL_MEM_OBJECT_IMAGE2D,
                Shape::Stack(..) => CL_MEM_OBJECT_IMAGE2D_ARRAY,
                Shape::Volume(..) => CL_MEM_OBJECT_IMAGE3D,
            },
            image_width: width,
            image_height: height,
            image_depth: depth,
            image_array_size: depth,
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: null_mut(),
        };
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let start = pixels.as_ptr().cast_mut().cast();
        // SAFETY: format, description and pixels are read during the call.
        let memory = unsafe {
            opencl3::memory::Image::create(&self.context, flags, &format, &description, start)
        }?;
        let pixel = PhantomData;
        Ok(Image {
            memory,
            shape,
            pixel,
        })
    }

    /// Creates a sampler.
    ///
    /// # Errors
    /// `clCreateSampler`'s.
    pub fn sampler(&self, normalised: bool, addressing: u32, filter: u32) -> Result<Sampler> {
        let sampler = opencl3::memory::Sampler::create(
            &self.context,
            u32::from(normalised),
            addressing,
            filter,
        )?;
        Ok(Sampler(sampler))
    }

    /// All pixels of an image, after all earlier commands of the queue.
    ///
    /// # Errors
    /// `clEnqueueReadImage`'s, and those of commands before it.
    pub fn read_image<T: Pod>(&self, image: &Image<T>) -> Result<Vec<T>> {
        let region = image.shape.region();
        let mut pixels = vec![T::zeroed(); region.iter().product()];
        // SAFETY: the vector has room, every value is a T, and the call blocks.
        unsafe {
            self.queue.enqueue_read_image(
                &image.memory,
                CL_BLOCKING,
                [0; 3].as_ptr(),
                region.as_ptr(),
                0,
                0,
                pixels.as_mut_ptr().cast(),
                &[],
            )
        }?;
        Ok(pixels)
    }
}
