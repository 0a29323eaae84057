//! Platforms and extension functions.

use crate::session::{Session, function};
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::null_mut;

/// `clGetPlatformIDs` of the platform; the loader has one of its own.
fn ids(
    session: &Session,
    num_entries: cl_uint,
    platforms: *mut cl_platform_id,
    num_platforms: *mut cl_uint,
) -> cl_int {
    type Function = unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;
    let call: Function = function(session.platform, c"clGetPlatformIDs");
    // SAFETY: the pointers are null or have room for `num_entries` platforms and a count.
    unsafe { call(num_entries, platforms, num_platforms) }
}

/// Queries a string into `size` bytes.
fn info(platform: cl_platform_id, name: cl_platform_info, size: usize) -> cl_int {
    let mut text = [0u8; 4096];
    // SAFETY: there is room for `size` bytes.
    unsafe { clGetPlatformInfo(platform, name, size, text.as_mut_ptr().cast(), null_mut()) }
}

/// `clUnloadPlatformCompiler`, which cl-sys does not offer.
fn unload_compiler(session: &Session, platform: cl_platform_id) -> cl_int {
    type Function = unsafe extern "C" fn(cl_platform_id) -> cl_int;
    let call: Function = function(session.platform, c"clUnloadPlatformCompiler");
    // SAFETY: a handle, or null.
    unsafe { call(platform) }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clGetPlatformIDs {
        CL_INVALID_VALUE {
            no_entries_but_a_list: |session| ids(session, 0, &mut null_mut(), null_mut()),
            no_entries_but_a_list_and_a_count: |session| {
                ids(session, 0, &mut null_mut(), &mut 0)
            },
            neither_list_nor_count: |session| ids(session, 1, null_mut(), null_mut()),
            no_entries_but_a_list_at_the_loader: |_session| {
                // SAFETY: there is room for a platform.
                unsafe { clGetPlatformIDs(0, &mut null_mut(), null_mut()) }
            },
            neither_list_nor_count_at_the_loader: |_session| {
                // SAFETY: nothing is written.
                unsafe { clGetPlatformIDs(1, null_mut(), null_mut()) }
            },
        }
    }
    clGetPlatformInfo {
        CL_INVALID_PLATFORM {
            a_context: |session| info(session.context.cast(), CL_PLATFORM_NAME, 4096),
            a_device: |session| info(session.devices[0].cast(), CL_PLATFORM_NAME, 4096),
        }
        CL_INVALID_VALUE {
            unknown_query: |session| info(session.platform, 0xBAD, 4096),
            a_query_of_devices: |session| info(session.platform, CL_DEVICE_NAME, 4096),
            too_little_room: |session| info(session.platform, CL_PLATFORM_NAME, 3),
            no_room: |session| info(session.platform, CL_PLATFORM_VERSION, 0),
            too_little_room_for_a_number: |session| info(session.platform, 0x0906, 3),
        }
    }
    clUnloadPlatformCompiler {
        CL_INVALID_PLATFORM {
            null: |session| unload_compiler(session, null_mut()),
            a_context: |session| unload_compiler(session, session.context.cast()),
        }
    }
};
