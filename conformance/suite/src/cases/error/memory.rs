//! Buffers, images, samplers.

use super::{Codes, not_made, wrong, wrong_queries};
use anyhow::Result;
use cl_sys::*;
use harness::call::made;
use harness::object::{Memory, Object, Sampler};
use harness::session::Session;
use std::ptr::{null, null_mut};

const READ_WRITE: cl_bitfield = CL_MEM_READ_WRITE;

/// Buffers and parts of buffers.
pub fn buffers(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let none = null_mut();
    let mut bytes = [0u8; 64];
    let host = bytes.as_mut_ptr().cast();
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateBuffer(none, READ_WRITE, 64, none)
    );
    not_made!(
        codes,
        "size 0",
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer(context, READ_WRITE, 0, none)
    );
    not_made!(
        codes,
        "read-only and write-only",
        CL_INVALID_VALUE,
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, none)
    );
    not_made!(
        codes,
        "an unknown flag",
        CL_INVALID_VALUE,
        clCreateBuffer(context, 1 << 40, 64, none)
    );
    not_made!(
        codes,
        "host pointer used and copied",
        CL_INVALID_VALUE,
        clCreateBuffer(
            context,
            CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
            64,
            host
        )
    );
    not_made!(
        codes,
        "host pointer used and allocated",
        CL_INVALID_VALUE,
        clCreateBuffer(
            context,
            CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
            64,
            host
        )
    );
    not_made!(
        codes,
        "the host only reads and only writes",
        CL_INVALID_VALUE,
        clCreateBuffer(
            context,
            CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
            64,
            none
        )
    );
    not_made!(
        codes,
        "no host pointer to use",
        CL_INVALID_HOST_PTR,
        clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, none)
    );
    not_made!(
        codes,
        "no host pointer to copy",
        CL_INVALID_HOST_PTR,
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, none)
    );
    not_made!(
        codes,
        "a host pointer for nothing",
        CL_INVALID_HOST_PTR,
        clCreateBuffer(context, READ_WRITE, 64, host)
    );

    let size = 1 << 16;
    let whole =
        made!(clCreateBuffer(context, READ_WRITE, size, none)).map(Object::<Memory>::new)?;
    let read =
        made!(clCreateBuffer(context, CL_MEM_READ_ONLY, size, none)).map(Object::<Memory>::new)?;
    let region = cl_buffer_region {
        origin: 0,
        size: 64,
    };
    let at = (&raw const region).cast();
    let part = |whole: &Object<Memory>| {
        made!(clCreateSubBuffer(
            whole.get(),
            READ_WRITE,
            CL_BUFFER_CREATE_TYPE_REGION,
            at
        ))
        .map(Object::<Memory>::new)
    };
    let part = part(&whole)?;
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    not_made!(
        codes,
        "null",
        CL_INVALID_MEM_OBJECT,
        clCreateSubBuffer(none, READ_WRITE, kind, at)
    );
    not_made!(
        codes,
        "of a part",
        CL_INVALID_MEM_OBJECT,
        clCreateSubBuffer(part.get(), READ_WRITE, kind, at)
    );
    not_made!(
        codes,
        "of an unknown type",
        CL_INVALID_VALUE,
        clCreateSubBuffer(whole.get(), READ_WRITE, 0x7777, at)
    );
    not_made!(
        codes,
        "no region",
        CL_INVALID_VALUE,
        clCreateSubBuffer(whole.get(), READ_WRITE, kind, null())
    );
    not_made!(
        codes,
        "written where only reading is allowed",
        CL_INVALID_VALUE,
        clCreateSubBuffer(read.get(), CL_MEM_WRITE_ONLY, kind, at)
    );
    not_made!(
        codes,
        "with a flag about host pointers",
        CL_INVALID_VALUE,
        clCreateSubBuffer(whole.get(), CL_MEM_COPY_HOST_PTR, kind, at)
    );
    for (origin, length) in [(0, size + 1), (size, 64), (size - 63, 64)] {
        let region = cl_buffer_region {
            origin,
            size: length,
        };
        not_made!(
            codes,
            "beyond the end",
            CL_INVALID_VALUE,
            clCreateSubBuffer(whole.get(), READ_WRITE, kind, (&raw const region).cast())
        );
    }
    let empty = cl_buffer_region { origin: 0, size: 0 };
    not_made!(
        codes,
        "size 0",
        CL_INVALID_BUFFER_SIZE,
        clCreateSubBuffer(whole.get(), READ_WRITE, kind, (&raw const empty).cast())
    );
    let odd = cl_buffer_region {
        origin: 1,
        size: 64,
    };
    not_made!(
        codes,
        "at byte 1",
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCreateSubBuffer(whole.get(), READ_WRITE, kind, (&raw const odd).cast())
    );

    wrong!(
        codes,
        "null",
        CL_INVALID_MEM_OBJECT,
        clGetMemObjectInfo(none, CL_MEM_SIZE, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_MEM_SIZE, clGetMemObjectInfo(whole.get()));
    wrong!(
        codes,
        "without function",
        CL_INVALID_VALUE,
        clSetMemObjectDestructorCallback(whole.get(), None, none)
    );
    wrong!(
        codes,
        "of a buffer",
        CL_INVALID_MEM_OBJECT,
        clGetImageInfo(whole.get(), CL_IMAGE_WIDTH, 0, none, none.cast())
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_MEM_OBJECT,
        clRetainMemObject(none)
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_MEM_OBJECT,
        clReleaseMemObject(none)
    );
    codes.result()
}

fn format(order: cl_uint, data_type: cl_uint) -> cl_image_format {
    cl_image_format {
        image_channel_order: order,
        image_channel_data_type: data_type,
    }
}

fn plane(image_width: usize, image_height: usize) -> cl_image_desc {
    cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE2D,
        image_width,
        image_height,
        image_depth: 0,
        image_array_size: 0,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

/// Images.
pub fn images(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let none = null_mut();
    let mut bytes = [0u8; 256];
    let host = bytes.as_mut_ptr().cast();
    let rgba = format(CL_RGBA, CL_UNSIGNED_INT8);
    let (format_of, small) = (&raw const rgba, plane(4, 4));
    let size = &raw const small;
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateImage(none, READ_WRITE, format_of, size, none)
    );
    not_made!(
        codes,
        "read-only and write-only",
        CL_INVALID_VALUE,
        clCreateImage(
            context,
            CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
            format_of,
            size,
            none
        )
    );
    not_made!(
        codes,
        "no format",
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage(context, READ_WRITE, null(), size, none)
    );
    let unknown = format(0x7777, CL_FLOAT);
    not_made!(
        codes,
        "an unknown order of channels",
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage(context, READ_WRITE, &raw const unknown, size, none)
    );
    not_made!(
        codes,
        "no description",
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImage(context, READ_WRITE, format_of, null(), none)
    );
    let descriptions = [
        plane(0, 4),
        plane(4, 0),
        cl_image_desc {
            image_type: 0x7777,
            ..plane(4, 4)
        },
        cl_image_desc {
            num_mip_levels: 1,
            ..plane(4, 4)
        },
        cl_image_desc {
            num_samples: 1,
            ..plane(4, 4)
        },
        // A pitch without memory of the host's.
        cl_image_desc {
            image_row_pitch: 16,
            ..plane(4, 4)
        },
    ];
    for description in descriptions {
        not_made!(
            codes,
            "wrong sizes, type, levels, samples or pitch",
            CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage(context, READ_WRITE, format_of, &raw const description, none)
        );
    }
    for image_row_pitch in [15, 17] {
        let description = cl_image_desc {
            image_row_pitch,
            ..plane(4, 4)
        };
        not_made!(
            codes,
            "a pitch too small or uneven",
            CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage(
                context,
                CL_MEM_COPY_HOST_PTR,
                format_of,
                &raw const description,
                host
            )
        );
    }
    let wide = plane(session.device.image2d_max_width()? + 1, 1);
    not_made!(
        codes,
        "too wide",
        CL_INVALID_IMAGE_SIZE,
        clCreateImage(context, READ_WRITE, format_of, &raw const wide, none)
    );
    not_made!(
        codes,
        "no host pointer to copy",
        CL_INVALID_HOST_PTR,
        clCreateImage(context, CL_MEM_COPY_HOST_PTR, format_of, size, none)
    );
    not_made!(
        codes,
        "a host pointer for nothing",
        CL_INVALID_HOST_PTR,
        clCreateImage(context, READ_WRITE, format_of, size, host)
    );
    let image = made!(clCreateImage(context, READ_WRITE, format_of, size, none))
        .map(Object::<Memory>::new)?;
    wrong!(
        codes,
        "null",
        CL_INVALID_MEM_OBJECT,
        clGetImageInfo(none, CL_IMAGE_WIDTH, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_IMAGE_WIDTH, clGetImageInfo(image.get()));
    let kind = CL_MEM_OBJECT_IMAGE2D;
    wrong!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clGetSupportedImageFormats(none, READ_WRITE, kind, 0, none.cast(), &mut 0)
    );
    wrong!(
        codes,
        "of buffers",
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(
            context,
            READ_WRITE,
            CL_MEM_OBJECT_BUFFER,
            0,
            none.cast(),
            &mut 0
        )
    );
    let mut one = format(0, 0);
    wrong!(
        codes,
        "room for none",
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(context, READ_WRITE, kind, 0, &raw mut one, none.cast())
    );
    codes.result()
}

/// Samplers.
pub fn samplers(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let none = null_mut();
    let (mode, filter) = (CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateSampler(none, CL_TRUE, mode, filter)
    );
    not_made!(
        codes,
        "an unknown addressing mode",
        CL_INVALID_VALUE,
        clCreateSampler(context, CL_TRUE, 0x7777, filter)
    );
    not_made!(
        codes,
        "an unknown filter",
        CL_INVALID_VALUE,
        clCreateSampler(context, CL_TRUE, mode, 0x7777)
    );
    let sampler =
        made!(clCreateSampler(context, CL_TRUE, mode, filter)).map(Object::<Sampler>::new)?;
    wrong!(
        codes,
        "null",
        CL_INVALID_SAMPLER,
        clGetSamplerInfo(none, CL_SAMPLER_CONTEXT, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_SAMPLER_CONTEXT, clGetSamplerInfo(sampler.get()));
    wrong!(codes, "null", CL_INVALID_SAMPLER, clRetainSampler(none));
    wrong!(codes, "null", CL_INVALID_SAMPLER, clReleaseSampler(none));
    codes.result()
}
