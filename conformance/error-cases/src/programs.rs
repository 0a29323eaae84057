//! Programs: compiled objects and binaries, which error cases and tests share.

use crate::session::{Session, answer, ok};
use cl_sys::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// The address of a list; null if it is empty, as the API requires.
pub fn start<T>(list: &[T]) -> *const T {
    if list.is_empty() {
        null()
    } else {
        list.as_ptr()
    }
}

/// `clCompileProgram` for all devices, with headers and their names.
pub fn compile(program: cl_program, headers: &[(&str, cl_program)]) -> cl_int {
    compile_with(program, "", headers)
}

/// The same, with options.
pub fn compile_with(program: cl_program, options: &str, headers: &[(&str, cl_program)]) -> cl_int {
    let options = CString::new(options).unwrap();
    let names = headers.iter().map(|(name, _)| CString::new(*name).unwrap());
    let names: Vec<CString> = names.collect();
    let starts: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let programs: Vec<_> = headers.iter().map(|(_, program)| *program).collect();
    // SAFETY: options and lists are read during the call.
    unsafe {
        clCompileProgram(
            program,
            0,
            null(),
            options.as_ptr(),
            headers.len() as u32,
            start(&programs),
            start(&starts),
            None,
            null_mut(),
        )
    }
}

/// A compiled object.
pub fn compiled(session: &Session, source: &str) -> cl_program {
    let program = session.program(source);
    assert_eq!(
        compile(program, &[]),
        CL_SUCCESS,
        "{}",
        session.log(program)
    );
    program
}

/// The binaries of a program, one for each of its devices.
pub fn binaries(program: cl_program) -> Vec<Vec<u8>> {
    let sizes = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, size, value, size_ret) }
    });
    let size = |bytes: &[u8]| usize::from_ne_bytes(bytes.try_into().unwrap());
    let mut binaries: Vec<_> = sizes.chunks(8).map(|bytes| vec![0; size(bytes)]).collect();
    let mut starts: Vec<_> = binaries
        .iter_mut()
        .map(|b: &mut Vec<u8>| b.as_mut_ptr())
        .collect();
    let (size, to) = (size_of_val(&starts[..]), starts.as_mut_ptr().cast());
    // SAFETY: each place has room for its binary.
    ok(unsafe { clGetProgramInfo(program, CL_PROGRAM_BINARIES, size, to, null_mut()) });
    binaries
}

/// `clCreateProgramWithBinary`; its program, its code, and the devices' statuses.
pub fn with_binaries(
    context: cl_context,
    devices: &[cl_device_id],
    binaries: &[Vec<u8>],
) -> (cl_program, cl_int, Vec<cl_int>) {
    let starts: Vec<_> = binaries.iter().map(|binary| binary.as_ptr()).collect();
    let lengths: Vec<_> = binaries.iter().map(Vec::len).collect();
    let (mut code, mut statuses) = (1, vec![1; devices.len()]);
    // SAFETY: the binaries have these lengths; there is a status for each device.
    let program = unsafe {
        clCreateProgramWithBinary(
            context,
            devices.len() as u32,
            devices.as_ptr(),
            lengths.as_ptr(),
            starts.as_ptr(),
            statuses.as_mut_ptr(),
            &mut code,
        )
    };
    (program, code, statuses)
}

/// A program created from the binary of another, for the session's first device.
pub fn recreated(session: &Session, program: cl_program) -> cl_program {
    let (devices, binaries) = (&session.devices[..1], binaries(program));
    let (program, code, statuses) = with_binaries(session.context, devices, &binaries[..1]);
    assert_eq!((code, statuses), (CL_SUCCESS, vec![CL_SUCCESS]));
    program
}
