//! Uses a program that the platform has accepted: queries all kernels and compiles them for
//! launches. Kernels do not run, because their effects are unknown.

use anyhow::{Result, ensure};
use harness::image::Shape;
use harness::session::{Argument, Local, Session};
use opencl3::command_queue::{enqueue_nd_range_kernel, finish};
use opencl3::error_codes::ClError;
use opencl3::event::{create_user_event, release_event, set_user_event_status};
use opencl3::kernel::{
    CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_NAME,
    CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_QUALIFIER, CL_KERNEL_ATTRIBUTES,
    CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS, Kernel, create_kernels_in_program,
    get_kernel_arg_info, get_kernel_info, set_kernel_arg,
};
use opencl3::memory::{CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, CL_FLOAT, CL_RGBA};
use opencl3::program::{CL_PROGRAM_BUILD_LOG, get_program_build_info};
use opencl3::types::{cl_command_queue, cl_event, cl_kernel, cl_program};
use std::ptr::null;

/// Maximum number of kernels of a program that are compiled.
const KERNELS: usize = 4;
/// Work-items of the launch, which does not run.
const ITEMS: usize = 64;
/// Sizes of values that are tried for parameters, in bytes.
const VALUE_SIZES: &[usize] = &[4, 8, 1, 2, 16, 32, 64, 128, 12, 24, 20, 40, 48];

/// Queries the kernels of a program and compiles some.
///
/// # Errors
/// The platform contradicts itself.
pub fn kernels(session: &Session, program: cl_program) -> Result<()> {
    let Ok(kernels) = create_kernels_in_program(program) else {
        return Ok(());
    };
    let arguments = Arguments::new(session)?;
    let kernels: Vec<Kernel> = kernels.into_iter().map(Kernel::new).collect();
    for kernel in kernels.iter().take(KERNELS) {
        ask(kernel.get());
        if arguments.set(kernel) {
            compile(session, kernel.get())?;
        }
    }
    Ok(())
}

/// Whether the build log reports that the compiler crashed.
///
/// # Errors
/// The log blames a pass of MOCL3.
pub fn check_log(session: &Session, program: cl_program) -> Result<bool> {
    let log = get_program_build_info(program, session.device.id(), CL_PROGRAM_BUILD_LOG);
    let log = log.map_or_else(|_| String::new(), String::from);
    ensure!(
        !log.contains("(an error in the compiler)"),
        "the build log blames the compiler: {log}"
    );
    let crashes = ["the compiler crashed", "the compiler failed"];
    Ok(crashes.iter().any(|words| log.contains(words)))
}

fn ask(kernel: cl_kernel) {
    // The answers are unknown; the queries must succeed.
    for name in [CL_KERNEL_FUNCTION_NAME, CL_KERNEL_ATTRIBUTES] {
        let _ = get_kernel_info(kernel, name).map(String::from);
    }
    for index in 0..count(kernel).min(16) {
        for name in [
            CL_KERNEL_ARG_ADDRESS_QUALIFIER,
            CL_KERNEL_ARG_ACCESS_QUALIFIER,
        ] {
            let _ = get_kernel_arg_info(kernel, index, name);
        }
        let _ = get_kernel_arg_info(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER);
        for name in [CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_NAME] {
            let _ = get_kernel_arg_info(kernel, index, name).map(String::from);
        }
    }
}

fn count(kernel: cl_kernel) -> u32 {
    get_kernel_info(kernel, CL_KERNEL_NUM_ARGS).map_or(0, u32::from)
}

/// Arguments for all kinds of parameters.
struct Arguments(Vec<Box<dyn Argument>>);

impl Arguments {
    fn new(session: &Session) -> Result<Self> {
        let format = (CL_RGBA, CL_FLOAT);
        let image = |shape, pixels: usize| session.image(format, shape, &vec![[0_f32; 4]; pixels]);
        Ok(Self(vec![
            Box::new(session.zeros::<u8>(4096)?),
            Box::new(Local::<u8>::new(256)),
            Box::new(image(Shape::Line(4), 4)?),
            Box::new(image(Shape::Plane(4, 4), 16)?),
            Box::new(image(Shape::Stack(4, 4, 2), 32)?),
            Box::new(image(Shape::Volume(4, 4, 4), 64)?),
            Box::new(session.sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST)?),
        ]))
    }

    /// Sets each argument to the first value that is accepted. Returns whether all are set.
    fn set(&self, kernel: &Kernel) -> bool {
        let zeros = [0_u8; 128];
        (0..count(kernel.get())).all(|index| {
            self.0
                .iter()
                .any(|argument| argument.set(kernel, index).is_ok())
                || VALUE_SIZES.iter().any(|&size| {
                    // SAFETY: the value has that size, and is copied during the call.
                    unsafe { set_kernel_arg(kernel.get(), index, size, zeros.as_ptr().cast()) }
                        .is_ok()
                })
        })
    }
}

/// Compiles a kernel for a launch that waits for a user event, which then fails.
fn compile(session: &Session, kernel: cl_kernel) -> Result<()> {
    let gate = create_user_event(session.context.get()).map_err(ClError)?;
    let enqueued = enqueue(session.queue.get(), kernel, gate);
    set_user_event_status(gate, -1).map_err(ClError)?;
    let finished = finish(session.queue.get());
    // SAFETY: it is released once.
    unsafe { release_event(gate) }.map_err(ClError)?;
    if enqueued.is_ok() {
        finished.map_err(ClError)?;
    }
    Ok(())
}

fn enqueue(queue: cl_command_queue, kernel: cl_kernel, gate: cl_event) -> Result<(), i32> {
    let global = [ITEMS];
    // SAFETY: sizes and events are read during the call.
    let event = unsafe {
        enqueue_nd_range_kernel(
            queue,
            kernel,
            1,
            null(),
            global.as_ptr(),
            null(),
            1,
            &raw const gate,
        )
    }?;
    // SAFETY: the call's own reference.
    unsafe { release_event(event) }?;
    Ok(())
}
