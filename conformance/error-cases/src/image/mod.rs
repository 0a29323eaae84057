//! Images made and queried.

mod creation;
mod shapes;

use crate::images::*;
use crate::session::Session;
use crate::stale;
use crate::table::{Entry, ErrorCase, Fault, each, entries, faults, table};
use cl_sys::*;
use creation::*;
use std::ptr::null_mut;

/// Faults that all functions have that create images.
static FAULTS: &[Fault<Creation>] = faults! {
    CL_INVALID_CONTEXT {
        null: |session| {
            creation(session, |creation| creation.context = null_mut())
        },
        released: |session| {
            let context = stale::context(session);
            creation(session, |creation| creation.context = context)
        },
        a_queue: |session| {
            let queue = session.queue.cast();
            creation(session, |creation| creation.context = queue)
        },
    }
    CL_INVALID_VALUE {
        unknown_flags: |session| flagged(session, 1 << 20),
        read_only_and_write_only: |session| {
            flagged(session, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
        },
        read_write_and_read_only: |session| {
            flagged(session, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)
        },
        read_write_and_write_only: |session| {
            flagged(session, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)
        },
        host_memory_used_and_allocated: |session| {
            creation(session, |creation| {
                creation.in_host_memory();
                creation.flags |= CL_MEM_ALLOC_HOST_PTR;
            })
        },
        host_memory_used_and_copied: |session| {
            creation(session, |creation| {
                creation.in_host_memory();
                creation.flags |= CL_MEM_COPY_HOST_PTR;
            })
        },
        host_reads_only_and_writes_only: |session| {
            flagged(session, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)
        },
        host_reads_only_and_has_no_access: |session| {
            flagged(session, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
        },
        host_writes_only_and_has_no_access: |session| {
            flagged(session, CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
        },
    }
    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR {
        null: |session| {
            creation(session, |creation| creation.format = None)
        },
        unknown_channel_order: |session| {
            let format = format(0x1000, CL_UNORM_INT8);
            creation(session, |creation| creation.format = Some(format))
        },
        unknown_channel_data_type: |session| {
            let format = format(CL_RGBA, 0x1000);
            creation(session, |creation| creation.format = Some(format))
        },
    }
    CL_INVALID_HOST_PTR {
        null_to_use: |session| flagged(session, CL_MEM_USE_HOST_PTR),
        null_to_copy: |session| flagged(session, CL_MEM_COPY_HOST_PTR),
        given_without_a_flag: |session| {
            creation(session, |creation| creation.host = host())
        },
        given_for_memory_to_allocate: |session| {
            creation(session, |creation| {
                creation.flags = CL_MEM_ALLOC_HOST_PTR;
                creation.host = host();
            })
        },
    }
};

/// A function of a table below.
type Create = fn(Creation) -> cl_int;

/// The functions of [`FAULTS`].
const CREATIONS: &[(&str, Create)] = &[
    ("clCreateImage", Creation::image),
    ("clCreateImage2D", Creation::image_2d),
    ("clCreateImage3D", Creation::image_3d),
];

/// `clCreateImage2D` with a changed shape, in host memory or not.
fn plane(session: &Session, in_host_memory: bool, change: fn(&mut cl_image_desc)) -> cl_int {
    legacy(session, TYPE_2D, in_host_memory, change).image_2d()
}

/// `clCreateImage3D`, likewise.
fn volume(session: &Session, in_host_memory: bool, change: fn(&mut cl_image_desc)) -> cl_int {
    legacy(session, TYPE_3D, in_host_memory, change).image_3d()
}

fn legacy(
    session: &Session,
    image_type: cl_uint,
    in_host_memory: bool,
    change: fn(&mut cl_image_desc),
) -> Creation {
    let mut shape = shape(image_type);
    change(&mut shape);
    creation(session, |creation| {
        creation.desc = Some(shape);
        if in_host_memory {
            creation.in_host_memory();
        }
    })
}

/// Cases of single functions.
static CASES: &[Entry] = table! {
    clCreateImage {
        CL_SUCCESS {
            valid: |session| valid(session),
        }
    }
    clCreateImage2D {
        CL_INVALID_IMAGE_SIZE {
            no_width: |session| plane(session, false, |shape| shape.image_width = 0),
            no_height: |session| plane(session, false, |shape| shape.image_height = 0),
            too_wide: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE2D_MAX_WIDTH);
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_2D, [width, 1, 1]));
                }).image_2d()
            },
            too_high: |session| {
                let height = beyond(session, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_2D, [1, height, 1]));
                }).image_2d()
            },
            row_pitch_without_host_ptr: |session| {
                plane(session, false, |shape| shape.image_row_pitch = 16)
            },
            row_pitch_less_than_a_row: |session| {
                plane(session, true, |shape| shape.image_row_pitch = 12)
            },
            row_pitch_not_of_whole_pixels: |session| {
                plane(session, true, |shape| shape.image_row_pitch = 18)
            },
        }
        CL_MEM_OBJECT_ALLOCATION_FAILURE {
            host_memory_larger_than_any_memory: |session| {
                plane(session, true, |shape| shape.image_row_pitch = 1 << 40)
            },
        }
    }
    clCreateImage3D {
        CL_INVALID_IMAGE_SIZE {
            no_width: |session| volume(session, false, |shape| shape.image_width = 0),
            no_height: |session| volume(session, false, |shape| shape.image_height = 0),
            no_depth: |session| volume(session, false, |shape| shape.image_depth = 0),
            depth_of_one: |session| volume(session, false, |shape| shape.image_depth = 1),
            too_wide: |session| {
                let width = beyond(session, CL_DEVICE_IMAGE3D_MAX_WIDTH);
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_3D, [width, 1, 2]));
                }).image_3d()
            },
            too_high: |session| {
                let height = beyond(session, CL_DEVICE_IMAGE3D_MAX_HEIGHT);
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_3D, [1, height, 2]));
                }).image_3d()
            },
            too_deep: |session| {
                let depth = beyond(session, CL_DEVICE_IMAGE3D_MAX_DEPTH);
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_3D, [1, 1, depth]));
                }).image_3d()
            },
            row_pitch_without_host_ptr: |session| {
                volume(session, false, |shape| shape.image_row_pitch = 16)
            },
            slice_pitch_without_host_ptr: |session| {
                volume(session, false, |shape| shape.image_slice_pitch = 64)
            },
            row_pitch_less_than_a_row: |session| {
                volume(session, true, |shape| shape.image_row_pitch = 12)
            },
            row_pitch_not_of_whole_pixels: |session| {
                volume(session, true, |shape| shape.image_row_pitch = 18)
            },
            slice_pitch_less_than_a_slice: |session| {
                volume(session, true, |shape| shape.image_slice_pitch = 48)
            },
            slice_pitch_not_of_whole_rows: |session| {
                volume(session, true, |shape| shape.image_slice_pitch = 72)
            },
        }
        CL_MEM_OBJECT_ALLOCATION_FAILURE {
            larger_than_any_memory: |session| {
                creation(session, |creation| {
                    creation.desc = Some(desc(TYPE_3D, [2048; 3]));
                }).image_3d()
            },
        }
    }
    clGetSupportedImageFormats {
        CL_INVALID_CONTEXT {
            null: |_| formats(null_mut(), 0, TYPE_2D, (0, null_mut())),
            released: |session| formats(stale::context(session), 0, TYPE_2D, (0, null_mut())),
            a_queue: |session| formats(session.queue.cast(), 0, TYPE_2D, (0, null_mut())),
        }
        CL_INVALID_VALUE {
            unknown_flags: |session| formats(session.context, 1 << 20, TYPE_2D, (0, null_mut())),
            read_only_and_write_only: |session| {
                let flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
                formats(session.context, flags, TYPE_2D, (0, null_mut()))
            },
            image_type_of_a_buffer: |session| {
                formats(session.context, 0, CL_MEM_OBJECT_BUFFER, (0, null_mut()))
            },
            unknown_image_type: |session| formats(session.context, 0, 7, (0, null_mut())),
            list_of_no_entries: |session| {
                let mut one = RGBA8;
                formats(session.context, 0, TYPE_2D, (0, &mut one))
            },
        }
    }
    clGetImageInfo {
        CL_INVALID_MEM_OBJECT {
            null: |_| info(null_mut(), CL_IMAGE_WIDTH, 8),
            released: |session| info(stale::image(session), CL_IMAGE_WIDTH, 8),
            a_buffer: |session| info(session.buffer(&[0u8; 4]), CL_IMAGE_WIDTH, 8),
            a_context: |session| info(session.context.cast(), CL_IMAGE_WIDTH, 8),
        }
        CL_INVALID_VALUE {
            unknown_param_name: |session| info(image(session), 0x1199, 8),
            param_name_of_memory_objects: |session| info(image(session), CL_MEM_SIZE, 8),
            too_little_room_for_format: |session| info(image(session), CL_IMAGE_FORMAT, 7),
            too_little_room_for_element_size: |session| {
                info(image(session), CL_IMAGE_ELEMENT_SIZE, 7)
            },
            too_little_room_for_row_pitch: |session| info(image(session), CL_IMAGE_ROW_PITCH, 7),
            too_little_room_for_slice_pitch: |session| {
                info(image(session), CL_IMAGE_SLICE_PITCH, 7)
            },
            too_little_room_for_width: |session| info(image(session), CL_IMAGE_WIDTH, 7),
            too_little_room_for_height: |session| info(image(session), CL_IMAGE_HEIGHT, 7),
            too_little_room_for_depth: |session| info(image(session), CL_IMAGE_DEPTH, 7),
            too_little_room_for_array_size: |session| info(image(session), CL_IMAGE_ARRAY_SIZE, 7),
            too_little_room_for_buffer: |session| info(image(session), CL_IMAGE_BUFFER, 7),
            too_little_room_for_num_mip_levels: |session| {
                info(image(session), CL_IMAGE_NUM_MIP_LEVELS, 3)
            },
            too_little_room_for_num_samples: |session| {
                info(image(session), CL_IMAGE_NUM_SAMPLES, 3)
            },
        }
    }
};

/// The creations that the others change succeed.
fn valid(session: &Session) -> cl_int {
    let buffer = session.buffer(&[0u8; 32 * SIZE]);
    let images = [
        (TYPE_1D, 0, 0, null_mut()),
        (TYPE_1D_ARRAY, 24, 48, null_mut()),
        (TYPE_2D, 20, 0, null_mut()),
        (TYPE_2D_ARRAY, 20, 100, null_mut()),
        (TYPE_3D, 20, 100, null_mut()),
        (TYPE_1D_BUFFER, 0, 0, buffer),
        (TYPE_2D, 32, 0, buffer),
    ];
    for (image_type, row_pitch, slice_pitch, buffer) in images {
        let mut shape = shape(image_type);
        (shape.image_row_pitch, shape.image_slice_pitch) = (row_pitch, slice_pitch);
        shape.buffer = buffer;
        let (flags, host) = if buffer.is_null() {
            (CL_MEM_COPY_HOST_PTR, host())
        } else {
            (0, null_mut())
        };
        session.image_with(flags, &RGBA8, &shape, host);
    }
    CL_SUCCESS
}

/// All cases.
pub fn cases() -> Vec<ErrorCase> {
    let create = |create: fn(Creation) -> cl_int, creation: Creation| create(creation);
    [
        each(CREATIONS, FAULTS, create),
        entries(CASES),
        entries(shapes::CASES),
    ]
    .concat()
}
