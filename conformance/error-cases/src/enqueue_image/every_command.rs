//! Faults that all commands on images have in common.

use super::call::*;
use crate::images::*;
use crate::session::made;
use crate::stale;
use crate::table::{Fault, faults};
use cl_sys::*;
use std::ptr::null_mut;

/// Faults of all commands on images.
pub static FAULTS: &[Fault<Call>] = faults! {
    CL_INVALID_COMMAND_QUEUE {
        null: |session| call(session, |call| call.queue = null_mut()),
        released: |session| {
            call(session, |call| call.queue = stale::queue(session))
        },
        a_context: |session| {
            call(session, |call| call.queue = session.context.cast())
        },
    }
    CL_INVALID_CONTEXT {
        image_of_another_context: |session| {
            let image = image_of(&session.another(), TYPE_2D);
            call(session, |call| call.image = image)
        },
        event_of_another_context: |session| {
            let other = session.another();
            // SAFETY: the context is valid.
            let event = made(|code| unsafe { clCreateUserEvent(other.context, code) });
            call(session, |call| call.wait_for(event))
        },
    }
    CL_INVALID_MEM_OBJECT {
        null_image: |session| {
            call(session, |call| call.image = null_mut())
        },
        released_image: |session| {
            call(session, |call| call.image = stale::image(session))
        },
        buffer_for_image: |session| {
            call(session, |call| call.image = session.buffer(&[0u8; 64]))
        },
        context_for_image: |session| {
            call(session, |call| call.image = session.context.cast())
        },
    }
    CL_INVALID_VALUE {
        null_origin: |session| call(session, |call| call.origin = None),
        null_region: |session| call(session, |call| call.region = None),
        no_width: |session| {
            call(session, |call| call.region = Some([0, 1, 1]))
        },
        no_height: |session| {
            call(session, |call| call.region = Some([1, 0, 1]))
        },
        no_depth: |session| {
            call(session, |call| call.region = Some([1, 1, 0]))
        },
        origin_outside: |session| {
            call(session, |call| call.origin = Some([SIZE, 0, 0]))
        },
        region_wider_than_the_image: |session| {
            call(session, |call| call.region = Some([SIZE + 1, 1, 1]))
        },
        region_higher_than_the_image: |session| {
            call(session, |call| call.region = Some([1, SIZE + 1, 1]))
        },
        region_deeper_than_the_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_3D);
                call.destination = image_of(session, TYPE_3D);
                call.region = Some([1, 1, SIZE + 1]);
            })
        },
        region_beyond_the_array_of_1d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_ARRAY);
                call.origin = Some([0, SIZE - 1, 0]);
                call.region = Some([1, 2, 1]);
            })
        },
        region_beyond_the_array_of_2d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_2D_ARRAY);
                call.destination = image_of(session, TYPE_3D);
                call.origin = Some([0, 0, SIZE - 1]);
                call.region = Some([1, 1, 2]);
            })
        },
        origin_and_region_that_overflow: |session| {
            call(session, |call| {
                call.origin = Some([usize::MAX, 0, 0]);
            })
        },
        second_row_of_a_1d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D);
                call.origin = Some([0, 1, 0]);
            })
        },
        second_slice_of_a_1d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D);
                call.origin = Some([0, 0, 1]);
            })
        },
        two_rows_of_a_1d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D);
                call.region = Some([1, 2, 1]);
            })
        },
        two_slices_of_a_1d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D);
                call.destination = image_of(session, TYPE_3D);
                call.region = Some([1, 1, 2]);
            })
        },
        second_row_of_an_image_of_a_buffer: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_BUFFER);
                call.origin = Some([0, 1, 0]);
            })
        },
        second_slice_of_an_image_of_a_buffer: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_BUFFER);
                call.origin = Some([0, 0, 1]);
            })
        },
        two_rows_of_an_image_of_a_buffer: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_BUFFER);
                call.region = Some([1, 2, 1]);
            })
        },
        two_slices_of_an_image_of_a_buffer: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_BUFFER);
                call.destination = image_of(session, TYPE_3D);
                call.region = Some([1, 1, 2]);
            })
        },
        second_slice_of_an_array_of_1d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_ARRAY);
                call.origin = Some([0, 0, 1]);
            })
        },
        two_slices_of_an_array_of_1d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_ARRAY);
                call.destination = image_of(session, TYPE_3D);
                call.region = Some([1, 1, 2]);
            })
        },
        second_slice_of_a_2d_image: |session| {
            call(session, |call| call.origin = Some([0, 0, 1]))
        },
        two_slices_of_a_2d_image: |session| {
            call(session, |call| {
                call.destination = image_of(session, TYPE_3D);
                call.region = Some([1, 1, 2]);
            })
        },
    }
    CL_INVALID_EVENT_WAIT_LIST {
        null_list_of_one: |session| {
            call(session, |call| call.num_events = 1)
        },
        list_of_none: |session| {
            call(session, |call| call.events = Some(vec![null_mut()]))
        },
        null_event: |session| {
            call(session, |call| call.wait_for(null_mut()))
        },
        released_event: |session| {
            call(session, |call| call.wait_for(stale::event(session)))
        },
        queue_for_event: |session| {
            call(session, |call| call.wait_for(session.queue.cast()))
        },
    }
};

/// A function of a table below.
pub type Command = fn(Call) -> cl_int;

/// The functions of [`FAULTS`].
pub const COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueReadImage", Call::read),
    ("clEnqueueWriteImage", Call::write),
    ("clEnqueueFillImage", Call::fill),
    ("clEnqueueCopyImage", Call::copy),
    ("clEnqueueCopyImageToBuffer", Call::copy_to_buffer),
    ("clEnqueueCopyBufferToImage", Call::copy_from_buffer),
    ("clEnqueueMapImage", Call::map),
];
