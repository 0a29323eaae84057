//! Kernel objects: created by name and all at once, queries of their arguments, and native
//! kernels.

use super::calls::{self, answer, not_made, number, program, refused, text};
use super::commands;
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Event, Kernel, Memory, Object, Program, Queue};
use harness::session::Session;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

fn built(session: &Session, source: &str, options: &str) -> Result<Object<Program>> {
    calls::built(session, session.context.get(), source, options)
}

/// Kernels by name, by unknown names, and by names of other functions.
pub fn by_name(session: &Session) -> Result<()> {
    let source = "int three(void) { return 3; }\n\
        kernel void one(global int *out, int more, local float *unused) { *out = 1 + more; }\n\
        kernel void two(global int *out) { *out = three() - 1; }\n";
    let unbuilt = program(session.context.get(), source)?;
    not_made!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(unbuilt.get(), c"one".as_ptr())
    )?;
    let program = built(session, source, "")?;
    for (name, arguments) in [(c"one", 3u32), (c"two", 1)] {
        let kernel: Object<Kernel> =
            made!(clCreateKernel(program.get(), name.as_ptr())).map(Object::new)?;
        calls::is_kernel(&kernel, name.to_str()?, &program)?;
        let got: u32 = number(answer!(clGetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS))?)?;
        equal("CL_KERNEL_NUM_ARGS", &[got], &[arguments])?;
        let got: usize = number(answer!(clGetKernelInfo(kernel.get(), CL_KERNEL_CONTEXT))?)?;
        equal(
            "CL_KERNEL_CONTEXT",
            &[got],
            &[session.context.get() as usize],
        )?;
        kernel.count_up_and_down(3, true)?;
        let mut byte = 0u8;
        refused!(
            CL_INVALID_VALUE,
            clGetKernelInfo(
                kernel.get(),
                CL_KERNEL_NUM_ARGS,
                1,
                (&raw mut byte).cast(),
                null_mut()
            )
        )?;
        refused!(
            CL_INVALID_VALUE,
            clGetKernelInfo(kernel.get(), 0, 0, null_mut(), null_mut())
        )?;
    }
    for name in [c"three", c"four", c"", c"one ", c"on", c"One"] {
        not_made!(
            CL_INVALID_KERNEL_NAME,
            clCreateKernel(program.get(), name.as_ptr())
        )?;
    }
    not_made!(CL_INVALID_VALUE, clCreateKernel(program.get(), null()))?;
    not_made!(
        CL_INVALID_PROGRAM,
        clCreateKernel(null_mut(), c"one".as_ptr())
    )?;
    // A kernel outlives the last reference to its program.
    let kernel = made!(clCreateKernel(program.get(), c"one".as_ptr()))?;
    drop(program);
    let there = session.buffer(&[0])?;
    let kernel = opencl3::kernel::Kernel::new(kernel);
    let local = harness::session::Local::<f32>::new(1);
    session.run(&kernel, &[1], &[1], &[&there, &41, &local])?;
    equal("after the program's release", &session.read(&there)?, &[42])
}

/// All kernels of a program, and none of its other functions. Each prints its word.
pub fn all_of_program(session: &Session) -> Result<()> {
    let source = "void word(int first) { printf(first ? \"Hello\\n\" : \"World\\n\"); }\n\
        kernel void hello(void) { word(1); }\n\
        int no_kernel(int x) { return x + 1; }\n\
        kernel void world(global int *out) { word(0); *out = no_kernel(*out); }\n";
    let unbuilt = program(session.context.get(), source)?;
    let mut count = 77;
    refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernelsInProgram(unbuilt.get(), 0, null_mut(), &raw mut count)
    )?;
    let program = built(session, source, "")?;
    ok!(clCreateKernelsInProgram(
        program.get(),
        0,
        null_mut(),
        &raw mut count
    ))?;
    equal("kernels", &[count], &[2])?;
    let mut handles = [null_mut(); 3];
    refused!(
        CL_INVALID_VALUE,
        clCreateKernelsInProgram(program.get(), 1, handles.as_mut_ptr(), null_mut())
    )?;
    refused!(
        CL_INVALID_PROGRAM,
        clCreateKernelsInProgram(null_mut(), 3, handles.as_mut_ptr(), null_mut())
    )?;
    // The list has more entries than there are kernels.
    ok!(clCreateKernelsInProgram(
        program.get(),
        3,
        handles.as_mut_ptr(),
        &raw mut count
    ))?;
    equal("kernels", &[count], &[2])?;
    ensure!(handles[2].is_null(), "a third kernel of two");
    let mut kernels = Vec::new();
    for handle in &handles[..2] {
        let name = text(answer!(clGetKernelInfo(*handle, CL_KERNEL_FUNCTION_NAME))?)?;
        kernels.push((name, opencl3::kernel::Kernel::new(*handle)));
    }
    kernels.sort_by(|a, b| a.0.cmp(&b.0));
    let names: Vec<&str> = kernels.iter().map(|kernel| kernel.0.as_str()).collect();
    equal("names", &names, &["hello", "world"])?;
    let there = session.buffer(&[7])?;
    session.run(&kernels[0].1, &[1], &[1], &[])?;
    session.queue.finish()?;
    session.run(&kernels[1].1, &[1], &[1], &[&there])?;
    equal("result", &session.read(&there)?, &[8])
}

/// Checks the output of the kernels of `all_of_program`.
pub fn hello_world(printed: &str) -> Result<()> {
    equal("printed", &[printed.trim_end()], &["Hello\nWorld"])
}

const OF_ARGUMENTS: &str = "kernel void test(global const float *restrict first,\n\
    local volatile int4 *second, constant uchar *third, const uint fourth, float8 fifth,\n\
    global void *sixth, global volatile unsigned long *restrict seventh, long eighth)\n\
    { }\n\
    kernel void other(global half *of_halves, uint2 vector) { }\n";

const OF_IMAGES: &str = "kernel void images(read_only image2d_t in, write_only image2d_t out,\n\
    image3d_t plain, sampler_t with, write_only image1d_buffer_t buffered,\n\
    read_only image2d_array_t layered) { }\n";

struct Parameter(&'static str, cl_uint, cl_uint, &'static str, cl_bitfield);

/// Address space, access, type, qualifiers and name of all kinds of arguments.
pub fn arguments(session: &Session) -> Result<()> {
    const NO: cl_uint = CL_KERNEL_ARG_ACCESS_NONE;
    const CONST: cl_bitfield = CL_KERNEL_ARG_TYPE_CONST;
    const RESTRICT: cl_bitfield = CL_KERNEL_ARG_TYPE_RESTRICT;
    const VOLATILE: cl_bitfield = CL_KERNEL_ARG_TYPE_VOLATILE;
    use {
        CL_KERNEL_ARG_ADDRESS_CONSTANT as CONSTANT, CL_KERNEL_ARG_ADDRESS_GLOBAL as GLOBAL,
        CL_KERNEL_ARG_ADDRESS_LOCAL as LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE as PRIVATE,
    };
    let (read, write) = (
        CL_KERNEL_ARG_ACCESS_READ_ONLY,
        CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
    );
    let program = built(session, OF_ARGUMENTS, "-cl-kernel-arg-info")?;
    let test = [
        Parameter("first", GLOBAL, NO, "float*", CONST | RESTRICT),
        Parameter("second", LOCAL, NO, "int4*", VOLATILE),
        Parameter("third", CONSTANT, NO, "uchar*", CONST),
        Parameter("fourth", PRIVATE, NO, "uint", 0),
        Parameter("fifth", PRIVATE, NO, "float8", 0),
        Parameter("sixth", GLOBAL, NO, "void*", 0),
        Parameter("seventh", GLOBAL, NO, "ulong*", VOLATILE | RESTRICT),
        Parameter("eighth", PRIVATE, NO, "long", 0),
    ];
    check_arguments(&program, c"test", &test)?;
    let other = [
        Parameter("of_halves", GLOBAL, NO, "half*", 0),
        Parameter("vector", PRIVATE, NO, "uint2", 0),
    ];
    check_arguments(&program, c"other", &other)?;
    if !session.has(harness::feature::Feature::Images)? {
        return Ok(());
    }
    let program = built(session, OF_IMAGES, "-cl-kernel-arg-info")?;
    let images = [
        Parameter("in", GLOBAL, read, "image2d_t", 0),
        Parameter("out", GLOBAL, write, "image2d_t", 0),
        // Section 6.6: the default is read-only.
        Parameter("plain", GLOBAL, read, "image3d_t", 0),
        Parameter("with", PRIVATE, NO, "sampler_t", 0),
        Parameter("buffered", GLOBAL, write, "image1d_buffer_t", 0),
        Parameter("layered", GLOBAL, read, "image2d_array_t", 0),
    ];
    check_arguments(&program, c"images", &images)
}

/// Compares what `clGetKernelArgInfo` returns for each argument with `expected`.
fn check_arguments(
    program: &Object<Program>,
    kernel: &std::ffi::CStr,
    expected: &[Parameter],
) -> Result<()> {
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), kernel.as_ptr())).map(Object::new)?;
    let kernel = kernel.get();
    for (index, Parameter(name, address, access, of_type, qualifiers)) in
        expected.iter().enumerate()
    {
        let index = index as cl_uint;
        let got = text(answer!(clGetKernelArgInfo(
            kernel,
            index,
            CL_KERNEL_ARG_NAME
        ))?)?;
        equal("CL_KERNEL_ARG_NAME", &[got.as_str()], &[*name])?;
        let what = |which| format!("{which} of {name}");
        let got: cl_uint = number(answer!(clGetKernelArgInfo(
            kernel,
            index,
            CL_KERNEL_ARG_ADDRESS_QUALIFIER
        ))?)?;
        equal(
            &what("CL_KERNEL_ARG_ADDRESS_QUALIFIER"),
            &[got],
            &[*address],
        )?;
        let got: cl_uint = number(answer!(clGetKernelArgInfo(
            kernel,
            index,
            CL_KERNEL_ARG_ACCESS_QUALIFIER
        ))?)?;
        equal(&what("CL_KERNEL_ARG_ACCESS_QUALIFIER"), &[got], &[*access])?;
        let got = text(answer!(clGetKernelArgInfo(
            kernel,
            index,
            CL_KERNEL_ARG_TYPE_NAME
        ))?)?;
        equal(
            &what("CL_KERNEL_ARG_TYPE_NAME"),
            &[got.as_str()],
            &[*of_type],
        )?;
        let got: cl_bitfield = number(answer!(clGetKernelArgInfo(
            kernel,
            index,
            CL_KERNEL_ARG_TYPE_QUALIFIER
        ))?)?;
        equal(
            &what("CL_KERNEL_ARG_TYPE_QUALIFIER"),
            &[got],
            &[*qualifiers],
        )?;
    }
    let mut room = [0u8; 1];
    refused!(
        CL_INVALID_VALUE,
        clGetKernelArgInfo(
            kernel,
            0,
            CL_KERNEL_ARG_NAME,
            1,
            room.as_mut_ptr().cast(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_VALUE,
        clGetKernelArgInfo(kernel, 0, 0, 0, null_mut(), null_mut())
    )
}

/// The arguments of `add_to_all`, which the platform copies.
#[repr(C)]
struct NativeArguments {
    add: i32,
    first: *mut c_void,
    count: usize,
    second: *mut c_void,
}

extern "C" fn add_to_all(arguments: *mut c_void) {
    // SAFETY: it is enqueued with such arguments, and buffers of `count` elements each.
    unsafe {
        let arguments = arguments.cast::<NativeArguments>().read_unaligned();
        for index in 0..arguments.count {
            let from = arguments.first.cast::<i32>().add(index).read_unaligned();
            let to = arguments.second.cast::<i32>().add(index);
            to.write_unaligned(from + arguments.add);
        }
    }
}

/// A native kernel with two buffers between kernels of the device.
pub fn native(session: &Session) -> Result<()> {
    const COUNT: usize = 1000;
    let queue = calls::queue(session, 0)?;
    let bytes: Vec<u8> = (0..COUNT as i32).flat_map(i32::to_ne_bytes).collect();
    let first = calls::buffer(session.context.get(), CL_MEM_READ_WRITE, &bytes)?;
    let second = calls::buffer(
        session.context.get(),
        CL_MEM_READ_WRITE,
        &vec![0; COUNT * 4],
    )?;
    let program = built(
        session,
        "kernel void twice(global int *numbers) { numbers[get_global_id(0)] *= 2; }\n",
        "",
    )?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), c"twice".as_ptr())).map(Object::new)?;
    let run_on = |buffer: cl_mem| -> Result<()> {
        commands::set_argument(kernel.get(), 0, &buffer)?;
        commands::launch(queue.get(), kernel.get(), COUNT)
    };
    run_on(first.get())?;
    let mut event = null_mut();
    {
        // The call copies these values, and they change before the command runs.
        let mut arguments = NativeArguments {
            add: 5,
            first: first.get(),
            count: COUNT,
            second: second.get(),
        };
        let places = [
            (&raw const arguments.first).cast(),
            (&raw const arguments.second).cast(),
        ];
        let memory = [first.get(), second.get()];
        ok!(clEnqueueNativeKernel(
            queue.get(),
            Some(add_to_all),
            (&raw mut arguments).cast(),
            size_of::<NativeArguments>(),
            2,
            memory.as_ptr(),
            places.as_ptr(),
            0,
            null(),
            &raw mut event
        ))?;
        let late = std::hint::black_box(&mut arguments);
        (late.add, late.count) = (1000, 0);
    }
    let event: Object<Event> = Object::new(event);
    run_on(second.get())?;
    let got: Vec<i32> = commands::read(queue.get(), second.get(), 0, COUNT)?;
    let expected: Vec<i32> = (0..COUNT as i32)
        .map(|number| (number * 2 + 5) * 2)
        .collect();
    equal("numbers", &got, &expected)?;
    let got: cl_uint = number(answer!(clGetEventInfo(event.get(), CL_EVENT_COMMAND_TYPE))?)?;
    equal("CL_EVENT_COMMAND_TYPE", &[got], &[CL_COMMAND_NATIVE_KERNEL])?;
    equal("status", &[calls::status(&event)?], &[CL_COMPLETE])?;
    invalid_native_kernels(&queue, &first)
}

/// Inconsistent arguments of `clEnqueueNativeKernel`.
fn invalid_native_kernels(queue: &Object<Queue>, buffer: &Object<Memory>) -> Result<()> {
    let (memory, mut byte) = (buffer.get(), 0u8);
    let refuse = |function, arguments: (*mut c_void, usize), buffers: (cl_uint, *const cl_mem)| {
        refused!(
            CL_INVALID_VALUE,
            clEnqueueNativeKernel(
                queue.get(),
                function,
                arguments.0,
                arguments.1,
                buffers.0,
                buffers.1,
                null(),
                0,
                null(),
                null_mut()
            )
        )
    };
    let (no_arguments, argument) = ((null_mut(), 0), (&raw mut byte).cast());
    let (no_buffers, buffer) = ((0, null()), &raw const memory);
    refuse(None, no_arguments, no_buffers)?;
    // Arguments without size, size without arguments; buffers without arguments or places.
    refuse(Some(add_to_all), (argument, 0), no_buffers)?;
    refuse(Some(add_to_all), (null_mut(), 8), no_buffers)?;
    refuse(Some(add_to_all), no_arguments, (1, buffer))?;
    refuse(Some(add_to_all), (argument, 1), (1, null()))
}
