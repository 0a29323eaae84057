//! Samplers.

use crate::session::{Session, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::null_mut;

fn create(
    context: cl_context,
    normalized_coords: cl_bool,
    addressing_mode: cl_addressing_mode,
    filter_mode: cl_filter_mode,
) -> cl_int {
    // SAFETY: the place for the code is valid.
    refused(|code| unsafe {
        clCreateSampler(
            context,
            normalized_coords,
            addressing_mode,
            filter_mode,
            code,
        )
    })
}

fn sampler(session: &Session) -> cl_sampler {
    session.sampler(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
}

fn retain(sampler: cl_sampler) -> cl_int {
    // SAFETY: no other pointers are given.
    unsafe { clRetainSampler(sampler) }
}

fn release(sampler: cl_sampler) -> cl_int {
    // SAFETY: no other pointers are given.
    unsafe { clReleaseSampler(sampler) }
}

fn info(sampler: cl_sampler, name: cl_sampler_info, size: usize) -> cl_int {
    let mut value = 0u64;
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetSamplerInfo(sampler, name, size, (&raw mut value).cast(), null_mut()) }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateSampler {
        CL_INVALID_CONTEXT {
            null: |_| create(null_mut(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
            released: |session| {
                create(stale::context(session), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
            },
            a_queue: |session| {
                create(session.queue.cast(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
            },
        }
        CL_INVALID_VALUE {
            normalized_coords_neither_true_nor_false: |session| {
                create(session.context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)
            },
            unknown_addressing_mode: |session| {
                create(session.context, CL_TRUE, 0x1135, CL_FILTER_NEAREST)
            },
            unknown_filter_mode: |session| {
                create(session.context, CL_TRUE, CL_ADDRESS_CLAMP, 0x1142)
            },
            filter_mode_for_addressing_mode: |session| {
                create(session.context, CL_TRUE, CL_FILTER_LINEAR, CL_FILTER_LINEAR)
            },
            repetition_without_normalized_coords: |session| {
                create(session.context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST)
            },
            mirrored_repetition_without_normalized_coords: |session| {
                create(session.context, CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST)
            },
        }
    }
    clRetainSampler {
        CL_INVALID_SAMPLER {
            null: |_| retain(null_mut()),
            released: |session| retain(stale::sampler(session)),
            a_context: |session| retain(session.context.cast()),
        }
    }
    clReleaseSampler {
        CL_INVALID_SAMPLER {
            null: |_| release(null_mut()),
            released: |session| release(stale::sampler(session)),
            a_context: |session| release(session.context.cast()),
        }
    }
    clGetSamplerInfo {
        CL_INVALID_SAMPLER {
            null: |_| info(null_mut(), CL_SAMPLER_CONTEXT, 8),
            released: |session| info(stale::sampler(session), CL_SAMPLER_CONTEXT, 8),
            a_context: |session| info(session.context.cast(), CL_SAMPLER_CONTEXT, 8),
        }
        CL_INVALID_VALUE {
            unknown_param_name: |session| info(sampler(session), 0xEEEE, 8),
            too_little_room_for_reference_count: |session| {
                info(sampler(session), CL_SAMPLER_REFERENCE_COUNT, 3)
            },
            too_little_room_for_context: |session| info(sampler(session), CL_SAMPLER_CONTEXT, 7),
            too_little_room_for_normalized_coords: |session| {
                info(sampler(session), CL_SAMPLER_NORMALIZED_COORDS, 3)
            },
            too_little_room_for_addressing_mode: |session| {
                info(sampler(session), CL_SAMPLER_ADDRESSING_MODE, 3)
            },
            too_little_room_for_filter_mode: |session| {
                info(sampler(session), CL_SAMPLER_FILTER_MODE, 3)
            },
        }
    }
};
