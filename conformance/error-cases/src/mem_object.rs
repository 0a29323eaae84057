//! Memory objects of any kind.

use crate::objects::image;
use crate::session::{Session, ok};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;

fn retain(object: cl_mem) -> cl_int {
    // SAFETY: handles that are not valid are recognised.
    unsafe { clRetainMemObject(object) }
}

fn release(object: cl_mem) -> cl_int {
    // SAFETY: handles that are not valid are recognised.
    unsafe { clReleaseMemObject(object) }
}

extern "C" fn ignore(_: cl_mem, _: *mut c_void) {}

fn set_destructor(object: cl_mem) -> cl_int {
    // SAFETY: the function uses nothing.
    unsafe { clSetMemObjectDestructorCallback(object, Some(ignore), null_mut()) }
}

/// Queries a value into `size` bytes.
fn info(object: cl_mem, name: cl_mem_info, size: usize) -> cl_int {
    let mut value = 0u64;
    let to = (&raw mut value).cast();
    // SAFETY: there is room for all values there are.
    unsafe { clGetMemObjectInfo(object, name, size, to, null_mut()) }
}

/// An image that has been released.
fn stale_image(session: &Session) -> cl_mem {
    let image = image(session, 0);
    ok(release(image));
    image
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clRetainMemObject {
        CL_INVALID_MEM_OBJECT {
            null: |_| retain(null_mut()),
            released: |session| retain(stale::buffer(session)),
            a_released_image: |session| retain(stale_image(session)),
            a_queue: |session| retain(session.queue.cast()),
        }
    }
    clReleaseMemObject {
        CL_INVALID_MEM_OBJECT {
            null: |_| release(null_mut()),
            released: |session| release(stale::buffer(session)),
            a_released_image: |session| release(stale_image(session)),
            a_context: |session| release(session.context.cast()),
            released_once_more_than_retained: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                ok(retain(buffer));
                ok(release(buffer));
                ok(release(buffer));
                release(buffer)
            },
        }
    }
    clSetMemObjectDestructorCallback {
        CL_INVALID_MEM_OBJECT {
            null: |_| set_destructor(null_mut()),
            released: |session| set_destructor(stale::buffer(session)),
            a_released_image: |session| set_destructor(stale_image(session)),
            a_queue: |session| set_destructor(session.queue.cast()),
        }
        CL_INVALID_VALUE {
            null_function: |session| {
                let buffer = session.buffer(&[0u8; 64]);
                // SAFETY: the buffer is valid.
                unsafe { clSetMemObjectDestructorCallback(buffer, None, null_mut()) }
            },
        }
    }
    clGetMemObjectInfo {
        CL_INVALID_MEM_OBJECT {
            null: |_| info(null_mut(), CL_MEM_SIZE, 8),
            released: |session| info(stale::buffer(session), CL_MEM_SIZE, 8),
            a_released_image: |session| info(stale_image(session), CL_MEM_SIZE, 8),
            a_context: |session| info(session.context.cast(), CL_MEM_SIZE, 8),
        }
        CL_INVALID_VALUE {
            no_such_query: |session| info(session.buffer(&[0u8; 64]), CL_IMAGE_WIDTH, 8),
            too_little_room_for_an_address: |session| {
                info(session.buffer(&[0u8; 64]), CL_MEM_HOST_PTR, 7)
            },
            too_little_room_for_a_count: |session| {
                info(session.buffer(&[0u8; 64]), CL_MEM_MAP_COUNT, 3)
            },
        }
    }
};
