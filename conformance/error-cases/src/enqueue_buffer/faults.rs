//! Faults that commands on buffers have in common.

use super::call::*;
use crate::objects::image;
use crate::session::{Session, made, ok};
use crate::stale;
use crate::table::{Fault, faults};
use cl_sys::*;
use std::ptr::null_mut;

/// The call that all others change succeeds.
pub static VALID: &[Fault<Call>] = faults! {
    CL_SUCCESS {
        valid: |session| Call::good(session),
    }
};

/// An event of the session's context whose status is set to `status`.
fn user_event(session: &Session, status: cl_int) -> cl_event {
    // SAFETY: the context is valid.
    unsafe {
        let event = made(|code| clCreateUserEvent(session.context, code));
        ok(clSetUserEventStatus(event, status));
        event
    }
}

/// An event that another thread fails, sooner or later.
fn failing_event(session: &Session) -> cl_event {
    // SAFETY: the context is valid.
    let event = made(|code| unsafe { clCreateUserEvent(session.context, code) });
    let handle = event.expose_provenance();
    std::thread::spawn(move || {
        let event = std::ptr::with_exposed_provenance_mut(handle);
        // SAFETY: the event is never released.
        ok(unsafe { clSetUserEventStatus(event, -77) });
    });
    event
}

/// Wrong queues, wait lists and memory objects.
pub static WRONG_OBJECTS: &[Fault<Call>] = faults! {
    CL_INVALID_COMMAND_QUEUE {
        null: |session| {
            Call { queue: null_mut(), ..Call::good(session) }
        },
        released: |session| {
            Call { queue: stale::queue(session), ..Call::good(session) }
        },
        a_context: |session| {
            Call { queue: session.context.cast(), ..Call::good(session) }
        },
    }
    CL_INVALID_CONTEXT {
        a_queue_of_another_context: |session| {
            Call { queue: session.another().queue, ..Call::good(session) }
        },
        a_memory_object_of_another_context: |session| {
            let buffer = session.another().buffer(&[0u8; SIZE]);
            Call { buffer, ..Call::good(session) }
        },
        an_event_of_another_context: |session| {
            let event = user_event(&session.another(), CL_COMPLETE);
            Call::waiting(session, 1, Some(event))
        },
    }
    CL_INVALID_MEM_OBJECT {
        null: |session| {
            Call { buffer: null_mut(), ..Call::good(session) }
        },
        released: |session| {
            Call { buffer: stale::buffer(session), ..Call::good(session) }
        },
        a_queue: |session| {
            Call { buffer: session.queue.cast(), ..Call::good(session) }
        },
    }
    CL_INVALID_EVENT_WAIT_LIST {
        a_null_list_of_one: |session| Call::waiting(session, 1, None),
        a_list_of_no_events: |session| {
            let event = user_event(session, CL_COMPLETE);
            Call::waiting(session, 0, Some(event))
        },
        a_null_event: |session| {
            Call::waiting(session, 1, Some(null_mut()))
        },
        a_released_event: |session| {
            Call::waiting(session, 1, Some(stale::event(session)))
        },
        a_queue_as_event: |session| {
            Call::waiting(session, 1, Some(session.queue.cast()))
        },
    }
};

/// A function of a table below.
pub type Command = fn(&Call) -> cl_int;

/// The functions of [`WRONG_OBJECTS`].
pub const EVERY_COMMAND: &[(&str, Command)] = &[
    ("clEnqueueReadBuffer", read),
    ("clEnqueueWriteBuffer", write),
    ("clEnqueueReadBufferRect", read_rect),
    ("clEnqueueWriteBufferRect", write_rect),
    ("clEnqueueCopyBuffer", copy),
    ("clEnqueueCopyBufferRect", copy_rect),
    ("clEnqueueFillBuffer", fill),
    ("clEnqueueMapBuffer", map),
    ("clEnqueueUnmapMemObject", unmap),
    ("clEnqueueMigrateMemObjects", migrate),
];

/// An image in place of a buffer.
pub static IMAGES: &[Fault<Call>] = faults! {
    CL_INVALID_MEM_OBJECT {
        an_image: |session| {
            Call { buffer: image(session, 0), ..Call::good(session) }
        },
    }
};

/// The functions of [`IMAGES`].
pub const BUFFER_COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueReadBuffer", read),
    ("clEnqueueWriteBuffer", write),
    ("clEnqueueReadBufferRect", read_rect),
    ("clEnqueueWriteBufferRect", write_rect),
    ("clEnqueueCopyBuffer", copy),
    ("clEnqueueCopyBufferRect", copy_rect),
    ("clEnqueueFillBuffer", fill),
    ("clEnqueueMapBuffer", map),
];

/// Blocking calls that wait for an event that fails.
pub static FAILED_EVENTS: &[Fault<Call>] = faults! {
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
        an_event_has_failed: |session| {
            Call::waiting(session, 1, Some(user_event(session, -5)))
        },
        an_event_fails_while_the_call_waits: |session| {
            Call::waiting(session, 1, Some(failing_event(session)))
        },
    }
};

/// The functions of [`FAILED_EVENTS`].
pub const BLOCKING_COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueReadBuffer", read),
    ("clEnqueueWriteBuffer", write),
    ("clEnqueueReadBufferRect", read_rect),
    ("clEnqueueWriteBufferRect", write_rect),
    ("clEnqueueMapBuffer", map),
];

/// Regions and pitches that are invalid, or beyond the buffer.
pub static WRONG_RECTANGLES: &[Fault<Call>] = faults! {
    CL_INVALID_VALUE {
        null_region: |session| {
            Call { region: None, ..Call::good(session) }
        },
        null_origin: |session| {
            Call { origin: None, ..Call::good(session) }
        },
        null_origin_of_the_destination: |session| {
            Call { destination_origin: None, ..Call::good(session) }
        },
        a_region_without_width: |session| {
            Call { region: Some([0, 4, 2]), ..Call::good(session) }
        },
        a_region_without_height: |session| {
            Call { region: Some([8, 0, 2]), ..Call::good(session) }
        },
        a_region_without_depth: |session| {
            Call { region: Some([8, 4, 0]), ..Call::good(session) }
        },
        a_row_pitch_of_less_than_a_row: |session| {
            Call { row_pitch: 7, ..Call::good(session) }
        },
        a_row_pitch_of_less_than_a_row_at_the_destination: |session| {
            Call { destination_row_pitch: 7, ..Call::good(session) }
        },
        a_slice_pitch_of_less_than_a_slice: |session| {
            Call { slice_pitch: 48, ..Call::good(session) }
        },
        a_slice_pitch_of_less_than_a_slice_at_the_destination: |session| {
            Call { destination_slice_pitch: 48, ..Call::good(session) }
        },
        a_slice_pitch_that_is_no_number_of_rows: |session| {
            Call { slice_pitch: 72, ..Call::good(session) }
        },
        a_slice_pitch_that_is_no_number_of_rows_at_the_destination: |session| {
            Call { destination_slice_pitch: 72, ..Call::good(session) }
        },
        pitches_beyond_all_memory: |session| {
            let row_pitch = usize::MAX / 2;
            Call { row_pitch, slice_pitch: 0, ..Call::good(session) }
        },
    }
};

/// The functions of [`WRONG_RECTANGLES`].
pub const RECTANGLE_COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueReadBufferRect", read_rect),
    ("clEnqueueWriteBufferRect", write_rect),
    ("clEnqueueCopyBufferRect", copy_rect),
];
