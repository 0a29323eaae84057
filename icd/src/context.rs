//! Contexts (OpenCL 1.2, section 4.4).

use crate::callback::{ContextCallback, context_notify};
use crate::entry_point::Call;
use crate::function_table::call::{
    clCreateContext, clCreateContextFromType, clGetContextInfo, clReleaseContext, clRetainContext,
};
use crate::host_memory::In;
use crate::info::{Destination, unknown_query};
use crate::khr::CL_CONTEXT_MEMORY_INITIALIZE_KHR;
use crate::{device, handle, platform};
use cl_sys::{
    CL_CONTEXT_DEVICES, CL_CONTEXT_INTEROP_USER_SYNC, CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_PLATFORM,
    CL_CONTEXT_PROPERTIES, CL_CONTEXT_REFERENCE_COUNT, CL_FALSE, CL_TRUE, cl_context_properties,
};
use runtime::context::{Context, MemoryInitialisation};
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use std::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;
use std::sync::Arc;

fn memory_initialisation(value: cl_context_properties) -> Result<MemoryInitialisation> {
    MemoryInitialisation::from_bits(value.cast_unsigned() as u64).ok_or_else(|| {
        Error::new(
            Code::InvalidProperty,
            format!("CL_CONTEXT_MEMORY_INITIALIZE_KHR is {value:#x}"),
        )
    })
}

/// Names, values and the final 0 as given; empty if null.
fn properties(list: In<cl_context_properties>) -> Result<Vec<cl_context_properties>> {
    let invalid = |sentence: String| Err(Error::new(Code::InvalidProperty, sentence));
    let mut checked = Vec::new();
    if list.is_null() {
        return Ok(checked);
    }
    // One by one: what follows the final 0 is not ours to read.
    let mut elements = list.elements(usize::MAX);
    while let Some(name) = elements.next().filter(|name| *name != 0) {
        let value = elements.next().unwrap_or(0);
        if checked.chunks(2).any(|pair: &[_]| pair[0] == name) {
            return invalid(format!("property {name:#x} is given twice"));
        }
        if name == CL_CONTEXT_PLATFORM as cl_context_properties {
            platform::check(with_exposed_provenance_mut(value.cast_unsigned()))?;
        } else if name == CL_CONTEXT_INTEROP_USER_SYNC as cl_context_properties {
            if value != CL_FALSE as isize && value != CL_TRUE as isize {
                return invalid(format!("CL_CONTEXT_INTEROP_USER_SYNC is {value}"));
            }
        } else if name == CL_CONTEXT_MEMORY_INITIALIZE_KHR as cl_context_properties {
            memory_initialisation(value)?;
        } else {
            return invalid(format!("property {name:#x} is not supported"));
        }
        checked.extend([name, value]);
    }
    checked.push(0);
    Ok(checked)
}

fn create(
    devices: Vec<Arc<Device>>,
    properties: Vec<cl_context_properties>,
    pfn_notify: Option<ContextCallback>,
    user_data: *mut c_void,
) -> Result<*mut c_void> {
    let pairs = properties.chunks_exact(2);
    let initialised =
        pairs.filter(|pair| pair[0] == CL_CONTEXT_MEMORY_INITIALIZE_KHR as cl_context_properties);
    let initialised = initialised
        .map(|pair| memory_initialisation(pair[1]))
        .next()
        .transpose()?;
    let notify = context_notify(pfn_notify, user_data)?;
    let context =
        Context::with_memory_initialised(devices, notify, initialised.unwrap_or_default())?;
    Ok(handle::publish_with(context, properties))
}

impl Call for clCreateContext {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let properties = properties(self.properties)?;
        if self.num_devices == 0 || self.devices.is_null() {
            return Err(Error::new(Code::InvalidValue, "no devices are given"));
        }
        let mut devices: Vec<Arc<Device>> = Vec::new();
        for device in handle::objects::<Device>(self.num_devices, self.devices)? {
            if !devices.iter().any(|known| Arc::ptr_eq(known, &device)) {
                devices.push(device);
            }
        }
        create(devices, properties, self.pfn_notify, self.user_data)
    }
}

impl Call for clCreateContextFromType {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let properties = properties(self.properties)?;
        let devices = device::of_type(self.device_type)?;
        create(devices, properties, self.pfn_notify, self.user_data)
    }
}

impl Call for clRetainContext {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Context>(self.context)
    }
}

impl Call for clReleaseContext {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release::<Context>(self.context)
    }
}

impl Call for clGetContextInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let context = handle::object::<Context>(self.context)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_CONTEXT_REFERENCE_COUNT => destination.write(handle::reference_count(&context)),
            CL_CONTEXT_NUM_DEVICES => destination.write(context.devices().len() as u32),
            CL_CONTEXT_DEVICES => destination.write(handle::handles_of(context.devices())),
            CL_CONTEXT_PROPERTIES => destination.write(handle::attachment(&context).as_slice()),
            other => unknown_query(other),
        }
    }
}
