//! The process that runs kernels on a platform, so that a crash or hang affects no other process.
//! It reads one request per line and writes one answer per line.

use crate::session::{Session, Settings};
use anyhow::{Context as _, Result, bail};
use opencl3::command_queue::enqueue_nd_range_kernel;
use opencl3::error_codes::ClError;
use opencl3::kernel::set_kernel_arg;
use opencl3::memory::{Buffer, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE};
use opencl3::types::{CL_BLOCKING, cl_uchar};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::ptr::null;

/// A kernel argument.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Argument {
    /// A buffer with these initial bytes.
    Buffer(Vec<u8>),
    /// Local memory of this size in bytes.
    Local(usize),
    /// The bytes of a value.
    Value(Vec<u8>),
}

/// A program to build, and its only kernel to run.
#[derive(Serialize, Deserialize, Debug)]
pub struct Request {
    /// The program in OpenCL C.
    pub source: String,
    /// Build options.
    pub options: String,
    /// The kernel's name.
    pub kernel: String,
    /// The kernel's arguments.
    pub arguments: Vec<Argument>,
    /// Work-items in each dimension.
    pub global: Vec<usize>,
    /// Work-items of a group in each dimension.
    pub local: Vec<usize>,
    /// First global id in each dimension.
    pub offset: Vec<usize>,
}

/// The result of a request.
#[derive(Serialize, Deserialize, Debug)]
pub enum Answer {
    /// The bytes of each buffer after the run.
    Ran(Vec<Vec<u8>>),
    /// The build log.
    BuildFailed(String),
    /// A call other than the build failed.
    Failed(String),
}

/// Answers requests until standard input ends.
///
/// # Errors
/// The platform is not there, or a request cannot be read.
pub fn serve(platform: &str) -> Result<()> {
    let session = Session::open(&Settings {
        platform: platform.to_owned(),
        ..Settings::default()
    })?;
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let answer = match run(&session, &request) {
            Ok(answer) => answer,
            Err(error) => Answer::Failed(format!("{error:#}")),
        };
        writeln!(output, "{}", serde_json::to_string(&answer)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Runs a kernel on the session's device.
///
/// # Errors
/// A call other than the build fails.
pub fn run(session: &Session, request: &Request) -> Result<Answer> {
    let (context, queue) = (&session.context, &session.queue);
    let program = match session.program(&request.source, &request.options) {
        Ok(program) => program,
        Err(error) => return Ok(Answer::BuildFailed(format!("{error:#}"))),
    };
    let kernel = program.kernel(&request.kernel)?;
    let mut buffers = Vec::new();
    for (index, argument) in request.arguments.iter().enumerate() {
        let index = index as u32;
        match argument {
            Argument::Buffer(bytes) => {
                // SAFETY: the bytes are copied during the call.
                let buffer = unsafe {
                    Buffer::<cl_uchar>::create(
                        context,
                        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                        bytes.len(),
                        bytes.as_ptr().cast_mut().cast(),
                    )?
                };
                // SAFETY: the kernel's parameter is a pointer to global or constant memory.
                unsafe { kernel.set_arg(index, &buffer)? };
                buffers.push((buffer, bytes.len()));
            }
            // SAFETY: the kernel's parameter is a pointer to local memory.
            Argument::Local(bytes) => unsafe { kernel.set_arg_local_buffer(index, *bytes)? },
            Argument::Value(bytes) => {
                // SAFETY: the bytes are copied during the call.
                unsafe { set_kernel_arg(kernel.get(), index, bytes.len(), bytes.as_ptr().cast()) }
                    .map_err(ClError)?;
            }
        }
    }
    // SAFETY: each slice has as many sizes as there are dimensions; the arguments are set.
    unsafe {
        enqueue_nd_range_kernel(
            queue.get(),
            kernel.get(),
            request.global.len() as u32,
            request.offset.as_ptr(),
            request.global.as_ptr(),
            request.local.as_ptr(),
            0,
            null(),
        )
    }
    .map_err(ClError)
    .context("clEnqueueNDRangeKernel")?;
    let mut results = Vec::new();
    for (buffer, length) in &buffers {
        let mut bytes = vec![0; *length];
        // SAFETY: the vector has room; the call blocks.
        unsafe { queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut bytes, &[])? };
        results.push(bytes);
    }
    queue.finish()?;
    if results.iter().any(Vec::is_empty) {
        bail!("a buffer without bytes");
    }
    Ok(Answer::Ran(results))
}
