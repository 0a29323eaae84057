//! What buffers and images have in common (OpenCL 1.2, section 5.4).

use crate::abi::callback::mem_object_notify;
use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clGetMemObjectInfo, clReleaseMemObject, clRetainMemObject, clSetMemObjectDestructorCallback,
};
use crate::abi::handle;
use crate::api::info::{Destination, unknown_query};
use cl_sys::{
    CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_CONTEXT, CL_MEM_FLAGS, CL_MEM_HOST_PTR, CL_MEM_MAP_COUNT,
    CL_MEM_OBJECT_BUFFER, CL_MEM_OFFSET, CL_MEM_REFERENCE_COUNT, CL_MEM_SIZE, CL_MEM_TYPE,
    cl_map_flags, cl_mem, cl_mem_flags,
};
use runtime::error::{Code, Error, Result};
use runtime::memory::buffer::Buffer;
use runtime::memory::flags::{MapFlags, MemFlags};
use runtime::memory::host_pointer::HostPointer;
use runtime::memory::image::Image;
use runtime::memory::mem_object::MemObject;
use std::ffi::c_void;
use std::ptr::null_mut;

/// The buffer or image behind a handle.
///
/// # Errors
/// `InvalidMemObject`
pub fn mem_object(handle: cl_mem) -> Result<MemObject> {
    handle::object::<Buffer>(handle)
        .map(MemObject::Buffer)
        .or_else(|_| handle::object::<Image>(handle).map(MemObject::Image))
}

/// Flags that can be given together.
///
/// # Errors
/// `InvalidValue`.
pub fn flags(bits: cl_mem_flags) -> Result<MemFlags> {
    let invalid = || Error::new(Code::InvalidValue, format!("flags {bits:#x} are not valid"));
    let flags = MemFlags::from_bits(bits).ok_or_else(invalid)?;
    let several = |set: MemFlags| (flags & set).bits().count_ones() > 1;
    let host_memory = MemFlags::ALLOC_HOST_PTR | MemFlags::COPY_HOST_PTR;
    if several(MemFlags::DEVICE_ACCESS)
        || several(MemFlags::HOST_ACCESS)
        || flags.contains(MemFlags::USE_HOST_PTR) && flags.intersects(host_memory)
    {
        return Err(invalid());
    }
    Ok(flags)
}

/// # Errors
/// `InvalidValue`: a bit that is no flag.
pub fn map_flags(bits: cl_map_flags) -> Result<MapFlags> {
    MapFlags::from_bits(bits).ok_or_else(|| {
        Error::new(
            Code::InvalidValue,
            format!("map_flags {bits:#x} are not valid"),
        )
    })
}

/// The host pointer, which is given if and only if `flags` require one.
///
/// # Errors
/// `InvalidHostPtr`: given but not required, or required but not given.
pub fn host_pointer(flags: MemFlags, pointer: *mut c_void) -> Result<Option<HostPointer>> {
    let required = flags.intersects(MemFlags::USE_HOST_PTR | MemFlags::COPY_HOST_PTR);
    if pointer.is_null() == required {
        return Err(Error::new(
            Code::InvalidHostPtr,
            "host_ptr must be given with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, and only then",
        ));
    }
    Ok(required.then_some(HostPointer(pointer.cast())))
}

impl Call for clRetainMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        match mem_object(self.memobj)? {
            MemObject::Buffer(_) => handle::retain::<Buffer>(self.memobj),
            MemObject::Image(_) => handle::retain::<Image>(self.memobj),
        }
    }
}

impl Call for clReleaseMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        // The object is not held here: the last reference may be the one that goes.
        if mem_object(self.memobj).is_ok_and(|object| matches!(object, MemObject::Image(_))) {
            return handle::release::<Image>(self.memobj);
        }
        handle::release::<Buffer>(self.memobj)
    }
}

impl Call for clSetMemObjectDestructorCallback {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let object = mem_object(self.memobj)?;
        let function = self
            .pfn_notify
            .ok_or_else(|| Error::new(Code::InvalidValue, "pfn_notify is NULL"))?;
        object.on_destroy(mem_object_notify(function, self.memobj, self.user_data));
        Ok(())
    }
}

impl Call for clGetMemObjectInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let object = mem_object(self.memobj)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_MEM_TYPE => destination.write(match &object {
                MemObject::Buffer(_) => CL_MEM_OBJECT_BUFFER,
                MemObject::Image(image) => image.image_type() as u32,
            }),
            CL_MEM_FLAGS => destination.write(object.flags().bits()),
            CL_MEM_SIZE => destination.write(object.size()),
            CL_MEM_HOST_PTR => destination.write(
                object
                    .host_pointer()
                    .map_or(null_mut(), |host| host.0.cast::<c_void>()),
            ),
            CL_MEM_MAP_COUNT => destination.write(object.map_count()),
            CL_MEM_REFERENCE_COUNT => destination.write(match &object {
                MemObject::Buffer(buffer) => handle::reference_count(buffer),
                MemObject::Image(image) => handle::reference_count(image),
            }),
            CL_MEM_CONTEXT => destination.write(handle::handle_of(object.context())),
            CL_MEM_ASSOCIATED_MEMOBJECT => destination.write(
                object
                    .parent()
                    .map_or(null_mut(), |(parent, _)| handle::handle_of(parent)),
            ),
            CL_MEM_OFFSET => destination.write(object.parent().map_or(0, |(_, origin)| origin)),
            other => unknown_query(other),
        }
    }
}
