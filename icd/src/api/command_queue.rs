//! Command-queues (OpenCL 1.2, sections 5.1 and 5.13; cl_khr_create_command_queue).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateCommandQueue, clCreateCommandQueueWithPropertiesKHR, clFinish, clFlush,
    clGetCommandQueueInfo, clReleaseCommandQueue, clRetainCommandQueue,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::context;
use crate::api::info::{Destination, unknown_query};
use cl_sys::{
    CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_PROPERTIES, CL_QUEUE_REFERENCE_COUNT,
    cl_command_queue_properties, cl_context, cl_device_id, cl_queue_properties,
};
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use runtime::queue::{CommandQueue, QueueProperties};
use std::ffi::c_void;

/// A queue with the properties of the bit-field `bits`.
fn create(
    context: cl_context,
    device: cl_device_id,
    bits: impl FnOnce() -> Result<cl_command_queue_properties>,
) -> Result<*mut c_void> {
    let context = context::for_new_objects(context)?;
    let device = handle::object::<Device>(device)?;
    if !context.contains(&device) {
        return Err(Error::new(
            Code::InvalidDevice,
            "the device is not one of the context's",
        ));
    }
    let bits = bits()?;
    let properties = QueueProperties::from_bits(bits).ok_or_else(|| {
        Error::new(
            Code::InvalidValue,
            format!("properties {bits:#x} are not valid"),
        )
    })?;
    let queue = CommandQueue::new(&context, &device, properties);
    Ok(handle::publish(queue))
}

impl Call for clCreateCommandQueue {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        create(self.context, self.device, || Ok(self.properties))
    }
}

/// The value of `CL_QUEUE_PROPERTIES` in a list of names and values, 0 if it has none.
///
/// # Errors
/// `InvalidValue`: another name, or that one twice.
fn queue_properties(list: In<cl_queue_properties>) -> Result<cl_command_queue_properties> {
    let invalid = |sentence: String| Err(Error::new(Code::InvalidValue, sentence));
    let mut bits = None;
    // One by one: what follows the final 0 is not ours to read.
    let mut elements = list.elements(usize::MAX);
    while let Some(name) = elements.next().filter(|name| *name != 0) {
        let value = elements.next();
        if name != cl_queue_properties::from(CL_QUEUE_PROPERTIES) {
            return invalid(format!("property {name:#x} is not supported"));
        }
        if bits.is_some() {
            return invalid("CL_QUEUE_PROPERTIES is given twice".into());
        }
        bits = value;
    }
    Ok(bits.unwrap_or(0))
}

impl Call for clCreateCommandQueueWithPropertiesKHR {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        create(self.context, self.device, || {
            queue_properties(self.properties)
        })
    }
}

impl Call for clRetainCommandQueue {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<CommandQueue>(self.command_queue)
    }
}

impl Call for clReleaseCommandQueue {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release_with::<CommandQueue>(self.command_queue, |queue| {
            // "clReleaseCommandQueue performs an implicit flush": no later
            // call can do it. The reference is gone whether or not that works.
            if let Err(error) = queue.flush() {
                log::debug!("clReleaseCommandQueue: flush: {error}");
            }
        })
    }
}

impl Call for clGetCommandQueueInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = handle::object::<CommandQueue>(self.command_queue)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_QUEUE_CONTEXT => destination.write(handle::handle_of(queue.context())),
            CL_QUEUE_DEVICE => destination.write(handle::handle_of(queue.device())),
            CL_QUEUE_REFERENCE_COUNT => destination.write(handle::reference_count(&queue)),
            CL_QUEUE_PROPERTIES => destination.write(queue.properties().bits()),
            other => unknown_query(other),
        }
    }
}

impl Call for clFlush {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::object::<CommandQueue>(self.command_queue)?.flush()
    }
}

impl Call for clFinish {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::object::<CommandQueue>(self.command_queue)?.finish()
    }
}
