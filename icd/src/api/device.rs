//! Devices (OpenCL 1.2, sections 4.2 and 4.3).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateSubDevices, clGetDeviceIDs, clGetDeviceInfo, clReleaseDevice, clRetainDevice,
};
use crate::abi::handle;
use crate::api::device_info;
use crate::api::info::Destination;
use crate::api::{partition, platform};
use cl_sys::{cl_device_type, cl_uint};
use runtime::device::platform::Platform;
use runtime::device::{Device, DeviceType};
use runtime::error::{Code, Error, Result};
use std::sync::Arc;

/// `CL_DEVICE_TYPE_ALL`: every type but custom devices.
const CL_DEVICE_TYPE_ALL: cl_device_type = 0xFFFF_FFFF;

/// The root devices of a type that a node has.
///
/// # Errors
/// `InvalidDeviceType`, `DeviceNotFound`.
pub fn of_type(node: usize, device_type: cl_device_type) -> Result<Vec<Arc<Device>>> {
    let wanted = if device_type == CL_DEVICE_TYPE_ALL {
        DeviceType::all().difference(DeviceType::CUSTOM)
    } else {
        DeviceType::from_bits(device_type)
            .filter(|wanted| !wanted.is_empty())
            .ok_or_else(|| {
                Error::new(
                    Code::InvalidDeviceType,
                    format!("device_type {device_type:#x} is not valid"),
                )
            })?
    };
    let devices: Vec<_> = Platform::all()[node].devices_of(wanted).cloned().collect();
    if devices.is_empty() {
        return Err(Error::new(
            Code::DeviceNotFound,
            format!("no device is of type {wanted:?}"),
        ));
    }
    Ok(devices)
}

impl Call for clGetDeviceIDs {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let node = platform::node_or_first(self.platform)?;
        platform::check_list(self.num_entries, self.devices, self.num_devices)?;
        let devices = of_type(node, self.device_type)?;
        let entries = devices.iter().take(self.num_entries as usize);
        self.devices.set_elements(entries.map(handle::handle_of));
        self.num_devices.set(devices.len() as cl_uint);
        Ok(())
    }
}

impl Call for clCreateSubDevices {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let device = handle::object::<Device>(self.in_device)?;
        let partition = partition::read(self.partition_properties, &device)?;
        let sub_devices = device.divide(&partition)?;
        let count = sub_devices.len() as cl_uint;
        if !self.out_devices.is_null() {
            if self.num_entries < count {
                return Err(Error::new(
                    Code::InvalidValue,
                    format!(
                        "there is room for {} of {count} sub-devices",
                        self.num_entries
                    ),
                ));
            }
            let handles = sub_devices.into_iter().map(handle::publish);
            self.out_devices.set_elements(handles);
        }
        self.num_devices.set(count);
        Ok(())
    }
}

// Root devices are not counted: they are always there.

impl Call for clRetainDevice {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let device = handle::object::<Device>(self.device)?;
        match device.parent() {
            Some(_) => handle::retain::<Device>(self.device),
            None => Ok(()),
        }
    }
}

impl Call for clReleaseDevice {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let device = handle::object::<Device>(self.device)?;
        match device.parent() {
            Some(_) => handle::release::<Device>(self.device),
            None => Ok(()),
        }
    }
}

impl Call for clGetDeviceInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let device = handle::object::<Device>(self.device)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        device_info::write(&device, self.param_name, &destination)
    }
}
