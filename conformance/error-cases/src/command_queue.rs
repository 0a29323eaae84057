//! Command-queues.

use crate::session::{CreateCommandQueueWithProperties, Session, function, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::{null, null_mut};

const PROPERTIES: cl_queue_properties = CL_QUEUE_PROPERTIES as cl_queue_properties;

fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> cl_int {
    // SAFETY: handles, or null.
    refused(|code| unsafe { clCreateCommandQueue(context, device, properties, code) })
}

/// `clCreateCommandQueueWithPropertiesKHR`.
fn create_with(
    session: &Session,
    context: cl_context,
    device: cl_device_id,
    list: &[cl_queue_properties],
) -> cl_int {
    let call: CreateCommandQueueWithProperties =
        function(session.platform, c"clCreateCommandQueueWithPropertiesKHR");
    let list = if list.is_empty() {
        null()
    } else {
        list.as_ptr()
    };
    // SAFETY: handles, or null; the list is read during the call.
    refused(|code| unsafe { call(context, device, list, code) })
}

/// A list of properties that is wrong.
fn listed(session: &Session, list: &[cl_queue_properties]) -> cl_int {
    create_with(session, session.context, session.devices[0], list)
}

/// Asks with room for `size` bytes.
fn info(queue: cl_command_queue, name: cl_command_queue_info, size: usize) -> cl_int {
    let mut value = [0u64; 2];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetCommandQueueInfo(queue, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

fn retain(queue: cl_command_queue) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clRetainCommandQueue(queue) }
}

fn release(queue: cl_command_queue) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clReleaseCommandQueue(queue) }
}

fn flush(queue: cl_command_queue) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clFlush(queue) }
}

fn finish(queue: cl_command_queue) -> cl_int {
    // SAFETY: a handle, or null.
    unsafe { clFinish(queue) }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateCommandQueue {
        CL_INVALID_CONTEXT {
            null: |session| create(null_mut(), session.devices[0], 0),
            released: |session| create(stale::context(session), session.devices[0], 0),
            a_queue: |session| create(session.queue.cast(), session.devices[0], 0),
        }
        CL_INVALID_DEVICE {
            null: |session| create(session.context, null_mut(), 0),
            a_context: |session| create(session.context, session.context.cast(), 0),
            not_one_of_the_context: |session| create(session.context, session.devices[3], 0),
        }
        CL_INVALID_VALUE {
            unknown_property: |session| create(session.context, session.devices[0], 1 << 7),
            a_queue_on_the_device: |session| {
                create(session.context, session.devices[0], CL_QUEUE_ON_DEVICE | 1)
            },
        }
    }
    clCreateCommandQueueWithPropertiesKHR {
        CL_INVALID_CONTEXT {
            null: |session| create_with(session, null_mut(), session.devices[0], &[]),
            released: |session| {
                create_with(session, stale::context(session), session.devices[0], &[])
            },
            a_queue: |session| {
                create_with(session, session.queue.cast(), session.devices[0], &[])
            },
        }
        CL_INVALID_DEVICE {
            null: |session| create_with(session, session.context, null_mut(), &[]),
            a_context: |session| {
                create_with(session, session.context, session.context.cast(), &[])
            },
            not_one_of_the_context: |session| {
                create_with(session, session.context, session.devices[3], &[])
            },
        }
        CL_INVALID_VALUE {
            unknown_name: |session| listed(session, &[0x9999, 0, 0]),
            a_size: |session| {
                listed(session, &[cl_queue_properties::from(CL_QUEUE_SIZE), 64, 0])
            },
            unknown_property: |session| listed(session, &[PROPERTIES, 1 << 7, 0]),
            a_name_twice: |session| listed(session, &[PROPERTIES, 0, PROPERTIES, 0, 0]),
        }
    }
    clRetainCommandQueue {
        CL_INVALID_COMMAND_QUEUE {
            null: |_session| retain(null_mut()),
            released: |session| retain(stale::queue(session)),
            a_context: |session| retain(session.context.cast()),
        }
    }
    clReleaseCommandQueue {
        CL_INVALID_COMMAND_QUEUE {
            null: |_session| release(null_mut()),
            released: |session| release(stale::queue(session)),
            a_context: |session| release(session.context.cast()),
        }
    }
    clGetCommandQueueInfo {
        CL_INVALID_COMMAND_QUEUE {
            null: |_session| info(null_mut(), CL_QUEUE_CONTEXT, 8),
            released: |session| info(stale::queue(session), CL_QUEUE_CONTEXT, 8),
            a_device: |session| info(session.devices[0].cast(), CL_QUEUE_CONTEXT, 8),
        }
        CL_INVALID_VALUE {
            unknown_query: |session| info(session.queue, 0xBAD, 8),
            a_query_of_later_versions: |session| info(session.queue, CL_QUEUE_SIZE, 8),
            too_little_room_for_a_handle: |session| info(session.queue, CL_QUEUE_DEVICE, 4),
            too_little_room_for_a_number: |session| {
                info(session.queue, CL_QUEUE_REFERENCE_COUNT, 0)
            },
        }
    }
    clFlush {
        CL_INVALID_COMMAND_QUEUE {
            null: |_session| flush(null_mut()),
            released: |session| flush(stale::queue(session)),
            an_event: |session| flush(stale::event(session).cast()),
            a_buffer: |session| flush(session.buffer(&[0u32; 4]).cast()),
        }
    }
    clFinish {
        CL_INVALID_COMMAND_QUEUE {
            null: |_session| finish(null_mut()),
            released: |session| finish(stale::queue(session)),
            a_context: |session| finish(session.context.cast()),
        }
    }
};
