//! Commands.

use super::objects::other_context;
use super::programs::built;
use super::{Codes, not_made, wrong};
use crate::cases::calls::{self, user_event};
use anyhow::Result;
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::object::{Kernel, Memory, Object};
use harness::session::Session;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Launches of kernels.
pub fn launches(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let context = session.context.get();
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    let none: *mut c_void = null_mut();
    let program = built(session)?;
    let kernel =
        made!(clCreateKernel(program.get(), c"other".as_ptr())).map(Object::<Kernel>::new)?;
    let run = kernel.get();
    let (one, six, four, zero) = (1usize, 6usize, 4usize, 0usize);
    wrong!(
        codes,
        "arguments are not set",
        CL_INVALID_KERNEL_ARGS,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            none.cast()
        )
    );
    wrong!(
        codes,
        "arguments are not set",
        CL_INVALID_KERNEL_ARGS,
        clEnqueueTask(queue, run, 0, null(), none.cast())
    );
    let buffer = calls::buffer(context, CL_MEM_READ_WRITE, &[0; 4])?;
    let memory = buffer.get();
    ok!(clSetKernelArg(
        run,
        0,
        size_of::<cl_mem>(),
        (&raw const memory).cast()
    ))?;
    wrong!(
        codes,
        "the queue is null",
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueNDRangeKernel(
            none,
            run,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            none.cast()
        )
    );
    wrong!(
        codes,
        "the kernel is null",
        CL_INVALID_KERNEL,
        clEnqueueNDRangeKernel(
            queue,
            none,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            none.cast()
        )
    );
    let sizes = [1usize; 8];
    for dimensions in [0, 4, 7] {
        wrong!(
            codes,
            "dimensions",
            CL_INVALID_WORK_DIMENSION,
            clEnqueueNDRangeKernel(
                queue,
                run,
                dimensions,
                null(),
                sizes.as_ptr(),
                null(),
                0,
                null(),
                none.cast()
            )
        );
    }
    wrong!(
        codes,
        "a local size that does not divide the global one",
        CL_INVALID_WORK_GROUP_SIZE,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const six,
            &raw const four,
            0,
            null(),
            none.cast()
        )
    );
    // Version 2.1 gives them a meaning.
    let version = session.device.version()?;
    let before_2_1 = version.starts_with("OpenCL 1.") || version.starts_with("OpenCL 2.0");
    if before_2_1 {
        wrong!(
            codes,
            "no global size",
            CL_INVALID_GLOBAL_WORK_SIZE,
            clEnqueueNDRangeKernel(
                queue,
                run,
                1,
                null(),
                null(),
                null(),
                0,
                null(),
                none.cast()
            )
        );
        wrong!(
            codes,
            "a global size of 0",
            CL_INVALID_GLOBAL_WORK_SIZE,
            clEnqueueNDRangeKernel(
                queue,
                run,
                1,
                null(),
                &raw const zero,
                null(),
                0,
                null(),
                none.cast()
            )
        );
    }
    let user = user_event(context)?;
    let (event, missing) = (user.get(), null_mut());
    wrong!(
        codes,
        "an event, but no list",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const one,
            null(),
            1,
            null(),
            none.cast()
        )
    );
    wrong!(
        codes,
        "a list of no events",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const one,
            null(),
            0,
            &raw const event,
            none.cast()
        )
    );
    wrong!(
        codes,
        "an event in the list is null",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const one,
            null(),
            1,
            &raw const missing,
            none.cast()
        )
    );
    let other = other_context(session)?;
    let elsewhere = user_event(other.get())?;
    wrong!(
        codes,
        "an event of another context",
        CL_INVALID_CONTEXT,
        clEnqueueNDRangeKernel(
            queue,
            run,
            1,
            null(),
            &raw const one,
            null(),
            1,
            &elsewhere.get(),
            none.cast()
        )
    );
    let foreign = made!(clCreateCommandQueue(other.get(), session.device.id(), 0))
        .map(Object::<harness::object::Queue>::new)?;
    wrong!(
        codes,
        "the queue is of another context",
        CL_INVALID_CONTEXT,
        clEnqueueNDRangeKernel(
            foreign.get(),
            run,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            none.cast()
        )
    );

    let source = "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fixed(void) {}\n";
    session.show_source(source)?;
    let fixed = calls::program(context, source)?;
    calls::is(
        "clBuildProgram",
        calls::build(session, fixed.get(), "")?,
        CL_SUCCESS,
    )?;
    let fixed = made!(clCreateKernel(fixed.get(), c"fixed".as_ptr())).map(Object::<Kernel>::new)?;
    let (eight, two) = (8usize, 2usize);
    wrong!(
        codes,
        "another local size than the kernel requires",
        CL_INVALID_WORK_GROUP_SIZE,
        clEnqueueNDRangeKernel(
            queue,
            fixed.get(),
            1,
            null(),
            &raw const eight,
            &raw const two,
            0,
            null(),
            none.cast()
        )
    );
    ok!(clFinish(queue))?;
    codes.result()
}

/// A buffer of 64 bytes with these flags.
fn buffer(session: &Session, flags: cl_bitfield) -> Result<Object<Memory>> {
    calls::buffer(session.context.get(), flags, &[0; 64])
}

/// Reading, writing, copying, filling, mapping, migrating.
pub fn buffers(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    let none: *mut c_void = null_mut();
    let event = null_mut();
    let (first, second) = (
        buffer(session, CL_MEM_READ_WRITE)?,
        buffer(session, CL_MEM_READ_WRITE)?,
    );
    let (a, b) = (first.get(), second.get());
    let mut bytes = [0u8; 64];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    let list = null();
    for (offset, size) in [(64, 1), (0, 65), (1, 64), (usize::MAX, 2)] {
        wrong!(
            codes,
            "beyond the end",
            CL_INVALID_VALUE,
            clEnqueueReadBuffer(queue, a, CL_TRUE, offset, size, host, 0, list, event)
        );
        wrong!(
            codes,
            "beyond the end",
            CL_INVALID_VALUE,
            clEnqueueWriteBuffer(queue, a, CL_TRUE, offset, size, host, 0, list, event)
        );
        wrong!(
            codes,
            "from beyond the end",
            CL_INVALID_VALUE,
            clEnqueueCopyBuffer(queue, a, b, offset, 0, size, 0, list, event)
        );
        wrong!(
            codes,
            "to beyond the end",
            CL_INVALID_VALUE,
            clEnqueueCopyBuffer(queue, a, b, 0, offset, size, 0, list, event)
        );
        wrong!(
            codes,
            "beyond the end",
            CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue, a, host, 1, offset, size, 0, list, event)
        );
        not_made!(
            codes,
            "beyond the end",
            CL_INVALID_VALUE,
            clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, offset, size, 0, list, event)
        );
    }
    wrong!(
        codes,
        "to nowhere",
        CL_INVALID_VALUE,
        clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 64, none, 0, list, event)
    );
    wrong!(
        codes,
        "from nowhere",
        CL_INVALID_VALUE,
        clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 64, none, 0, list, event)
    );
    wrong!(
        codes,
        "the queue is null",
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueReadBuffer(none, a, CL_TRUE, 0, 64, host, 0, list, event)
    );
    wrong!(
        codes,
        "the buffer is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueReadBuffer(queue, none, CL_TRUE, 0, 64, host, 0, list, event)
    );
    wrong!(
        codes,
        "the buffer is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueWriteBuffer(queue, none, CL_TRUE, 0, 64, host, 0, list, event)
    );
    wrong!(
        codes,
        "the destination is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBuffer(queue, a, none, 0, 0, 64, 0, list, event)
    );
    wrong!(
        codes,
        "an event, but no list",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 64, host, 1, list, event)
    );
    wrong!(
        codes,
        "an event, but no list",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueMarkerWithWaitList(queue, 1, list, event)
    );
    wrong!(
        codes,
        "an event, but no list",
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueBarrierWithWaitList(queue, 1, list, event)
    );
    let other = other_context(session)?;
    let foreign = calls::buffer(other.get(), CL_MEM_READ_WRITE, &[0; 64])?;
    wrong!(
        codes,
        "a buffer of another context",
        CL_INVALID_CONTEXT,
        clEnqueueReadBuffer(queue, foreign.get(), CL_TRUE, 0, 64, host, 0, list, event)
    );
    wrong!(
        codes,
        "a buffer of another context",
        CL_INVALID_CONTEXT,
        clEnqueueCopyBuffer(queue, a, foreign.get(), 0, 0, 64, 0, list, event)
    );
    let unread = buffer(session, CL_MEM_HOST_WRITE_ONLY)?;
    let unwritten = buffer(session, CL_MEM_HOST_READ_ONLY)?;
    wrong!(
        codes,
        "what the host only writes",
        CL_INVALID_OPERATION,
        clEnqueueReadBuffer(queue, unread.get(), CL_TRUE, 0, 64, host, 0, list, event)
    );
    wrong!(
        codes,
        "what the host only reads",
        CL_INVALID_OPERATION,
        clEnqueueWriteBuffer(queue, unwritten.get(), CL_TRUE, 0, 64, host, 0, list, event)
    );
    not_made!(
        codes,
        "what the host only reads, to write",
        CL_INVALID_OPERATION,
        clEnqueueMapBuffer(
            queue,
            unwritten.get(),
            CL_TRUE,
            CL_MAP_WRITE,
            0,
            64,
            0,
            list,
            event
        )
    );
    wrong!(
        codes,
        "onto itself",
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBuffer(queue, a, a, 0, 8, 16, 0, list, event)
    );
    for size in [0, 3, 5, 256] {
        wrong!(
            codes,
            "a pattern of a wrong size",
            CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue, a, host, size, 0, 0, 0, list, event)
        );
    }
    wrong!(
        codes,
        "no pattern",
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(queue, a, null(), 4, 0, 64, 0, list, event)
    );
    wrong!(
        codes,
        "an offset that is no multiple of the pattern",
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(queue, a, host, 4, 2, 8, 0, list, event)
    );
    wrong!(
        codes,
        "a size that is no multiple of the pattern",
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(queue, a, host, 4, 0, 6, 0, list, event)
    );

    let origin = [0usize; 3];
    let at = origin.as_ptr();
    for (region, row, slice) in [
        // Nothing along an axis; too long; pitches below what rows and slices need.
        ([0usize, 1, 1], 0, 0),
        ([8, 0, 1], 0, 0),
        ([8, 1, 0], 0, 0),
        ([8, 9, 1], 0, 0),
        ([8, 2, 1], 7, 0),
        ([8, 2, 2], 8, 15),
        ([4, 2, 2], 8, 20),
    ] {
        let region = region.as_ptr();
        wrong!(
            codes,
            "a wrong region or pitch",
            CL_INVALID_VALUE,
            clEnqueueReadBufferRect(
                queue, a, CL_TRUE, at, at, region, row, slice, 0, 0, host, 0, list, event
            )
        );
        wrong!(
            codes,
            "a wrong region or pitch",
            CL_INVALID_VALUE,
            clEnqueueWriteBufferRect(
                queue, a, CL_TRUE, at, at, region, row, slice, 0, 0, host, 0, list, event
            )
        );
        wrong!(
            codes,
            "a wrong region or pitch",
            CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(
                queue, a, b, at, at, region, row, slice, 0, 0, 0, list, event
            )
        );
    }
    let (region, near) = ([8usize, 2, 1], [4usize, 1, 0]);
    wrong!(
        codes,
        "onto itself",
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBufferRect(
            queue,
            a,
            a,
            at,
            near.as_ptr(),
            region.as_ptr(),
            16,
            0,
            16,
            0,
            0,
            list,
            event
        )
    );

    not_made!(
        codes,
        "unknown flags",
        CL_INVALID_VALUE,
        clEnqueueMapBuffer(queue, a, CL_TRUE, 1 << 20, 0, 64, 0, list, event)
    );
    not_made!(
        codes,
        "overwritten and read",
        CL_INVALID_VALUE,
        clEnqueueMapBuffer(
            queue,
            a,
            CL_TRUE,
            CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION,
            0,
            64,
            0,
            list,
            event
        )
    );
    not_made!(
        codes,
        "the buffer is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueMapBuffer(queue, none, CL_TRUE, CL_MAP_READ, 0, 64, 0, list, event)
    );
    wrong!(
        codes,
        "what is not mapped",
        CL_INVALID_VALUE,
        clEnqueueUnmapMemObject(queue, a, host, 0, list, event)
    );
    wrong!(
        codes,
        "no objects",
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(queue, 0, &raw const a, 0, 0, list, event)
    );
    wrong!(
        codes,
        "objects are null",
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(queue, 1, null(), 0, 0, list, event)
    );
    wrong!(
        codes,
        "unknown flags",
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(queue, 1, &raw const a, 1 << 20, 0, list, event)
    );
    ok!(clFinish(queue))?;
    codes.result()
}

fn image(session: &Session, data_type: cl_uint) -> Result<Object<Memory>> {
    let mut format = cl_image_format {
        image_channel_order: CL_RGBA,
        image_channel_data_type: data_type,
    };
    made!(clCreateImage2D(
        session.context.get(),
        CL_MEM_READ_WRITE,
        &raw mut format,
        8,
        4,
        0,
        null_mut()
    ))
    .map(Object::new)
}

/// Reading, writing, copying, filling, mapping.
pub fn images(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    let none: *mut c_void = null_mut();
    let event = null_mut();
    let list = null();
    let (first, second) = (
        image(session, CL_UNSIGNED_INT8)?,
        image(session, CL_UNSIGNED_INT8)?,
    );
    let floats = image(session, CL_FLOAT)?;
    let (a, b) = (first.get(), second.get());
    let small = buffer(session, CL_MEM_READ_WRITE)?;
    let mut bytes = [0u8; 4096];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    let (start, all) = ([0usize; 3], [8usize, 4, 1]);
    let (zero, whole) = (start.as_ptr(), all.as_ptr());
    for (origin, region) in [
        ([0usize, 0, 0], [9usize, 4, 1]),
        ([0, 0, 0], [8, 5, 1]),
        ([1, 0, 0], [8, 4, 1]),
        ([0, 3, 0], [8, 2, 1]),
        ([0, 0, 1], [8, 4, 1]),
        ([0, 0, 0], [8, 4, 2]),
        ([0, 0, 0], [0, 4, 1]),
        ([0, 0, 0], [8, 4, 0]),
    ] {
        let (origin, region) = (origin.as_ptr(), region.as_ptr());
        wrong!(
            codes,
            "a region that is not there",
            CL_INVALID_VALUE,
            clEnqueueReadImage(
                queue, a, CL_TRUE, origin, region, 0, 0, host, 0, list, event
            )
        );
        wrong!(
            codes,
            "a region that is not there",
            CL_INVALID_VALUE,
            clEnqueueWriteImage(
                queue, a, CL_TRUE, origin, region, 0, 0, host, 0, list, event
            )
        );
        wrong!(
            codes,
            "a region that is not there",
            CL_INVALID_VALUE,
            clEnqueueCopyImage(queue, a, b, origin, zero, region, 0, list, event)
        );
        wrong!(
            codes,
            "a region that is not there",
            CL_INVALID_VALUE,
            clEnqueueFillImage(queue, a, host, origin, region, 0, list, event)
        );
        let mut row = 0;
        let mut code = -12345;
        let mapped = code!(clEnqueueMapImage(
            queue,
            a,
            CL_TRUE,
            CL_MAP_READ,
            origin,
            region,
            &raw mut row,
            none.cast(),
            0,
            list,
            event,
            &raw mut code
        ));
        codes.check(
            "clEnqueueMapImage",
            "a region that is not there",
            code,
            CL_INVALID_VALUE,
        );
        codes.check_none(
            "clEnqueueMapImage",
            "a region that is not there",
            mapped.is_null(),
        );
    }
    wrong!(
        codes,
        "a row pitch below a row",
        CL_INVALID_VALUE,
        clEnqueueReadImage(queue, a, CL_TRUE, zero, whole, 31, 0, host, 0, list, event)
    );
    wrong!(
        codes,
        "a row pitch below a row",
        CL_INVALID_VALUE,
        clEnqueueWriteImage(queue, a, CL_TRUE, zero, whole, 31, 0, host, 0, list, event)
    );
    wrong!(
        codes,
        "to nowhere",
        CL_INVALID_VALUE,
        clEnqueueReadImage(queue, a, CL_TRUE, zero, whole, 0, 0, none, 0, list, event)
    );
    wrong!(
        codes,
        "from nowhere",
        CL_INVALID_VALUE,
        clEnqueueWriteImage(queue, a, CL_TRUE, zero, whole, 0, 0, none, 0, list, event)
    );
    wrong!(
        codes,
        "no colour",
        CL_INVALID_VALUE,
        clEnqueueFillImage(queue, a, null(), zero, whole, 0, list, event)
    );
    wrong!(
        codes,
        "the image is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueReadImage(
            queue, none, CL_TRUE, zero, whole, 0, 0, host, 0, list, event
        )
    );
    wrong!(
        codes,
        "formats that differ",
        CL_IMAGE_FORMAT_MISMATCH,
        clEnqueueCopyImage(queue, a, floats.get(), zero, zero, whole, 0, list, event)
    );
    let (near, half) = ([1usize, 1, 0], [4usize, 2, 1]);
    wrong!(
        codes,
        "onto itself",
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyImage(
            queue,
            a,
            a,
            zero,
            near.as_ptr(),
            half.as_ptr(),
            0,
            list,
            event
        )
    );
    wrong!(
        codes,
        "more than the buffer has",
        CL_INVALID_VALUE,
        clEnqueueCopyImageToBuffer(queue, a, small.get(), zero, whole, 0, 0, list, event)
    );
    wrong!(
        codes,
        "more than the buffer has",
        CL_INVALID_VALUE,
        clEnqueueCopyBufferToImage(queue, small.get(), a, 0, zero, whole, 0, list, event)
    );
    wrong!(
        codes,
        "the buffer is null",
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer(queue, a, none, zero, half.as_ptr(), 0, 0, list, event)
    );
    ok!(clFinish(queue))?;
    codes.result()
}
