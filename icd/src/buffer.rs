//! Memory objects: buffers and sub-buffers (OpenCL 1.2, sections 5.2 and 5.4).

use crate::callback::mem_object_notify;
use crate::entry_point::Call;
use crate::function_table::call::{
    clCreateBuffer, clCreateSubBuffer, clGetMemObjectInfo, clReleaseMemObject, clRetainMemObject,
    clSetMemObjectDestructorCallback,
};
use crate::handle;
use crate::info::{Destination, unknown_query};
use cl_sys::{
    CL_BUFFER_CREATE_TYPE_REGION, CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_CONTEXT, CL_MEM_FLAGS,
    CL_MEM_HOST_PTR, CL_MEM_MAP_COUNT, CL_MEM_OBJECT_BUFFER, CL_MEM_OFFSET, CL_MEM_REFERENCE_COUNT,
    CL_MEM_SIZE, CL_MEM_TYPE, cl_mem_flags,
};
use runtime::buffer::{Buffer, HostPointer, MemFlags};
use runtime::context::Context;
use runtime::error::{Code, Error, Result};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Flags that can be given together.
///
/// # Errors
/// `InvalidValue`.
pub fn flags(bits: cl_mem_flags) -> Result<MemFlags> {
    let invalid = || Error::new(Code::InvalidValue, format!("flags {bits:#x} are not valid"));
    let flags = MemFlags::from_bits(bits).ok_or_else(invalid)?;
    let device_access = MemFlags::READ_WRITE | MemFlags::WRITE_ONLY | MemFlags::READ_ONLY;
    let host_access =
        MemFlags::HOST_WRITE_ONLY | MemFlags::HOST_READ_ONLY | MemFlags::HOST_NO_ACCESS;
    let several = |set: MemFlags| (flags & set).bits().count_ones() > 1;
    let host_memory = MemFlags::ALLOC_HOST_PTR | MemFlags::COPY_HOST_PTR;
    if several(device_access)
        || several(host_access)
        || flags.contains(MemFlags::USE_HOST_PTR) && flags.intersects(host_memory)
    {
        return Err(invalid());
    }
    Ok(flags)
}

impl Call for clCreateBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = handle::object::<Context>(self.context)?;
        let flags = flags(self.flags)?;
        let wants_host = flags.intersects(MemFlags::USE_HOST_PTR | MemFlags::COPY_HOST_PTR);
        if self.size == 0 {
            return Err(Error::new(Code::InvalidBufferSize, "size is 0"));
        }
        if self.host_ptr.is_null() == wants_host {
            return Err(Error::new(
                Code::InvalidHostPtr,
                "host_ptr must be given with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, and only then",
            ));
        }
        let host = wants_host.then_some(HostPointer(self.host_ptr.cast()));
        Ok(handle::publish(Buffer::new(
            &context, flags, self.size, host,
        )?))
    }
}

impl Call for clCreateSubBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let parent = handle::object::<Buffer>(self.buffer)?;
        if parent.parent().is_some() {
            return Err(Error::new(
                Code::InvalidMemObject,
                "a sub-buffer cannot be made of a sub-buffer",
            ));
        }
        let flags = flags(self.flags)?;
        if flags
            .intersects(MemFlags::USE_HOST_PTR | MemFlags::ALLOC_HOST_PTR | MemFlags::COPY_HOST_PTR)
        {
            return Err(Error::new(
                Code::InvalidValue,
                "a sub-buffer takes its host pointer flags from its buffer",
            ));
        }
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

impl Call for clRetainMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Buffer>(self.memobj)
    }
}

impl Call for clReleaseMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release::<Buffer>(self.memobj)
    }
}

impl Call for clSetMemObjectDestructorCallback {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let buffer = handle::object::<Buffer>(self.memobj)?;
        let function = self
            .pfn_notify
            .ok_or_else(|| Error::new(Code::InvalidValue, "pfn_notify is NULL"))?;
        buffer.on_destroy(mem_object_notify(function, self.memobj, self.user_data));
        Ok(())
    }
}

impl Call for clGetMemObjectInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let buffer = handle::object::<Buffer>(self.memobj)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_MEM_TYPE => destination.write(CL_MEM_OBJECT_BUFFER),
            CL_MEM_FLAGS => destination.write(buffer.flags().bits()),
            CL_MEM_SIZE => destination.write(buffer.size()),
            CL_MEM_HOST_PTR => destination.write(
                buffer
                    .host_pointer()
                    .map_or(null_mut(), |host| host.0.cast::<c_void>()),
            ),
            CL_MEM_MAP_COUNT => destination.write(buffer.map_count()),
            CL_MEM_REFERENCE_COUNT => destination.write(handle::reference_count(&buffer)),
            CL_MEM_CONTEXT => destination.write(handle::handle_of(buffer.context())),
            CL_MEM_ASSOCIATED_MEMOBJECT => destination.write(
                buffer
                    .parent()
                    .map_or(null_mut(), |(parent, _)| handle::handle_of(parent)),
            ),
            CL_MEM_OFFSET => destination.write(buffer.parent().map_or(0, |(_, origin)| origin)),
            other => unknown_query(other),
        }
    }
}
