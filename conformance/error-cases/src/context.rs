//! Contexts.

use crate::session::{
    CL_CONTEXT_TERMINATE_KHR, CL_CONTEXT_TERMINATED_KHR, Session, TerminateContext, function, made,
    refused,
};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

const PLATFORM: cl_context_properties = CL_CONTEXT_PLATFORM as cl_context_properties;
const USER_SYNC: cl_context_properties = CL_CONTEXT_INTEROP_USER_SYNC as cl_context_properties;

extern "C" fn notify(_: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {}

/// `clCreateContext` with a list of properties.
fn with_properties(session: &Session, list: &[cl_context_properties]) -> cl_int {
    let device = &session.devices[0];
    // SAFETY: list and device are read during the call.
    refused(|code| unsafe { clCreateContext(list.as_ptr(), 1, device, None, null_mut(), code) })
}

/// `clCreateContextFromType` with a list of properties.
fn from_type_with_properties(list: &[cl_context_properties]) -> cl_int {
    let (all, user_data) = (CL_DEVICE_TYPE_ALL, null_mut());
    // SAFETY: the list is read during the call.
    refused(|code| unsafe { clCreateContextFromType(list.as_ptr(), all, None, user_data, code) })
}

/// The platform's own `clCreateContext`: the loader answers some calls itself.
fn create(session: &Session, num_devices: cl_uint, devices: *const cl_device_id) -> cl_int {
    type Function = unsafe extern "C" fn(
        *const cl_context_properties,
        cl_uint,
        *const cl_device_id,
        Option<extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>,
        *mut c_void,
        *mut cl_int,
    ) -> cl_context;
    let call: Function = function(session.platform, c"clCreateContext");
    // SAFETY: the devices, if any, are read during the call.
    refused(|code| unsafe { call(null(), num_devices, devices, None, null_mut(), code) })
}

/// `clCreateContextFromType` for a type of device.
fn from_type(session: &Session, device_type: cl_device_type, user_data: *mut c_void) -> cl_int {
    let list = [PLATFORM, session.platform as isize, 0];
    // SAFETY: the list is read during the call.
    refused(|code| unsafe {
        clCreateContextFromType(list.as_ptr(), device_type, None, user_data, code)
    })
}

/// `clCreateContext` over devices, with a callback.
fn over(devices: &[cl_device_id]) -> cl_int {
    let count = devices.len() as cl_uint;
    // SAFETY: the devices are read during the call.
    refused(|code| unsafe {
        clCreateContext(
            null(),
            count,
            devices.as_ptr(),
            Some(notify),
            null_mut(),
            code,
        )
    })
}

fn retain(context: cl_context) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clRetainContext(context) }
}

fn release(context: cl_context) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clReleaseContext(context) }
}

/// Asks with room for `size` bytes.
fn info(context: cl_context, name: cl_context_info, size: usize) -> cl_int {
    let mut value = [0u64; 16];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetContextInfo(context, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

/// `clTerminateContextKHR`.
fn terminate(session: &Session, context: cl_context) -> cl_int {
    let call: TerminateContext = function(session.platform, c"clTerminateContextKHR");
    // SAFETY: a handle, or null.
    unsafe { call(context) }
}

/// A context with the property `CL_CONTEXT_TERMINATE_KHR`.
fn terminable(session: &Session, value: cl_bool) -> cl_context {
    let list = [CL_CONTEXT_TERMINATE_KHR, value as isize, 0];
    let device = &session.devices[0];
    // SAFETY: list and device are read during the call.
    made(|code| unsafe { clCreateContext(list.as_ptr(), 1, device, None, null_mut(), code) })
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateContext {
        CL_INVALID_PLATFORM {
            the_platform_is_null: |session| with_properties(session, &[PLATFORM, 0, 0]),
            the_platform_is_a_queue: |session| {
                with_properties(session, &[PLATFORM, session.queue as isize, 0])
            },
        }
        CL_INVALID_PROPERTY {
            unknown_name: |session| with_properties(session, &[0x9999, 1, 0]),
            unknown_name_after_a_known_one: |session| {
                with_properties(session, &[USER_SYNC, 0, 0x9999, 1, 0])
            },
            value_that_is_no_boolean: |session| with_properties(session, &[USER_SYNC, 2, 0]),
            whether_it_can_be_terminated_is_no_boolean: |session| {
                with_properties(session, &[CL_CONTEXT_TERMINATE_KHR, 2, 0])
            },
            a_name_twice: |session| with_properties(session, &[USER_SYNC, 0, USER_SYNC, 0, 0]),
            the_platform_twice: |session| {
                let platform = session.platform as isize;
                with_properties(session, &[PLATFORM, platform, PLATFORM, platform, 0])
            },
        }
        CL_INVALID_VALUE {
            devices_are_null: |session| create(session, 1, null()),
            no_devices: |session| create(session, 0, session.devices.as_ptr()),
            no_devices_at_the_loader: |session| {
                let devices = session.devices.as_ptr();
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    clCreateContext(null(), 0, devices, None, null_mut(), code)
                })
            },
            user_data_without_callback: |session| {
                let (devices, data) = (session.devices.as_ptr(), (&raw const *session).cast_mut());
                // SAFETY: the first device is read during the call, and the data never.
                refused(|code| unsafe {
                    clCreateContext(null(), 1, devices, None, data.cast(), code)
                })
            },
        }
        CL_INVALID_DEVICE {
            null: |session| over(&[session.devices[0], null_mut()]),
            a_context: |session| over(&[session.context.cast()]),
            a_queue_among_devices: |session| over(&[session.devices[0], session.queue.cast()]),
            the_platform: |session| over(&[session.platform.cast()]),
        }
    }
    clCreateContextFromType {
        CL_INVALID_PLATFORM {
            the_platform_is_null: |_session| from_type_with_properties(&[PLATFORM, 0, 0]),
            the_platform_is_a_queue: |session| {
                from_type_with_properties(&[PLATFORM, session.queue as isize, 0])
            },
        }
        CL_INVALID_PROPERTY {
            unknown_name: |session| {
                from_type_with_properties(&[PLATFORM, session.platform as isize, 0x9999, 1, 0])
            },
            value_that_is_no_boolean: |session| {
                let platform = session.platform as isize;
                from_type_with_properties(&[PLATFORM, platform, USER_SYNC, -1, 0])
            },
            a_name_twice: |session| {
                let platform = session.platform as isize;
                from_type_with_properties(&[
                    PLATFORM, platform, USER_SYNC, 0, USER_SYNC, 0, 0,
                ])
            },
        }
        CL_INVALID_VALUE {
            user_data_without_callback: |session| {
                from_type(session, CL_DEVICE_TYPE_ALL, (&raw const *session).cast_mut().cast())
            },
        }
        CL_INVALID_DEVICE_TYPE {
            no_type: |session| from_type(session, 0, null_mut()),
            unknown_bit: |session| from_type(session, 1 << 20, null_mut()),
            unknown_bit_with_a_type: |session| {
                from_type(session, CL_DEVICE_TYPE_ACCELERATOR | 1 << 40, null_mut())
            },
        }
    }
    clRetainContext {
        CL_INVALID_CONTEXT {
            null: |_session| retain(null_mut()),
            released: |session| retain(stale::context(session)),
            a_queue: |session| retain(session.queue.cast()),
        }
    }
    clReleaseContext {
        CL_INVALID_CONTEXT {
            null: |_session| release(null_mut()),
            released: |session| release(stale::context(session)),
            a_queue: |session| release(session.queue.cast()),
        }
    }
    clTerminateContextKHR {
        CL_INVALID_CONTEXT {
            null: |session| terminate(session, null_mut()),
            released: |session| terminate(session, stale::context(session)),
            a_queue: |session| terminate(session, session.queue.cast()),
        }
        CL_CONTEXT_TERMINATED_KHR {
            twice: |session| {
                let context = terminable(session, CL_TRUE);
                assert_eq!(terminate(session, context), CL_SUCCESS);
                terminate(session, context)
            },
        }
        CL_INVALID_OPERATION {
            not_created_for_it: |session| terminate(session, session.context),
            created_not_to_be: |session| terminate(session, terminable(session, CL_FALSE)),
        }
    }
    clGetContextInfo {
        CL_INVALID_CONTEXT {
            null: |_session| info(null_mut(), CL_CONTEXT_NUM_DEVICES, 4),
            released: |session| info(stale::context(session), CL_CONTEXT_NUM_DEVICES, 4),
            a_device: |session| info(session.devices[0].cast(), CL_CONTEXT_NUM_DEVICES, 4),
        }
        CL_INVALID_VALUE {
            unknown_query: |session| info(session.context, 0xBAD, 16),
            a_name_of_a_property: |session| info(session.context, CL_CONTEXT_PLATFORM, 16),
            too_little_room_for_a_number: |session| {
                info(session.context, CL_CONTEXT_REFERENCE_COUNT, 3)
            },
            too_little_room_for_a_device: |session| info(session.context, CL_CONTEXT_DEVICES, 7),
            too_little_room_for_all_devices: |session| {
                info(session.context, CL_CONTEXT_DEVICES, 8)
            },
        }
    }
};
