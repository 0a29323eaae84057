//! Commands on images.

mod call;
mod every_command;

use crate::images::*;
use crate::session::Session;
use crate::stale;
use crate::table::{Entry, ErrorCase, Fault, each, entries, faults, table};
use call::*;
use cl_sys::*;
use every_command::{COMMANDS, FAULTS};
use std::ptr::null_mut;

/// Valid calls on each type of image.
static VALID: &[Fault<Call>] = faults! {
    CL_SUCCESS {
        valid_for_1d_images: |session| on_type(session, TYPE_1D),
        valid_for_arrays_of_1d_images: |session| on_type(session, TYPE_1D_ARRAY),
        valid_for_images_of_buffers: |session| on_type(session, TYPE_1D_BUFFER),
        valid_for_2d_images: |session| on_type(session, TYPE_2D),
        valid_for_arrays_of_2d_images: |session| on_type(session, TYPE_2D_ARRAY),
        valid_for_3d_images: |session| on_type(session, TYPE_3D),
    }
};

/// The valid call, on images of a type.
fn on_type(session: &Session, image_type: cl_uint) -> Call {
    call(session, |call| {
        call.image = image_of(session, image_type);
        call.destination = image_of(session, image_type);
    })
}

/// All cases.
pub fn cases() -> Vec<ErrorCase> {
    let command = |command: fn(Call) -> cl_int, call: Call| command(call);
    [
        each(COMMANDS, VALID, command),
        each(COMMANDS, FAULTS, command),
        each(HOST_COMMANDS, HOST_MEMORY, command),
        each(BUFFER_COMMANDS, BUFFERS, command),
        entries(CASES),
    ]
    .concat()
}

/// Faults of the host memory that is read or written.
static HOST_MEMORY: &[Fault<Call>] = faults! {
    CL_INVALID_VALUE {
        null_ptr: |session| call(session, |call| call.host.clear()),
        row_pitch_less_than_a_row: |session| {
            call(session, |call| {
                call.region = Some([2, 1, 1]);
                call.row_pitch = 7;
            })
        },
        row_pitch_beyond_memory: |session| {
            call(session, |call| {
                call.region = Some([1, 3, 1]);
                call.row_pitch = usize::MAX / 2;
            })
        },
        slice_pitch_less_than_a_slice_of_a_3d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_3D);
                call.region = Some([2, 2, 2]);
                call.slice_pitch = 15;
            })
        },
        slice_pitch_less_than_row_pitch_times_height: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_3D);
                call.region = Some([2, 2, 2]);
                call.row_pitch = 16;
                call.slice_pitch = 31;
            })
        },
        slice_pitch_less_than_an_image_of_an_array_of_2d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_2D_ARRAY);
                call.region = Some([2, 2, 2]);
                call.slice_pitch = 15;
            })
        },
        slice_pitch_less_than_an_image_of_an_array_of_1d_images: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_ARRAY);
                call.region = Some([2, 2, 1]);
                call.slice_pitch = 7;
            })
        },
        slice_pitch_of_a_1d_image: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D);
                call.slice_pitch = 64;
            })
        },
        slice_pitch_of_an_image_of_a_buffer: |session| {
            call(session, |call| {
                call.image = image_of(session, TYPE_1D_BUFFER);
                call.slice_pitch = 64;
            })
        },
        slice_pitch_of_a_2d_image: |session| {
            call(session, |call| call.slice_pitch = 64)
        },
    }
    CL_INVALID_OPERATION {
        image_without_host_access: |session| {
            call(session, |call| {
                call.image = image_with(session, CL_MEM_HOST_NO_ACCESS);
            })
        },
    }
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
        blocking_behind_a_failed_event: |session| {
            call(session, |call| call.wait_for(failed_event(session)))
        },
    }
};

/// A function of a table below.
type Command = fn(Call) -> cl_int;

/// The functions of [`HOST_MEMORY`].
const HOST_COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueReadImage", Call::read),
    ("clEnqueueWriteImage", Call::write),
];

/// Faults of the buffer that is copied from or to.
static BUFFERS: &[Fault<Call>] = faults! {
    CL_INVALID_CONTEXT {
        buffer_of_another_context: |session| {
            let buffer = session.another().buffer(&[0u8; 64]);
            call(session, |call| call.buffer = buffer)
        },
    }
    CL_INVALID_MEM_OBJECT {
        null_buffer: |session| {
            call(session, |call| call.buffer = null_mut())
        },
        released_buffer: |session| {
            call(session, |call| call.buffer = stale::buffer(session))
        },
        image_for_buffer: |session| {
            call(session, |call| call.buffer = call.image)
        },
        queue_for_buffer: |session| {
            call(session, |call| call.buffer = session.queue.cast())
        },
        the_buffer_that_the_image_is_made_from: |session| {
            call(session, |call| {
                let mut shape = desc(TYPE_1D_BUFFER, [4, 1, 1]);
                shape.buffer = call.buffer;
                call.image = session.image_with(0, &RGBA8, &shape, null_mut());
                call.offset = 32;
            })
        },
    }
    CL_INVALID_VALUE {
        offset_behind_the_buffer: |session| {
            call(session, |call| call.offset = 64)
        },
        region_beyond_the_buffer: |session| {
            call(session, |call| {
                call.region = Some([SIZE, SIZE, 1]);
                call.offset = 1;
            })
        },
        offset_and_region_that_overflow: |session| {
            call(session, |call| call.offset = usize::MAX - 1)
        },
    }
};

/// The functions of [`BUFFERS`].
const BUFFER_COMMANDS: &[(&str, Command)] = &[
    ("clEnqueueCopyImageToBuffer", Call::copy_to_buffer),
    ("clEnqueueCopyBufferToImage", Call::copy_from_buffer),
];

/// Changes a copy's destination.
fn copy_to(session: &Session, image_type: cl_uint, origin: [usize; 3]) -> cl_int {
    let change = |call: &mut Call| {
        call.destination = image_of(session, image_type);
        call.destination_origin = Some(origin);
    };
    call(session, change).copy()
}

/// Copies more than one pixel to an image of a type.
fn copy_region(session: &Session, image_type: cl_uint, region: [usize; 3]) -> cl_int {
    let change = |call: &mut Call| {
        call.image = image_of(session, TYPE_3D);
        call.destination = image_of(session, image_type);
        call.region = Some(region);
    };
    call(session, change).copy()
}

/// Maps an image that was made with some flags.
fn map_with(session: &Session, flags: cl_mem_flags, map_flags: cl_map_flags) -> cl_int {
    let change = |call: &mut Call| {
        call.image = image_with(session, flags);
        call.map_flags = map_flags;
    };
    call(session, change).map()
}

/// Maps with a null `image_slice_pitch`.
fn map_without_slice_pitch(session: &Session, image_type: cl_uint) -> cl_int {
    let change = |call: &mut Call| {
        call.image = image_of(session, image_type);
        call.has_slice_pitch = false;
    };
    call(session, change).map()
}

/// Maps all of an image for writing, and then a pixel of it.
fn map_twice(session: &Session, map_flags: cl_map_flags) -> cl_int {
    let image = image_of(session, TYPE_2D);
    let all = [SIZE, SIZE, 1];
    session
        .map_pixels(image, CL_MAP_WRITE, [0; 3], all)
        .unwrap();
    let change = |call: &mut Call| {
        call.image = image;
        call.origin = Some([1, 1, 0]);
        call.map_flags = map_flags;
    };
    call(session, change).map()
}

/// Cases of single functions.
static CASES: &[Entry] = table! {
    clEnqueueReadImage {
        CL_INVALID_OPERATION {
            image_that_the_host_only_writes: |session| {
                let image = image_with(session, CL_MEM_HOST_WRITE_ONLY);
                call(session, |call| call.image = image).read()
            },
        }
    }
    clEnqueueWriteImage {
        CL_INVALID_OPERATION {
            image_that_the_host_only_reads: |session| {
                let image = image_with(session, CL_MEM_HOST_READ_ONLY);
                call(session, |call| call.image = image).write()
            },
        }
    }
    clEnqueueFillImage {
        CL_INVALID_VALUE {
            null_color: |session| call(session, |call| call.color = None).fill(),
        }
    }
    clEnqueueCopyImage {
        CL_INVALID_CONTEXT {
            destination_of_another_context: |session| {
                let image = image_of(&session.another(), TYPE_2D);
                call(session, |call| call.destination = image).copy()
            },
        }
        CL_INVALID_MEM_OBJECT {
            null_destination: |session| {
                call(session, |call| call.destination = null_mut()).copy()
            },
            released_destination: |session| {
                call(session, |call| call.destination = stale::image(session)).copy()
            },
            buffer_for_destination: |session| {
                call(session, |call| call.destination = call.buffer).copy()
            },
        }
        CL_IMAGE_FORMAT_MISMATCH {
            other_order: |session| {
                let other = format(CL_BGRA, CL_UNORM_INT8);
                let image = session.empty_image(&other, TYPE_2D, [SIZE; 3]);
                call(session, |call| call.destination = image).copy()
            },
            other_type_of_the_same_size: |session| {
                let other = format(CL_RGBA, CL_SIGNED_INT8);
                let image = session.empty_image(&other, TYPE_2D, [SIZE; 3]);
                call(session, |call| call.destination = image).copy()
            },
        }
        CL_INVALID_VALUE {
            null_destination_origin: |session| {
                call(session, |call| call.destination_origin = None).copy()
            },
            destination_origin_outside: |session| copy_to(session, TYPE_2D, [0, SIZE, 0]),
            destination_origin_that_overflows: |session| {
                copy_to(session, TYPE_2D, [0, usize::MAX, 0])
            },
            region_wider_than_the_destination: |session| {
                call(session, |call| {
                    call.region = Some([2, 1, 1]);
                    call.destination_origin = Some([SIZE - 1, 0, 0]);
                }).copy()
            },
            second_row_of_a_1d_destination: |session| copy_to(session, TYPE_1D, [0, 1, 0]),
            second_slice_of_a_1d_destination: |session| copy_to(session, TYPE_1D, [0, 0, 1]),
            second_row_of_a_destination_of_a_buffer: |session| {
                copy_to(session, TYPE_1D_BUFFER, [0, 1, 0])
            },
            second_slice_of_a_destination_of_a_buffer: |session| {
                copy_to(session, TYPE_1D_BUFFER, [0, 0, 1])
            },
            second_slice_of_a_2d_destination: |session| copy_to(session, TYPE_2D, [0, 0, 1]),
            second_slice_of_a_destination_array_of_1d_images: |session| {
                copy_to(session, TYPE_1D_ARRAY, [0, 0, 1])
            },
            region_beyond_the_destination_array_of_1d_images: |session| {
                copy_to(session, TYPE_1D_ARRAY, [0, SIZE, 0])
            },
            region_beyond_the_destination_array_of_2d_images: |session| {
                copy_to(session, TYPE_2D_ARRAY, [0, 0, SIZE])
            },
            two_rows_to_a_1d_image: |session| copy_region(session, TYPE_1D, [1, 2, 1]),
            two_slices_to_a_1d_image: |session| copy_region(session, TYPE_1D, [1, 1, 2]),
            two_rows_to_an_image_of_a_buffer: |session| {
                copy_region(session, TYPE_1D_BUFFER, [1, 2, 1])
            },
            two_slices_to_an_image_of_a_buffer: |session| {
                copy_region(session, TYPE_1D_BUFFER, [1, 1, 2])
            },
            two_slices_to_a_2d_image: |session| copy_region(session, TYPE_2D, [1, 1, 2]),
            two_slices_to_an_array_of_1d_images: |session| {
                copy_region(session, TYPE_1D_ARRAY, [1, 1, 2])
            },
        }
        CL_MEM_COPY_OVERLAP {
            the_same_region: |session| {
                call(session, |call| call.destination = call.image).copy()
            },
            regions_with_a_pixel_in_common: |session| {
                call(session, |call| {
                    call.destination = call.image;
                    call.destination_origin = Some([1, 1, 0]);
                    call.region = Some([2, 2, 1]);
                }).copy()
            },
            slices_in_common: |session| {
                call(session, |call| {
                    call.image = image_of(session, TYPE_3D);
                    call.destination = call.image;
                    call.destination_origin = Some([0, 0, 1]);
                    call.region = Some([1, 1, 2]);
                }).copy()
            },
        }
    }
    clEnqueueMapImage {
        CL_INVALID_VALUE {
            null_image_row_pitch: |session| {
                call(session, |call| call.has_row_pitch = false).map()
            },
            null_image_slice_pitch_for_a_3d_image: |session| {
                map_without_slice_pitch(session, TYPE_3D)
            },
            null_image_slice_pitch_for_an_array_of_2d_images: |session| {
                map_without_slice_pitch(session, TYPE_2D_ARRAY)
            },
            null_image_slice_pitch_for_an_array_of_1d_images: |session| {
                map_without_slice_pitch(session, TYPE_1D_ARRAY)
            },
            unknown_map_flags: |session| {
                call(session, |call| call.map_flags = CL_MAP_READ | 1 << 9).map()
            },
            invalidation_of_what_is_read: |session| {
                let flags = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
                call(session, |call| call.map_flags = flags).map()
            },
            invalidation_of_what_is_written: |session| {
                let flags = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
                call(session, |call| call.map_flags = flags).map()
            },
        }
        CL_INVALID_OPERATION {
            reading_what_the_host_only_writes: |session| {
                map_with(session, CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ)
            },
            reading_without_host_access: |session| {
                map_with(session, CL_MEM_HOST_NO_ACCESS, CL_MAP_READ)
            },
            writing_what_the_host_only_reads: |session| {
                map_with(session, CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE)
            },
            writing_without_host_access: |session| {
                map_with(session, CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE)
            },
            invalidation_of_what_the_host_only_reads: |session| {
                map_with(session, CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION)
            },
            invalidation_without_host_access: |session| {
                map_with(session, CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE_INVALIDATE_REGION)
            },
            region_mapped_for_writing_before: |session| map_twice(session, CL_MAP_WRITE),
            invalidation_of_what_is_mapped_for_writing: |session| {
                map_twice(session, CL_MAP_WRITE_INVALIDATE_REGION)
            },
        }
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
            blocking_behind_a_failed_event: |session| {
                call(session, |call| call.wait_for(failed_event(session))).map()
            },
        }
    }
};
