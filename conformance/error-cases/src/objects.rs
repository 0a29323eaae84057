//! Objects that the tests of several families need.

use crate::session::{Session, made};
use cl_sys::*;
use std::ptr::null_mut;

/// A small image of two dimensions.
pub fn image(session: &Session, flags: cl_mem_flags) -> cl_mem {
    let mut format = cl_image_format {
        image_channel_order: CL_RGBA,
        image_channel_data_type: CL_UNORM_INT8,
    };
    // SAFETY: the format is read during the call.
    made(|code| unsafe {
        clCreateImage2D(
            session.context,
            flags,
            &mut format,
            4,
            4,
            0,
            null_mut(),
            code,
        )
    })
}

/// A sampler.
pub fn sampler(session: &Session) -> cl_sampler {
    let (none, nearest) = (CL_ADDRESS_NONE, CL_FILTER_NEAREST);
    // SAFETY: the context is valid.
    made(|code| unsafe { clCreateSampler(session.context, CL_FALSE, none, nearest, code) })
}
