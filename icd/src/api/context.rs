//! Contexts (OpenCL 1.2, section 4.4; cl_khr_initialize_memory, cl_khr_terminate_context).

use crate::abi::callback::{ContextCallback, context_notify};
use crate::abi::entry_point::Call;
use crate::abi::extension_constants::{
    CL_CONTEXT_MEMORY_INITIALIZE_KHR, CL_CONTEXT_TERMINATE_KHR, CL_CONTEXT_TERMINATE_KHR_1X,
};
use crate::abi::function_table::call::{
    clCreateContext, clCreateContextFromType, clGetContextInfo, clReleaseContext, clRetainContext,
    clTerminateContextKHR,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::info::{Destination, unknown_query};
use crate::api::{device, platform};
use cl_sys::{
    CL_CONTEXT_DEVICES, CL_CONTEXT_INTEROP_USER_SYNC, CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_PLATFORM,
    CL_CONTEXT_PROPERTIES, CL_CONTEXT_REFERENCE_COUNT, CL_FALSE, CL_TRUE, cl_context,
    cl_context_properties,
};
use runtime::context::{Context, ContextSettings, MemoryInitialisation};
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

/// A property that is true or false.
fn boolean(name: &str, value: cl_context_properties) -> Result<bool> {
    match u32::try_from(value) {
        Ok(CL_FALSE) => Ok(false),
        Ok(CL_TRUE) => Ok(true),
        _ => Err(Error::new(
            Code::InvalidProperty,
            format!("{name} is {value}"),
        )),
    }
}

/// Properties of a context.
#[derive(Default)]
struct Properties {
    /// Names, values and the final 0 as given; empty if null.
    given: Vec<cl_context_properties>,
    /// The node of the platform, if one is given.
    node: Option<usize>,
    settings: ContextSettings,
}

impl Properties {
    fn read(list: In<cl_context_properties>) -> Result<Self> {
        let mut properties = Self::default();
        if list.is_null() {
            return Ok(properties);
        }
        // One by one: what follows the final 0 is not ours to read.
        let mut elements = list.elements(usize::MAX);
        while let Some(name) = elements.next().filter(|name| *name != 0) {
            properties.add(name, elements.next().unwrap_or(0))?;
        }
        properties.given.push(0);
        Ok(properties)
    }

    fn add(&mut self, name: cl_context_properties, value: cl_context_properties) -> Result<()> {
        let invalid = |sentence: String| Err(Error::new(Code::InvalidProperty, sentence));
        if self.given.chunks(2).any(|pair| pair[0] == name) {
            return invalid(format!("property {name:#x} is given twice"));
        }
        match u32::try_from(name) {
            Ok(CL_CONTEXT_PLATFORM) => {
                let handle = with_exposed_provenance_mut(value.cast_unsigned());
                self.node = Some(platform::node(handle)?);
            }
            Ok(CL_CONTEXT_INTEROP_USER_SYNC) => {
                boolean("CL_CONTEXT_INTEROP_USER_SYNC", value)?;
            }
            Ok(CL_CONTEXT_MEMORY_INITIALIZE_KHR) => {
                self.settings.initialised = memory_initialisation(value)?;
            }
            Ok(CL_CONTEXT_TERMINATE_KHR | CL_CONTEXT_TERMINATE_KHR_1X) => {
                self.settings.terminable = boolean("CL_CONTEXT_TERMINATE_KHR", value)?;
            }
            _ => return invalid(format!("property {name:#x} is not supported")),
        }
        self.given.extend([name, value]);
        Ok(())
    }
}

/// A context that takes new objects.
///
/// # Errors
/// `InvalidContext`, `ContextTerminatedKhr`.
pub fn for_new_objects(handle: cl_context) -> Result<Arc<Context>> {
    let context = handle::object::<Context>(handle)?;
    context.check_not_terminated()?;
    Ok(context)
}

fn create(
    devices: Vec<Arc<Device>>,
    properties: Properties,
    pfn_notify: Option<ContextCallback>,
    user_data: *mut c_void,
) -> Result<*mut c_void> {
    let notify = context_notify(pfn_notify, user_data)?;
    let context = Context::with_settings(devices, notify, properties.settings)?;
    Ok(handle::publish_with(context, properties.given))
}

impl Call for clCreateContext {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let properties = Properties::read(self.properties)?;
        if self.num_devices == 0 || self.devices.is_null() {
            return Err(Error::new(Code::InvalidValue, "no devices are given"));
        }
        let mut devices: Vec<Arc<Device>> = Vec::new();
        for device in handle::objects::<Device>(self.num_devices, self.devices)? {
            if !devices.iter().any(|known| Arc::ptr_eq(known, &device)) {
                devices.push(device);
            }
        }
        if let Some(node) = properties.node
            && devices.iter().any(|device| device.node() != node)
        {
            let sentence = "a device is not of the platform that the properties name";
            return Err(Error::new(Code::InvalidDevice, sentence));
        }
        create(devices, properties, self.pfn_notify, self.user_data)
    }
}

impl Call for clCreateContextFromType {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let properties = Properties::read(self.properties)?;
        let devices = device::of_type(properties.node.unwrap_or(0), self.device_type)?;
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

impl Call for clTerminateContextKHR {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::object::<Context>(self.context)?.terminate()
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
