//! Invalid calls. Each case is about one kind of error, so that a platform that misses it fails one
//! case only.

use super::calls::{self, is, not_made, refused, user_event};
use super::events::{ADD, Work};
use super::images;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{code, made, ok};
use harness::object::{Context, Kernel, Memory, Object, Sampler};
use harness::session::Session;
use opencl3::error_codes::ClError;
use std::ptr::{null, null_mut};

const PLAIN: &str = "kernel void test(global int *out) { *out = 42; }\n";

/// `num_events_in_wait_list` and `event_wait_list` of all kinds of commands (5.8 and others): a
/// number without list, a list without number, a list with a null event, an event of another
/// context.
pub fn wait_lists(session: &Session) -> Result<()> {
    let context = session.context.get();
    let work = Work::new(session, context, ADD, 2)?;
    drop(work.act(0, &[])?);
    let (queue, numbers, kernel) = (work.queue.get(), work.numbers.get(), work.kernel.get());
    let device = session.device.id();
    let other: Object<Context> = made!(clCreateContext(
        null(),
        1,
        &raw const device,
        None,
        null_mut()
    ))
    .map(Object::new)?;
    let (user, foreign) = (user_event(context)?, user_event(other.get())?);
    ok!(clSetUserEventStatus(user.get(), CL_COMPLETE))?;
    ok!(clSetUserEventStatus(foreign.get(), CL_COMPLETE))?;
    let (mut bytes, one) = ([0u8; 4], 1usize);
    let to = bytes.as_mut_ptr().cast();
    for command in [
        "clEnqueueReadBuffer",
        "clEnqueueWriteBuffer",
        "clEnqueueCopyBuffer",
        "clEnqueueFillBuffer",
        "clEnqueueMarkerWithWaitList",
        "clEnqueueBarrierWithWaitList",
        "clEnqueueTask",
        "clEnqueueNDRangeKernel",
    ] {
        let enqueue = |count: cl_uint, list: *const cl_event| {
            let event = null_mut();
            match command {
                "clEnqueueReadBuffer" => code!(clEnqueueReadBuffer(
                    queue, numbers, CL_TRUE, 0, 4, to, count, list, event
                )),
                "clEnqueueWriteBuffer" => code!(clEnqueueWriteBuffer(
                    queue, numbers, CL_TRUE, 0, 4, to, count, list, event
                )),
                "clEnqueueCopyBuffer" => code!(clEnqueueCopyBuffer(
                    queue, numbers, numbers, 0, 4, 4, count, list, event
                )),
                "clEnqueueFillBuffer" => code!(clEnqueueFillBuffer(
                    queue, numbers, to, 4, 0, 4, count, list, event
                )),
                "clEnqueueMarkerWithWaitList" => {
                    code!(clEnqueueMarkerWithWaitList(queue, count, list, event))
                }
                "clEnqueueBarrierWithWaitList" => {
                    code!(clEnqueueBarrierWithWaitList(queue, count, list, event))
                }
                "clEnqueueTask" => code!(clEnqueueTask(queue, kernel, count, list, event)),
                _ => code!(clEnqueueNDRangeKernel(
                    queue,
                    kernel,
                    1,
                    null(),
                    &raw const one,
                    null(),
                    count,
                    list,
                    event
                )),
            }
        };
        let wrong = CL_INVALID_EVENT_WAIT_LIST;
        is(command, enqueue(1, &user.get()), CL_SUCCESS)?;
        let with = |what: &str| format!("with {what}");
        is(command, enqueue(0, &user.get()), wrong)
            .with_context(|| with("a list and no number"))?;
        is(command, enqueue(1, null()), wrong).with_context(|| with("a number and no list"))?;
        let list = [user.get(), null_mut()];
        is(command, enqueue(2, list.as_ptr()), wrong).with_context(|| with("a null event"))?;
        let list = [user.get(), foreign.get()];
        is(command, enqueue(2, list.as_ptr()), CL_INVALID_CONTEXT)
            .with_context(|| with("an event of another context"))?;
    }
    Ok(())
}

/// Offsets and sizes whose sum overflows to 0 are out of bounds.
pub fn overflowing_offsets(session: &Session) -> Result<()> {
    const MAX: usize = usize::MAX;
    let context = session.context.get();
    let queue = calls::queue(session, 0)?;
    let queue = queue.get();
    let [first, second] = [0u8; 2].map(|_| calls::buffer(context, CL_MEM_READ_WRITE, &[7; 64]));
    let (first, second) = (first?, second?);
    let (memory, other) = (first.get(), second.get());
    // The size that a faulty platform may transfer.
    let mut bytes = [0u8; 64];
    let byte = bytes.as_mut_ptr().cast();
    let (none, event) = (null(), null_mut());
    for (offset, size) in [(MAX, 1), (MAX - 3, 4), (MAX - 3, 8), (MAX - 63, 64)] {
        let codes = [
            code!(clEnqueueReadBuffer(
                queue, memory, CL_TRUE, offset, size, byte, 0, none, event
            )),
            code!(clEnqueueWriteBuffer(
                queue, memory, CL_TRUE, offset, size, byte, 0, none, event
            )),
            code!(clEnqueueCopyBuffer(
                queue, memory, other, offset, 0, size, 0, none, event
            )),
            code!(clEnqueueCopyBuffer(
                queue, memory, other, 0, offset, size, 0, none, event
            )),
        ];
        for (function, code) in ["Read", "Write", "Copy from", "Copy to"].iter().zip(codes) {
            is(function, code, CL_INVALID_VALUE)
                .with_context(|| format!("offset {offset:#x}, size {size}"))?;
        }
        let mut code = 0;
        let mapped = code!(clEnqueueMapBuffer(
            queue,
            memory,
            CL_TRUE,
            CL_MAP_READ,
            offset,
            size,
            0,
            none,
            event,
            &raw mut code
        ));
        is("clEnqueueMapBuffer", code, CL_INVALID_VALUE)
            .with_context(|| format!("offset {offset:#x}, size {size}"))?;
        ensure!(mapped.is_null(), "clEnqueueMapBuffer failed and mapped");
    }
    let offset = MAX - 3;
    refused!(
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(queue, memory, byte, 4, offset, 4, 0, none, event)
    )
}

/// Section 5.8: global ids must fit into `size_t`.
pub fn global_offset(session: &Session) -> Result<()> {
    let work = Work::new(session, session.context.get(), ADD, 1)?;
    drop(work.act(0, &[])?);
    for (offset, size) in [(usize::MAX, 1), (usize::MAX - 2, 4)] {
        for axis in 0..3 {
            let (mut offsets, mut sizes) = ([0usize; 3], [1usize; 3]);
            (offsets[axis], sizes[axis]) = (offset, size);
            refused!(
                CL_INVALID_GLOBAL_OFFSET,
                clEnqueueNDRangeKernel(
                    work.queue.get(),
                    work.kernel.get(),
                    3,
                    offsets.as_ptr(),
                    sizes.as_ptr(),
                    null(),
                    0,
                    null(),
                    null_mut()
                )
            )?;
        }
    }
    Ok(())
}

/// `clSetKernelArg` with wrong sizes (5.7.2) of a number, a struct and a buffer.
pub fn argument_size(session: &Session) -> Result<()> {
    let source = "struct pair { int first; long second; };\n\
        kernel void test(short number, struct pair pair, global int *buffer) {\n\
        *buffer = number + pair.first; }\n";
    let program = calls::program(session.context.get(), source)?;
    is(
        "clBuildProgram",
        calls::build(session, program.get(), "")?,
        CL_SUCCESS,
    )?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), c"test".as_ptr())).map(Object::new)?;
    let bytes = [0u64; 8];
    for (index, sizes) in [(0, [0, 1, 4]), (1, [12, 15, 24]), (2, [1, 4, 16])] {
        for size in sizes {
            refused!(
                CL_INVALID_ARG_SIZE,
                clSetKernelArg(kernel.get(), index, size, bytes.as_ptr().cast())
            )?;
        }
    }
    Ok(())
}

/// `clGetKernelArgInfo` with an argument index that the kernel does not have (5.7.3).
pub fn argument_index(session: &Session) -> Result<()> {
    let program = calls::program(session.context.get(), PLAIN)?;
    is(
        "clBuildProgram",
        calls::build(session, program.get(), "-cl-kernel-arg-info")?,
        CL_SUCCESS,
    )?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), c"test".as_ptr())).map(Object::new)?;
    for index in [1, cl_uint::MAX] {
        refused!(
            CL_INVALID_ARG_INDEX,
            clGetKernelArgInfo(
                kernel.get(),
                index,
                CL_KERNEL_ARG_NAME,
                0,
                null_mut(),
                null_mut()
            )
        )?;
    }
    Ok(())
}

/// A list of image formats without entries, one for images that are both read-only and write-only
/// (5.3.2), and an image with an invalid channel order (5.3.1).
pub fn image_formats(session: &Session) -> Result<()> {
    let context = session.context.get();
    let mut format = [0u32; 2];
    let image_type = CL_MEM_OBJECT_IMAGE2D;
    refused!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(
            context,
            CL_MEM_READ_ONLY,
            image_type,
            0,
            format.as_mut_ptr().cast(),
            null_mut()
        )
    )?;
    let flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    refused!(
        CL_INVALID_VALUE,
        clGetSupportedImageFormats(context, flags, image_type, 0, null_mut(), &mut 0)
    )?;
    let none = cl_image_format {
        image_channel_order: 0x7777,
        image_channel_data_type: CL_FLOAT,
    };
    let description = images::description(image_type, [4, 4, 1]);
    not_made!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage(
            context,
            CL_MEM_READ_WRITE,
            &raw const none,
            &raw const description,
            null_mut()
        )
    )
}

/// Copies between buffers and regions of images that are partly outside, along each axis.
pub fn image_regions(session: &Session) -> Result<()> {
    const SIZE: [usize; 3] = [8, 6, 4];
    const REGION: [usize; 3] = [3, 3, 3];
    let queue = calls::queue(session, 0)?;
    let format = (CL_RGBA, CL_UNSIGNED_INT8);
    let image: Object<Memory> = images::image(session, format, CL_MEM_OBJECT_IMAGE3D, SIZE)?;
    let bytes = vec![0; SIZE.iter().product::<usize>() * 4];
    let buffer = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &bytes)?;
    for axis in 0..3 {
        let mut origin = [0usize; 3];
        origin[axis] = SIZE[axis] - REGION[axis] + 1;
        refused!(
            CL_INVALID_VALUE,
            clEnqueueCopyBufferToImage(
                queue.get(),
                buffer.get(),
                image.get(),
                0,
                origin.as_ptr(),
                REGION.as_ptr(),
                0,
                null(),
                null_mut()
            )
        )?;
        refused!(
            CL_INVALID_VALUE,
            clEnqueueCopyImageToBuffer(
                queue.get(),
                image.get(),
                buffer.get(),
                origin.as_ptr(),
                REGION.as_ptr(),
                0,
                0,
                null(),
                null_mut()
            )
        )?;
    }
    Ok(())
}

/// Partitions that are larger than the device; lists that are too short for the sub-devices (4.3).
pub fn sub_devices(session: &Session) -> Result<()> {
    let device = session.device.id();
    let units = session.device.max_compute_units()? as isize;
    let equally = CL_DEVICE_PARTITION_EQUALLY as cl_device_partition_property;
    let too_large = [equally, units + 1, 0];
    let code = code!(clCreateSubDevices(
        device,
        too_large.as_ptr(),
        0,
        null_mut(),
        &mut 0
    ));
    // The properties are unsupported, the device cannot be partitioned so, or there are too few
    // compute units: all three codes are right.
    let fitting = [
        CL_INVALID_VALUE,
        CL_DEVICE_PARTITION_FAILED,
        CL_INVALID_DEVICE_PARTITION_COUNT,
    ];
    ensure!(
        fitting.contains(&code),
        "parts larger than the device: {}, expected CL_INVALID_VALUE, \
         CL_DEVICE_PARTITION_FAILED or CL_INVALID_DEVICE_PARTITION_COUNT",
        ClError(code)
    );
    let (ones, mut room) = ([equally, 1, 0], [null_mut(); 1]);
    refused!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, ones.as_ptr(), 1, room.as_mut_ptr(), null_mut())
    )
}

/// A part with all compute units, which could not be partitioned further (unified specification,
/// "Partitioning a Device").
pub fn whole_device(session: &Session) -> Result<()> {
    let device = session.device.id();
    let units = session.device.max_compute_units()? as isize;
    let equally = CL_DEVICE_PARTITION_EQUALLY as cl_device_partition_property;
    let (whole, mut part) = ([equally, units, 0], null_mut());
    refused!(
        CL_DEVICE_PARTITION_FAILED,
        clCreateSubDevices(device, whole.as_ptr(), 1, &raw mut part, null_mut())
    )
}

/// Values for images, buffers and samplers that are objects of another kind, or null. The code
/// names the kind that the kernel declares (unified specification, `clSetKernelArg`).
pub fn argument_objects(session: &Session) -> Result<()> {
    const SOURCE: &str = "kernel void test(read_only image2d_t image, sampler_t sampler,\n\
        \x20               global uint4 *out)\n\
        {\n    *out = read_imageui(image, sampler, (int2)(0, 0));\n}\n";
    session.show_source(SOURCE)?;
    let context = session.context.get();
    let program = calls::program(context, SOURCE)?;
    let built = calls::build(session, program.get(), "")?;
    is("clBuildProgram", built, CL_SUCCESS)?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), c"test".as_ptr())).map(Object::new)?;
    let buffer: Object<Memory> = calls::buffer(context, CL_MEM_READ_WRITE, &[0; 64])?;
    let format = (CL_RGBA, CL_UNSIGNED_INT8);
    let image: Object<Memory> = images::image(session, format, CL_MEM_OBJECT_IMAGE2D, [4, 4, 1])?;
    let sampler: Object<Sampler> = made!(clCreateSampler(
        context,
        CL_FALSE,
        CL_ADDRESS_CLAMP,
        CL_FILTER_NEAREST
    ))
    .map(Object::new)?;
    let kernel = kernel.get();
    let set = |index: cl_uint, handle: *mut std::ffi::c_void, expected| {
        let size = size_of::<cl_mem>();
        let value = (&raw const handle).cast();
        refused!(expected, clSetKernelArg(kernel, index, size, value))
            .with_context(|| format!("argument {index}"))
    };
    for (index, good) in [image.get(), sampler.get(), buffer.get()]
        .into_iter()
        .enumerate()
    {
        set(index as cl_uint, good, CL_SUCCESS)?;
    }
    set(0, buffer.get(), CL_INVALID_MEM_OBJECT).context("a buffer for an image")?;
    set(0, null_mut(), CL_INVALID_MEM_OBJECT).context("a null image")?;
    set(2, image.get(), CL_INVALID_MEM_OBJECT).context("an image for a buffer")?;
    set(1, null_mut(), CL_INVALID_SAMPLER).context("a null sampler")?;
    refused!(
        CL_INVALID_SAMPLER,
        clSetKernelArg(kernel, 1, size_of::<cl_sampler>(), null())
    )
    .context("no value for a sampler")
}

/// Inconsistent arguments of `clBuildProgram` (5.6.2).
pub fn build_arguments(session: &Session) -> Result<()> {
    let program = calls::program(session.context.get(), PLAIN)?;
    let device = session.device.id();
    let (program, devices) = (program.get(), [device, null_mut()]);
    refused!(
        CL_INVALID_PROGRAM,
        clBuildProgram(null_mut(), 0, null(), null(), None, null_mut())
    )?;
    // A list without length, and a length without list; user data without callback.
    refused!(
        CL_INVALID_VALUE,
        clBuildProgram(program, 0, &raw const device, null(), None, null_mut())
    )?;
    refused!(
        CL_INVALID_VALUE,
        clBuildProgram(program, 1, null(), null(), None, null_mut())
    )?;
    let mut data = 0u8;
    refused!(
        CL_INVALID_VALUE,
        clBuildProgram(program, 0, null(), null(), None, (&raw mut data).cast())
    )?;
    // A program with kernels cannot be built.
    ok!(clBuildProgram(program, 0, null(), null(), None, null_mut()))?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program, c"test".as_ptr())).map(Object::new)?;
    refused!(
        CL_INVALID_OPERATION,
        clBuildProgram(program, 0, null(), null(), None, null_mut())
    )?;
    drop(kernel);
    ok!(clBuildProgram(program, 0, null(), null(), None, null_mut()))?;
    refused!(
        CL_INVALID_DEVICE,
        clBuildProgram(program, 2, devices.as_ptr(), null(), None, null_mut())
    )
}
