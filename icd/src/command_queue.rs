//! Command-queues (OpenCL 1.2, sections 5.1 and 5.13).

use crate::entry_point::Call;
use crate::function_table::call::{
    clCreateCommandQueue, clFinish, clFlush, clGetCommandQueueInfo, clReleaseCommandQueue,
    clRetainCommandQueue,
};
use crate::handle;
use crate::info::{Destination, unknown_query};
use cl_sys::{CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_PROPERTIES, CL_QUEUE_REFERENCE_COUNT};
use runtime::context::Context;
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use runtime::queue::{CommandQueue, QueueProperties};
use std::ffi::c_void;

impl Call for clCreateCommandQueue {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = handle::object::<Context>(self.context)?;
        let device = handle::object::<Device>(self.device)?;
        if !context.contains(&device) {
            return Err(Error::new(
                Code::InvalidDevice,
                "the device is not one of the context's",
            ));
        }
        let properties = QueueProperties::from_bits(self.properties).ok_or_else(|| {
            Error::new(
                Code::InvalidValue,
                format!("properties {:#x} are not valid", self.properties),
            )
        })?;
        Ok(handle::publish(CommandQueue::new(
            &context, &device, properties,
        )?))
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
            // "clReleaseCommandQueue performs an implicit flush": there is nobody left
            // to do it later. The reference is gone whether or not that works.
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
