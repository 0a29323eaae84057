//! What all functions on images have in common.

use super::*;

macro_rules! every_command {
    ($($function:ident: $method:ident;)+) => {
        provoked! {$(
            $function {
                CL_INVALID_COMMAND_QUEUE {
                    null: |session| call(session, |call| call.queue = null_mut()).$method(),
                    released: |session| {
                        call(session, |call| call.queue = stale::queue(session)).$method()
                    },
                    a_context: |session| {
                        call(session, |call| call.queue = session.context.cast()).$method()
                    },
                }
                CL_INVALID_CONTEXT {
                    image_of_another_context: |session| {
                        let image = image_of(&Session::open(), TYPE_2D);
                        call(session, |call| call.image = image).$method()
                    },
                    event_of_another_context: |session| {
                        let other = Session::open();
                        // SAFETY: the context is valid.
                        let event = made(|code| unsafe { clCreateUserEvent(other.context, code) });
                        call(session, |call| call.wait_for(event)).$method()
                    },
                }
                CL_INVALID_MEM_OBJECT {
                    null_image: |session| {
                        call(session, |call| call.image = null_mut()).$method()
                    },
                    released_image: |session| {
                        call(session, |call| call.image = stale::image(session)).$method()
                    },
                    buffer_for_image: |session| {
                        call(session, |call| call.image = session.buffer(&[0u8; 64])).$method()
                    },
                    context_for_image: |session| {
                        call(session, |call| call.image = session.context.cast()).$method()
                    },
                }
                CL_INVALID_VALUE {
                    null_origin: |session| call(session, |call| call.origin = None).$method(),
                    null_region: |session| call(session, |call| call.region = None).$method(),
                    no_width: |session| {
                        call(session, |call| call.region = Some([0, 1, 1])).$method()
                    },
                    no_height: |session| {
                        call(session, |call| call.region = Some([1, 0, 1])).$method()
                    },
                    no_depth: |session| {
                        call(session, |call| call.region = Some([1, 1, 0])).$method()
                    },
                    origin_outside: |session| {
                        call(session, |call| call.origin = Some([SIZE, 0, 0])).$method()
                    },
                    region_wider_than_the_image: |session| {
                        call(session, |call| call.region = Some([SIZE + 1, 1, 1])).$method()
                    },
                    region_higher_than_the_image: |session| {
                        call(session, |call| call.region = Some([1, SIZE + 1, 1])).$method()
                    },
                    region_deeper_than_the_image: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_3D);
                            call.destination = image_of(session, TYPE_3D);
                            call.region = Some([1, 1, SIZE + 1]);
                        }).$method()
                    },
                    region_beyond_the_array_of_1d_images: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_ARRAY);
                            call.origin = Some([0, SIZE - 1, 0]);
                            call.region = Some([1, 2, 1]);
                        }).$method()
                    },
                    region_beyond_the_array_of_2d_images: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_2D_ARRAY);
                            call.destination = image_of(session, TYPE_3D);
                            call.origin = Some([0, 0, SIZE - 1]);
                            call.region = Some([1, 1, 2]);
                        }).$method()
                    },
                    origin_and_region_that_overflow: |session| {
                        call(session, |call| {
                            call.origin = Some([usize::MAX, 0, 0]);
                        }).$method()
                    },
                    second_row_of_a_1d_image: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D);
                            call.origin = Some([0, 1, 0]);
                        }).$method()
                    },
                    second_slice_of_a_1d_image: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D);
                            call.origin = Some([0, 0, 1]);
                        }).$method()
                    },
                    two_rows_of_a_1d_image: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D);
                            call.region = Some([1, 2, 1]);
                        }).$method()
                    },
                    two_slices_of_a_1d_image: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D);
                            call.destination = image_of(session, TYPE_3D);
                            call.region = Some([1, 1, 2]);
                        }).$method()
                    },
                    second_row_of_an_image_of_a_buffer: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_BUFFER);
                            call.origin = Some([0, 1, 0]);
                        }).$method()
                    },
                    second_slice_of_an_image_of_a_buffer: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_BUFFER);
                            call.origin = Some([0, 0, 1]);
                        }).$method()
                    },
                    two_rows_of_an_image_of_a_buffer: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_BUFFER);
                            call.region = Some([1, 2, 1]);
                        }).$method()
                    },
                    two_slices_of_an_image_of_a_buffer: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_BUFFER);
                            call.destination = image_of(session, TYPE_3D);
                            call.region = Some([1, 1, 2]);
                        }).$method()
                    },
                    second_slice_of_an_array_of_1d_images: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_ARRAY);
                            call.origin = Some([0, 0, 1]);
                        }).$method()
                    },
                    two_slices_of_an_array_of_1d_images: |session| {
                        call(session, |call| {
                            call.image = image_of(session, TYPE_1D_ARRAY);
                            call.destination = image_of(session, TYPE_3D);
                            call.region = Some([1, 1, 2]);
                        }).$method()
                    },
                    second_slice_of_a_2d_image: |session| {
                        call(session, |call| call.origin = Some([0, 0, 1])).$method()
                    },
                    two_slices_of_a_2d_image: |session| {
                        call(session, |call| {
                            call.destination = image_of(session, TYPE_3D);
                            call.region = Some([1, 1, 2]);
                        }).$method()
                    },
                }
                CL_INVALID_EVENT_WAIT_LIST {
                    null_list_of_one: |session| {
                        call(session, |call| call.num_events = 1).$method()
                    },
                    list_of_none: |session| {
                        call(session, |call| call.events = Some(vec![null_mut()])).$method()
                    },
                    null_event: |session| {
                        call(session, |call| call.wait_for(null_mut())).$method()
                    },
                    released_event: |session| {
                        call(session, |call| call.wait_for(stale::event(session))).$method()
                    },
                    queue_for_event: |session| {
                        call(session, |call| call.wait_for(session.queue.cast())).$method()
                    },
                }
            }
        )+}
    };
}

every_command! {
    clEnqueueReadImage: read;
    clEnqueueWriteImage: write;
    clEnqueueFillImage: fill;
    clEnqueueCopyImage: copy;
    clEnqueueCopyImageToBuffer: copy_to_buffer;
    clEnqueueCopyBufferToImage: copy_from_buffer;
    clEnqueueMapImage: map;
}
