//! Commands on images put into a queue (OpenCL 1.2, sections 5.3.3 to 5.3.6).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clEnqueueCopyBufferToImage, clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueFillImage,
    clEnqueueMapImage, clEnqueueReadImage, clEnqueueWriteImage,
};
use crate::abi::handle;
use crate::api::errors::invalid_value;
use crate::api::mem_object::map_flags;
use crate::api::submission::{buffer, host, submission, triple};
use cl_sys::cl_mem;
use runtime::command::Command;
use runtime::command::HostRegion;
use runtime::error::Result;
use runtime::memory::image::Image;
use std::ffi::c_void;
use std::sync::Arc;

fn image(handle: cl_mem) -> Result<Arc<Image>> {
    handle::object(handle)
}

impl Call for clEnqueueReadImage {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let image = image(self.image)?;
        let destination = HostRegion {
            pointer: host(self.ptr)?,
            row_pitch: self.row_pitch,
            slice_pitch: self.slice_pitch,
        };
        let (origin, region) = (triple(self.origin)?, triple(self.region)?);
        let command = Command::read_image(&image, origin, region, destination)?;
        submission.submit_blocking_if(self.blocking_read, command)
    }
}

impl Call for clEnqueueWriteImage {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let image = image(self.image)?;
        let source = HostRegion {
            pointer: host(self.ptr)?,
            row_pitch: self.input_row_pitch,
            slice_pitch: self.input_slice_pitch,
        };
        let (origin, region) = (triple(self.origin)?, triple(self.region)?);
        let command = Command::write_image(&image, origin, region, source)?;
        submission.submit_blocking_if(self.blocking_write, command)
    }
}

impl Call for clEnqueueCopyImage {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let (source, destination) = (image(self.src_image)?, image(self.dst_image)?);
        let command = Command::copy_image(
            &source,
            &destination,
            triple(self.src_origin)?,
            triple(self.dst_origin)?,
            triple(self.region)?,
        )?;
        submission.submit(command)
    }
}

impl Call for clEnqueueCopyImageToBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let (source, destination) = (image(self.src_image)?, buffer(self.dst_buffer)?);
        let (origin, region) = (triple(self.src_origin)?, triple(self.region)?);
        let command =
            Command::copy_image_to_buffer(&source, &destination, origin, region, self.dst_offset)?;
        submission.submit(command)
    }
}

impl Call for clEnqueueCopyBufferToImage {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let (source, destination) = (buffer(self.src_buffer)?, image(self.dst_image)?);
        let (origin, region) = (triple(self.dst_origin)?, triple(self.region)?);
        let command =
            Command::copy_buffer_to_image(&source, &destination, self.src_offset, origin, region)?;
        submission.submit(command)
    }
}

impl Call for clEnqueueFillImage {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let image = image(self.image)?;
        let mut components = self.fill_color.cast::<u32>().elements(4);
        let Some(mut color) = components.next().map(|first| [first, 0, 0, 0]) else {
            return invalid_value("fill_color is NULL");
        };
        for (component, given) in color[1..].iter_mut().zip(components) {
            *component = given;
        }
        let (origin, region) = (triple(self.origin)?, triple(self.region)?);
        let command = Command::fill_image(&image, color, origin, region)?;
        submission.submit(command)
    }
}

impl Call for clEnqueueMapImage {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let submission = submission!(self)?;
        let image = image(self.image)?;
        let flags = map_flags(self.map_flags)?;
        if self.image_row_pitch.is_null() {
            return invalid_value("image_row_pitch is NULL");
        }
        if self.image_slice_pitch.is_null() && image.image_type().has_slices() {
            return invalid_value("image_slice_pitch is NULL");
        }
        let (origin, region) = (triple(self.origin)?, triple(self.region)?);
        let (command, mapped) = Command::map_image(&image, flags, origin, region)?;
        submission.submit_blocking_if(self.blocking_map, command)?;
        self.image_row_pitch.set(mapped.row_pitch);
        self.image_slice_pitch.set(mapped.slice_pitch);
        Ok(mapped.pointer.0.cast())
    }
}
