//! Platforms, devices and contexts.

use super::codes::{Codes, not_made, wrong, wrong_queries};
use anyhow::Result;
use cl_sys::*;
use harness::callback;
use harness::session::Session;
use std::ptr::{null, null_mut};

/// Platforms and devices.
pub fn platforms_and_devices(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let device = session.device.id();
    let platform = session.device.platform()? as cl_platform_id;
    let mut list = [null_mut(); 1];
    let all = CL_DEVICE_TYPE_ALL;
    wrong!(
        codes,
        "room for none",
        CL_INVALID_VALUE,
        clGetPlatformIDs(0, list.as_mut_ptr(), null_mut())
    );
    wrong!(
        codes,
        "neither list nor number",
        CL_INVALID_VALUE,
        clGetPlatformIDs(0, null_mut(), null_mut())
    );
    wrong_queries!(codes, CL_PLATFORM_NAME, clGetPlatformInfo(platform));
    wrong!(
        codes,
        "room for none",
        CL_INVALID_VALUE,
        clGetDeviceIDs(platform, all, 0, list.as_mut_ptr(), null_mut())
    );
    wrong!(
        codes,
        "neither list nor number",
        CL_INVALID_VALUE,
        clGetDeviceIDs(platform, all, 0, null_mut(), null_mut())
    );
    wrong!(
        codes,
        "no type",
        CL_INVALID_DEVICE_TYPE,
        clGetDeviceIDs(platform, 0, 1, list.as_mut_ptr(), null_mut())
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_DEVICE,
        clGetDeviceInfo(null_mut(), CL_DEVICE_TYPE, 0, null_mut(), null_mut())
    );
    wrong_queries!(codes, CL_DEVICE_TYPE, clGetDeviceInfo(device));
    wrong!(
        codes,
        "no properties",
        CL_INVALID_VALUE,
        clCreateSubDevices(device, null(), 1, list.as_mut_ptr(), null_mut())
    );
    let unknown: [cl_device_partition_property; 3] = [0x7777, 1, 0];
    wrong!(
        codes,
        "an unknown partition",
        CL_INVALID_VALUE,
        clCreateSubDevices(device, unknown.as_ptr(), 1, list.as_mut_ptr(), null_mut())
    );
    wrong!(codes, "null", CL_INVALID_DEVICE, clRetainDevice(null_mut()));
    wrong!(
        codes,
        "null",
        CL_INVALID_DEVICE,
        clReleaseDevice(null_mut())
    );
    codes.result()
}

/// Contexts.
pub fn contexts(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let devices = [session.device.id(), null_mut()];
    let one = devices.as_ptr();
    let something = callback::user_data("never registered", |_, _| ());
    callback::forget(something);
    not_made!(
        codes,
        "no devices",
        CL_INVALID_VALUE,
        clCreateContext(null(), 0, one, None, null_mut())
    );
    not_made!(
        codes,
        "user data without callback",
        CL_INVALID_VALUE,
        clCreateContext(null(), 1, one, None, something)
    );
    not_made!(
        codes,
        "a device is null",
        CL_INVALID_DEVICE,
        clCreateContext(null(), 2, one, None, null_mut())
    );
    let unknown: [cl_context_properties; 3] = [0x7777, 1, 0];
    not_made!(
        codes,
        "an unknown property",
        CL_INVALID_PROPERTY,
        clCreateContext(unknown.as_ptr(), 1, one, None, null_mut())
    );
    let platform = session.device.platform()? as cl_context_properties;
    let name = CL_CONTEXT_PLATFORM as cl_context_properties;
    let twice = [name, platform, name, platform, 0];
    not_made!(
        codes,
        "a property twice",
        CL_INVALID_PROPERTY,
        clCreateContext(twice.as_ptr(), 1, one, None, null_mut())
    );
    let properties = [name, platform, 0];
    not_made!(
        codes,
        "no type",
        CL_INVALID_DEVICE_TYPE,
        clCreateContextFromType(properties.as_ptr(), 0, None, null_mut())
    );
    not_made!(
        codes,
        "user data without callback",
        CL_INVALID_VALUE,
        clCreateContextFromType(properties.as_ptr(), CL_DEVICE_TYPE_ALL, None, something)
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_CONTEXT,
        clGetContextInfo(null_mut(), CL_CONTEXT_DEVICES, 0, null_mut(), null_mut())
    );
    wrong_queries!(codes, CL_CONTEXT_DEVICES, clGetContextInfo(context));
    wrong!(
        codes,
        "null",
        CL_INVALID_CONTEXT,
        clRetainContext(null_mut())
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_CONTEXT,
        clReleaseContext(null_mut())
    );
    codes.result()
}
