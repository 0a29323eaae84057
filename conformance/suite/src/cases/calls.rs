//! Calls with expected error codes, and queries with answers of any size. Objects are the
//! reference-counted handles of the crate `harness`.

use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{check, code, made};
use harness::object::{Event, Kernel, Memory, Object, Program, Queue};
use harness::session::Session;
use opencl3::error_codes::ClError;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Checks that a function returned the expected code.
///
/// # Errors
/// The codes differ; the error names both.
pub fn is(function: &str, code: cl_int, expected: cl_int) -> Result<()> {
    ensure!(
        code == expected,
        "{function} returned {}, expected {}",
        ClError(code),
        ClError(expected)
    );
    Ok(())
}

/// Checks that a function returns this code.
macro_rules! refused {
    ($expected:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        $crate::cases::calls::is(
            stringify!($function),
            harness::call::code!($function($($argument),*)),
            $expected,
        )
    };
}

/// Checks that a function, with `errcode_ret` added as last argument, returns this code and no
/// object.
macro_rules! not_made {
    ($expected:expr, $function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut code = -12345;
        let object = harness::call::code!($function($($argument,)* &raw mut code));
        let name = stringify!($function);
        $crate::cases::calls::is(name, code, $expected).and_then(|()| {
            anyhow::ensure!(object.is_null(), "{name} returned {code} and an object");
            Ok(())
        })
    }};
}

/// The bytes of a query's answer.
macro_rules! answer {
    ($function:ident ( $($argument:expr),* $(,)? )) => {
        $crate::cases::calls::bytes(
            concat!(stringify!($function), " of ", stringify!($($argument),*)),
            |size, to, needed| {
                harness::call::code!($function($($argument,)* size, to, needed))
            },
        )
    };
}

pub(crate) use {answer, not_made, refused};

/// Queries the size and then the bytes of an answer.
///
/// # Errors
/// The query fails.
pub fn bytes(
    what: &str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> cl_int,
) -> Result<Vec<u8>> {
    let mut size = 0;
    check(what, ask(0, null_mut(), &raw mut size))?;
    // An additional byte shows whether the query writes beyond its size.
    let mut bytes = vec![0xA5; size + 1];
    let start = bytes.as_mut_ptr().cast();
    check(what, ask(size, start, null_mut()))?;
    ensure!(
        bytes.pop() == Some(0xA5),
        "{what} wrote more than the {size} bytes it needs"
    );
    Ok(bytes)
}

/// An answer that is one number, or a handle as a number.
///
/// # Errors
/// The answer has another size.
pub fn number<T: bytemuck::AnyBitPattern>(bytes: Vec<u8>) -> Result<T> {
    ensure!(
        bytes.len() == size_of::<T>(),
        "an answer of {} bytes, expected {}",
        bytes.len(),
        size_of::<T>()
    );
    Ok(bytemuck::pod_read_unaligned(&bytes))
}

/// An answer that is one string, without the final NUL.
///
/// # Errors
/// The answer does not end with its first NUL, or is not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String> {
    let text = std::ffi::CString::from_vec_with_nul(bytes).context("text of a query")?;
    Ok(text.into_string()?)
}

/// Checks the name and the program of a kernel.
///
/// # Errors
/// One is another.
pub fn is_kernel(kernel: &Object<Kernel>, name: &str, program: &Object<Program>) -> Result<()> {
    let kernel = kernel.get();
    let got = text(answer!(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME))?)?;
    equal("CL_KERNEL_FUNCTION_NAME", &[got.as_str()], &[name])?;
    let got: usize = number(answer!(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM))?)?;
    equal("CL_KERNEL_PROGRAM", &[got], &[program.get() as usize])
}

/// A queue on the session's device.
///
/// # Errors
/// `clCreateCommandQueue`'s.
pub fn queue(session: &Session, properties: cl_bitfield) -> Result<Object<Queue>> {
    let (context, device) = (session.context.get(), session.device.id());
    made!(clCreateCommandQueue(context, device, properties)).map(Object::new)
}

/// A buffer with a copy of these bytes.
///
/// # Errors
/// `clCreateBuffer`'s.
pub fn buffer(context: cl_context, flags: cl_bitfield, bytes: &[u8]) -> Result<Object<Memory>> {
    made!(clCreateBuffer(
        context,
        flags | CL_MEM_COPY_HOST_PTR,
        bytes.len(),
        bytes.as_ptr().cast_mut().cast()
    ))
    .map(Object::new)
}

/// A program object with source, not built.
///
/// # Errors
/// `clCreateProgramWithSource`'s.
pub fn program(context: cl_context, source: &str) -> Result<Object<Program>> {
    let (mut start, length) = (source.as_ptr().cast(), source.len());
    made!(clCreateProgramWithSource(
        context,
        1,
        &raw mut start,
        &raw const length
    ))
    .map(Object::new)
}

/// Calls `clBuildProgram` for all devices, with the run's options after `options`. Returns the
/// code.
///
/// # Errors
/// An option contains NUL.
pub fn build(session: &Session, program: cl_program, options: &str) -> Result<cl_int> {
    let options = session.with_options(options)?;
    Ok(code!(clBuildProgram(
        program,
        0,
        null(),
        options.as_ptr(),
        None,
        null_mut()
    )))
}

/// A program built from source for all devices of a context, with the run's options after
/// these.
///
/// # Errors
/// `clCreateProgramWithSource`'s or `clBuildProgram`'s.
pub fn built(
    session: &Session,
    context: cl_context,
    source: &str,
    options: &str,
) -> Result<Object<Program>> {
    let program = program(context, source)?;
    check("clBuildProgram", build(session, program.get(), options)?)?;
    Ok(program)
}

/// `CL_PROGRAM_BUILD_LOG`
///
/// # Errors
/// `clGetProgramBuildInfo`'s.
pub fn log(session: &Session, program: cl_program) -> Result<String> {
    text(answer!(clGetProgramBuildInfo(
        program,
        session.device.id(),
        CL_PROGRAM_BUILD_LOG
    ))?)
}

/// `CL_PROGRAM_BUILD_STATUS`
///
/// # Errors
/// `clGetProgramBuildInfo`'s.
pub fn build_status(session: &Session, program: cl_program) -> Result<cl_int> {
    number(answer!(clGetProgramBuildInfo(
        program,
        session.device.id(),
        CL_PROGRAM_BUILD_STATUS
    ))?)
}

/// A user event.
///
/// # Errors
/// `clCreateUserEvent`'s.
pub fn user_event(context: cl_context) -> Result<Object<Event>> {
    made!(clCreateUserEvent(context)).map(Object::new)
}

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`
///
/// # Errors
/// `clGetEventInfo`'s.
pub fn status(event: &Object<Event>) -> Result<cl_int> {
    number(answer!(clGetEventInfo(
        event.get(),
        CL_EVENT_COMMAND_EXECUTION_STATUS
    ))?)
}
