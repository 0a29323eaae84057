//! Buffers (OpenCL 1.2, section 5.2.1).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{clCreateBuffer, clCreateSubBuffer};
use crate::abi::handle;
use crate::api::context;
use crate::api::mem_object::{flags, host_pointer};
use cl_sys::CL_BUFFER_CREATE_TYPE_REGION;
use runtime::error::{Code, Error, Result};
use runtime::memory::buffer::Buffer;
use std::ffi::c_void;

impl Call for clCreateBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        let flags = flags(self.flags)?;
        if self.size == 0 {
            return Err(Error::new(Code::InvalidBufferSize, "size is 0"));
        }
        let host = host_pointer(flags, self.host_ptr)?;
        Ok(handle::publish(Buffer::new(
            &context, flags, self.size, host,
        )?))
    }
}

impl Call for clCreateSubBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let parent = handle::object::<Buffer>(self.buffer)?;
        parent.context().check_not_terminated()?;
        if parent.parent().is_some() {
            return Err(Error::new(
                Code::InvalidMemObject,
                "a sub-buffer cannot be made of a sub-buffer",
            ));
        }
        let flags = flags(self.flags)?;
        if self.buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION {
            return Err(Error::new(
                Code::InvalidValue,
                format!("buffer_create_type {:#x}", self.buffer_create_type),
            ));
        }
        // cl_buffer_region: origin and size.
        let mut region = self.buffer_create_info.cast::<usize>().elements(2);
        let (Some(origin), Some(size)) = (region.next(), region.next()) else {
            return Err(Error::new(Code::InvalidValue, "buffer_create_info is NULL"));
        };
        Ok(handle::publish(Buffer::sub_buffer(
            &parent, flags, origin, size,
        )?))
    }
}
