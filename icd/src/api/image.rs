//! Images (OpenCL 1.2, sections 5.3.1, 5.3.2 and 5.3.7; of OpenCL 1.1 what 1.2
//! deprecates).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateImage, clCreateImage2D, clCreateImage3D, clGetImageInfo, clGetSupportedImageFormats,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::context;
use crate::api::info::{Destination, unknown_query};
use crate::api::mem_object::{flags, host_pointer};
use cl_sys::{
    CL_IMAGE_ARRAY_SIZE, CL_IMAGE_BUFFER, CL_IMAGE_DEPTH, CL_IMAGE_ELEMENT_SIZE, CL_IMAGE_FORMAT,
    CL_IMAGE_HEIGHT, CL_IMAGE_NUM_MIP_LEVELS, CL_IMAGE_NUM_SAMPLES, CL_IMAGE_ROW_PITCH,
    CL_IMAGE_SLICE_PITCH, CL_IMAGE_WIDTH, cl_image_desc, cl_image_format, cl_mem_flags,
};
use runtime::context::Context;
use runtime::error::{Code, Error, Result};
use runtime::memory::buffer::Buffer;
use runtime::memory::image::Image;
use runtime::memory::image_format::ImageFormat;
use runtime::memory::image_shape::ImageShape;
use runtime::memory::image_type::ImageType;
use std::ffi::c_void;
use std::ptr::null_mut;

/// # Errors
/// `InvalidImageFormatDescriptor`
fn format(format: In<cl_image_format>) -> Result<ImageFormat> {
    let invalid = |sentence: String| Error::new(Code::InvalidImageFormatDescriptor, sentence);
    let format = format
        .structure()
        .ok_or_else(|| invalid("image_format is NULL".into()))?;
    let (order, data_type) = (format.image_channel_order, format.image_channel_data_type);
    ImageFormat::from_values(order, data_type)
        .ok_or_else(|| invalid(format!("there is no format {order:#x} {data_type:#x}")))
}

fn invalid_descriptor(sentence: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(Code::InvalidImageDescriptor, sentence)
}

/// # Errors
/// `InvalidImageDescriptor`
fn shape(desc: In<cl_image_desc>) -> Result<ImageShape> {
    let desc = desc
        .structure()
        .ok_or_else(|| invalid_descriptor("image_desc is NULL"))?;
    let image_type = ImageType::from_value(desc.image_type)
        .ok_or_else(|| invalid_descriptor(format!("image_type {:#x}", desc.image_type)))?;
    if desc.num_mip_levels != 0 || desc.num_samples != 0 {
        return Err(invalid_descriptor(
            "num_mip_levels and num_samples must be 0",
        ));
    }
    let buffer = if desc.buffer.is_null() {
        None
    } else {
        let buffer = handle::object::<Buffer>(desc.buffer);
        Some(buffer.map_err(|_| invalid_descriptor("buffer is not a buffer"))?)
    };
    Ok(ImageShape {
        image_type,
        width: desc.image_width,
        height: desc.image_height,
        depth: desc.image_depth,
        array_size: desc.image_array_size,
        row_pitch: desc.image_row_pitch,
        slice_pitch: desc.image_slice_pitch,
        buffer,
    })
}

impl Call for clCreateImage {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        let flags = flags(self.flags)?;
        let format = format(self.image_format)?;
        let shape = shape(self.image_desc)?;
        let host = host_pointer(flags, self.host_ptr)?;
        Ok(handle::publish(Image::new(
            &context, flags, format, &shape, host,
        )?))
    }
}

/// Context, flags, format and host pointer of `clCreateImage2D` and `clCreateImage3D`.
type Given1_1 = (*mut c_void, cl_mem_flags, In<cl_image_format>, *mut c_void);

/// `clCreateImage2D` and `clCreateImage3D`: their sizes and pitches have one error code.
fn create_1_1(given: Given1_1, shape: &ImageShape) -> Result<*mut c_void> {
    let (context, flags, image_format, host_ptr) = given;
    let context = context::for_new_objects(context)?;
    let flags = self::flags(flags)?;
    let format = format(image_format)?;
    let host = host_pointer(flags, host_ptr)?;
    let image = Image::new(&context, flags, format, shape, host).map_err(|error| {
        if error.code == Code::InvalidImageDescriptor {
            return Error::new(Code::InvalidImageSize, error.sentence);
        }
        error
    })?;
    Ok(handle::publish(image))
}

impl Call for clCreateImage2D {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let shape = ImageShape {
            height: self.image_height,
            row_pitch: self.image_row_pitch,
            ..ImageShape::one_row(ImageType::Image2d, self.image_width)
        };
        let given = (self.context, self.flags, self.image_format, self.host_ptr);
        create_1_1(given, &shape)
    }
}

impl Call for clCreateImage3D {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let shape = ImageShape {
            height: self.image_height,
            // "CL_INVALID_IMAGE_SIZE … if image_depth is <= 1" (OpenCL 1.1, 5.3.1).
            depth: if self.image_depth == 1 {
                0
            } else {
                self.image_depth
            },
            row_pitch: self.image_row_pitch,
            slice_pitch: self.image_slice_pitch,
            ..ImageShape::one_row(ImageType::Image3d, self.image_width)
        };
        let given = (self.context, self.flags, self.image_format, self.host_ptr);
        create_1_1(given, &shape)
    }
}

fn c_format(format: ImageFormat) -> cl_image_format {
    cl_image_format {
        image_channel_order: format.order() as u32,
        image_channel_data_type: format.data_type() as u32,
    }
}

impl Call for clGetSupportedImageFormats {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let context = handle::object::<Context>(self.context)?;
        flags(self.flags)?;
        if ImageType::from_value(self.image_type).is_none() {
            return Err(Error::new(Code::InvalidValue, "not a type of image"));
        }
        if self.num_entries == 0 && !self.image_formats.is_null() {
            return Err(Error::new(
                Code::InvalidValue,
                "num_entries is 0 but image_formats is not NULL",
            ));
        }
        let count = match context.check_supports_images() {
            Ok(()) => ImageFormat::all().count(),
            Err(_) => 0,
        };
        let formats = ImageFormat::all().take(count.min(self.num_entries as usize));
        self.image_formats.set_elements(formats.map(c_format));
        self.num_image_formats.set(count as u32);
        Ok(())
    }
}

impl Call for clGetImageInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let image = handle::object::<Image>(self.image)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_IMAGE_FORMAT => {
                let format = image.format();
                // cl_image_format
                destination.write([format.order() as u32, format.data_type() as u32])
            }
            CL_IMAGE_ELEMENT_SIZE => destination.write(image.format().element_size()),
            CL_IMAGE_ROW_PITCH => destination.write(image.row_pitch()),
            CL_IMAGE_SLICE_PITCH => destination.write(image.slice_pitch()),
            CL_IMAGE_WIDTH => destination.write(image.width()),
            CL_IMAGE_HEIGHT => destination.write(image.height()),
            CL_IMAGE_DEPTH => destination.write(image.depth()),
            CL_IMAGE_ARRAY_SIZE => destination.write(image.array_size()),
            CL_IMAGE_BUFFER => {
                destination.write(image.buffer().map_or(null_mut(), handle::handle_of))
            }
            CL_IMAGE_NUM_MIP_LEVELS | CL_IMAGE_NUM_SAMPLES => destination.write(0u32),
            other => unknown_query(other),
        }
    }
}
