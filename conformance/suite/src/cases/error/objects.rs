//! Platforms, devices, contexts, queues, events.

use super::{Codes, not_made, wrong, wrong_queries};
use crate::cases::calls::{self, user_event};
use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::callback;
use harness::object::{Context, Event, Object};
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

/// Command queues.
pub fn queues(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let (context, device) = (session.context.get(), session.device.id());
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateCommandQueue(null_mut(), device, 0)
    );
    not_made!(
        codes,
        "the device is null",
        CL_INVALID_DEVICE,
        clCreateCommandQueue(context, null_mut(), 0)
    );
    not_made!(
        codes,
        "an unknown property",
        CL_INVALID_VALUE,
        clCreateCommandQueue(context, device, 1 << 40)
    );
    let queue = session.queue.get();
    let none = null_mut();
    wrong!(
        codes,
        "null",
        CL_INVALID_COMMAND_QUEUE,
        clGetCommandQueueInfo(none, CL_QUEUE_CONTEXT, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_QUEUE_CONTEXT, clGetCommandQueueInfo(queue));
    wrong!(codes, "null", CL_INVALID_COMMAND_QUEUE, clFlush(none));
    wrong!(codes, "null", CL_INVALID_COMMAND_QUEUE, clFinish(none));
    wrong!(
        codes,
        "null",
        CL_INVALID_COMMAND_QUEUE,
        clRetainCommandQueue(none)
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_COMMAND_QUEUE,
        clReleaseCommandQueue(none)
    );
    codes.result()
}

/// Another context for the same device.
pub fn other_context(session: &Session) -> Result<Object<Context>> {
    let device = session.device.id();
    made!(clCreateContext(
        null(),
        1,
        &raw const device,
        None,
        null_mut()
    ))
    .map(Object::new)
}

/// Events.
pub fn events(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let other = other_context(session)?;
    let (user, elsewhere) = (user_event(context)?, user_event(other.get())?);
    ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
    ok!(clSetUserEventStatus(elsewhere.get(), CL_COMPLETE))?;
    let queue = calls::queue(session, 0)?;
    let mut event = null_mut();
    ok!(clEnqueueMarkerWithWaitList(
        queue.get(),
        0,
        null(),
        &raw mut event
    ))?;
    let marker = Object::<Event>::new(event);
    ok!(clFinish(queue.get()))?;
    let none = null_mut();
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateUserEvent(none)
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_EVENT,
        clSetUserEventStatus(none, CL_COMPLETE)
    );
    wrong!(
        codes,
        "of a command",
        CL_INVALID_EVENT,
        clSetUserEventStatus(marker.get(), CL_COMPLETE)
    );
    wrong!(
        codes,
        "once more",
        CL_INVALID_OPERATION,
        clSetUserEventStatus(user.get(), CL_COMPLETE)
    );
    let fresh = user_event(context)?;
    wrong!(
        codes,
        "to CL_SUBMITTED",
        CL_INVALID_VALUE,
        clSetUserEventStatus(fresh.get(), CL_SUBMITTED)
    );
    wrong!(
        codes,
        "for none",
        CL_INVALID_VALUE,
        clWaitForEvents(0, &user.get())
    );
    wrong!(
        codes,
        "for a list that is null",
        CL_INVALID_VALUE,
        clWaitForEvents(1, null())
    );
    let mixed = [user.get(), elsewhere.get()];
    wrong!(
        codes,
        "of two contexts",
        CL_INVALID_CONTEXT,
        clWaitForEvents(2, mixed.as_ptr())
    );
    let with_null = [user.get(), null_mut()];
    wrong!(
        codes,
        "of which one is null",
        CL_INVALID_EVENT,
        clWaitForEvents(2, with_null.as_ptr())
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_EVENT,
        clGetEventInfo(none, CL_EVENT_CONTEXT, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_EVENT_CONTEXT, clGetEventInfo(user.get()));
    let call = Some(callback::event as extern "C" fn(_, _, _));
    wrong!(
        codes,
        "without function",
        CL_INVALID_VALUE,
        clSetEventCallback(marker.get(), CL_COMPLETE, None, none)
    );
    wrong!(
        codes,
        "for CL_QUEUED",
        CL_INVALID_VALUE,
        clSetEventCallback(marker.get(), CL_QUEUED, call, none)
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_EVENT,
        clSetEventCallback(none, CL_COMPLETE, call, none)
    );
    for name in [CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_END] {
        let mut time = 0u64;
        let to = (&raw mut time).cast();
        wrong!(
            codes,
            "of a queue without profiling",
            CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(marker.get(), name, 8, to, none.cast())
        );
        wrong!(
            codes,
            "of a user event",
            CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(user.get(), name, 8, to, none.cast())
        );
        wrong!(
            codes,
            "null",
            CL_INVALID_EVENT,
            clGetEventProfilingInfo(none, name, 8, to, none.cast())
        );
    }
    wrong!(codes, "null", CL_INVALID_EVENT, clRetainEvent(none));
    wrong!(codes, "null", CL_INVALID_EVENT, clReleaseEvent(none));
    ok!(clSetUserEventStatus(fresh.get(), CL_COMPLETE))?;
    codes.result()
}
