//! Sub-devices, which error cases and tests share.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::null_mut;

/// The sub-devices of a device for these properties.
pub fn sub_devices(
    device: cl_device_id,
    properties: &[cl_device_partition_property],
) -> Vec<cl_device_id> {
    let mut count = 0;
    // SAFETY: the properties end with 0; the vector has room.
    unsafe {
        let list = properties.as_ptr();
        ok(clCreateSubDevices(device, list, 0, null_mut(), &mut count));
        let mut devices = vec![null_mut(); count as usize];
        let to = devices.as_mut_ptr();
        ok(clCreateSubDevices(device, list, count, to, null_mut()));
        devices
    }
}

/// Sub-devices with this number of compute units each.
pub fn equally(device: cl_device_id, compute_units: u32) -> Vec<cl_device_id> {
    let properties = [
        CL_DEVICE_PARTITION_EQUALLY as isize,
        compute_units as isize,
        0,
    ];
    sub_devices(device, &properties)
}

/// A sub-device of one compute unit.
pub fn one_compute_unit(session: &Session) -> cl_device_id {
    let properties = [CL_DEVICE_PARTITION_BY_COUNTS as isize, 1, 0, 0];
    sub_devices(session.devices[0], &properties)[0]
}

/// The number of compute units of a device.
pub(crate) fn compute_units(device: cl_device_id) -> isize {
    let mut count: cl_uint = 0;
    let (to, name) = ((&raw mut count).cast(), CL_DEVICE_MAX_COMPUTE_UNITS);
    // SAFETY: there is room for the number.
    ok(unsafe { clGetDeviceInfo(device, name, size_of_val(&count), to, null_mut()) });
    count as isize
}
