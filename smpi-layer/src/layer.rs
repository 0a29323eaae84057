//! What the loader calls (CL/cl_layer.h): the layer's name, and its table of functions.

use crate::blocking::BLOCKING;
use crate::functions::TIMED;
use crate::overrides::OVERRIDES;
use crate::simgrid::SimGrid;
use crate::target::{self, Address};
use cl_sys::{CL_INVALID_VALUE, CL_SUCCESS, cl_int, cl_uint};
use std::ffi::c_void;

const CL_LAYER_API_VERSION: cl_uint = 0x4240;
const CL_LAYER_NAME: cl_uint = 0x4241;
const CL_LAYER_API_VERSION_100: cl_uint = 100;

/// Slots of the table; the loader takes what is null from its own.
const SLOTS: usize = 256;

static TABLE: [Address; SLOTS] = table();
static EMPTY: [Address; SLOTS] = [Address(std::ptr::null()); SLOTS];

const fn table() -> [Address; SLOTS] {
    let table = [Address(std::ptr::null()); SLOTS];
    with(with(with(table, TIMED), OVERRIDES), BLOCKING)
}

/// The table with these functions.
const fn with(mut table: [Address; SLOTS], functions: &[(i32, Address)]) -> [Address; SLOTS] {
    let mut row = 0;
    while row < functions.len() {
        let (slot, address) = functions[row];
        if slot >= 0 {
            table[slot as usize] = address;
        }
        row += 1;
    }
    table
}

/// Version and name of the layer.
///
/// # Safety
/// `value` has room for `size` bytes or is null; `size_ret` may be written or is null.
#[allow(non_snake_case, reason = "the loader's name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetLayerInfo(
    name: cl_uint,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    let bytes: &[u8] = match name {
        CL_LAYER_API_VERSION => &CL_LAYER_API_VERSION_100.to_ne_bytes(),
        CL_LAYER_NAME => b"mocl3_smpi\0",
        _ => return CL_INVALID_VALUE,
    };
    if !value.is_null() && size < bytes.len() {
        return CL_INVALID_VALUE;
    }
    // SAFETY: as the caller promises.
    unsafe {
        if !value.is_null() {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), value.cast(), bytes.len());
        }
        if !size_ret.is_null() {
            size_ret.write(bytes.len());
        }
    }
    CL_SUCCESS
}

/// Takes the functions to call, and returns the layer's. Without SimGrid these are none.
///
/// # Safety
/// `target` has `count` functions, for the rest of the process; the other pointers may be written.
#[allow(non_snake_case, reason = "the loader's name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayer(
    count: cl_uint,
    target: *const Address,
    count_ret: *mut cl_uint,
    table_ret: *mut *const Address,
) -> cl_int {
    if target.is_null() || count_ret.is_null() || table_ret.is_null() {
        return CL_INVALID_VALUE;
    }
    let table = match SimGrid::get() {
        Some(_) => &TABLE,
        None => &EMPTY,
    };
    // SAFETY: as the caller promises.
    unsafe {
        target::set(std::slice::from_raw_parts(target, count as usize));
        count_ret.write(SLOTS as cl_uint);
        table_ret.write(table.as_ptr());
    }
    CL_SUCCESS
}
