//! Programs: diagnostics, separate compilation, binaries.

use crate::session::{Session, made, ok, refused};
use cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc;

#[test]
fn a_mistake_is_shown_with_file_line_column_and_caret() {
    let session = Session::open();
    let program = session.program("kernel void k(global int *x) {\n  *x = oops;\n}\n");
    assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    let log = session.log(program);
    assert!(
        log.contains("program.cl:2:8: error:") && log.contains('^'),
        "{log}"
    );
    assert_eq!(
        // SAFETY: the name outlives the call.
        refused(|code| unsafe { clCreateKernel(program, c"k".as_ptr(), code) }),
        CL_INVALID_PROGRAM_EXECUTABLE
    );
}

#[test]
fn an_undefined_function_is_named() {
    let session = Session::open();
    let program =
        session.program("int absent(int); kernel void k(global int *x) { *x = absent(*x); }");
    assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    let log = session.log(program);
    assert!(log.contains("undefined function `absent`"), "{log}");
}

#[test]
fn options_are_heeded_and_checked() {
    let session = Session::open();
    let program = session.program("kernel void k(global int *x) { *x = VALUE; }");
    assert_eq!(
        session.build(program, "-no-such-option"),
        CL_INVALID_BUILD_OPTIONS
    );
    ok(session.build(program, "-D VALUE=17 -cl-fast-relaxed-math"));
    let buffer = session.buffer(&[0i32]);
    let kernel = session.kernel_of(program, "k");
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    assert_eq!(session.read::<i32>(buffer, 1), [17]);
    // Kernels are attached.
    assert_eq!(session.build(program, "-D VALUE=18"), CL_INVALID_OPERATION);
}

#[test]
fn programs_are_compiled_apart_with_headers_and_linked() {
    let session = Session::open();
    let header = session.program("int twice(int x);");
    let main =
        session.program("#include <lib/twice.h>\nkernel void k(global int *x) { *x = twice(*x); }");
    let library = session.program("int twice(int x) { return 2 * x; }");
    let name = c"lib/twice.h".as_ptr();
    // SAFETY: all lists are read during the calls.
    let linked = unsafe {
        ok(clCompileProgram(
            main,
            0,
            null(),
            null(),
            1,
            &header,
            &name,
            None,
            null_mut(),
        ));
        ok(clCompileProgram(
            library,
            0,
            null(),
            null(),
            0,
            null(),
            null(),
            None,
            null_mut(),
        ));
        let link = |options: *const i8, programs: &[cl_program]| {
            made(|code| {
                clLinkProgram(
                    session.context,
                    0,
                    null(),
                    options,
                    programs.len() as u32,
                    programs.as_ptr(),
                    None,
                    null_mut(),
                    code,
                )
            })
        };
        let archive = link(c"-create-library".as_ptr(), &[library]);
        link(null(), &[main, archive])
    };
    let buffer = session.buffer(&[21i32]);
    let kernel = session.kernel_of(linked, "k");
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    assert_eq!(session.read::<i32>(buffer, 1), [42]);
}

/// The binary for the first device of two.
fn binary_of(program: cl_program) -> Vec<u8> {
    let mut sizes = [0usize; 2];
    // SAFETY: the vectors have the sizes asked for.
    unsafe {
        let to = sizes.as_mut_ptr().cast();
        ok(clGetProgramInfo(
            program,
            CL_PROGRAM_BINARY_SIZES,
            16,
            to,
            null_mut(),
        ));
        let mut binary = vec![0u8; sizes[0]];
        let mut pointers = [binary.as_mut_ptr(), null_mut()];
        let to = pointers.as_mut_ptr().cast();
        ok(clGetProgramInfo(
            program,
            CL_PROGRAM_BINARIES,
            16,
            to,
            null_mut(),
        ));
        binary
    }
}

fn from_binary(
    session: &Session,
    binary: &[u8],
    status: &mut cl_int,
    code: *mut cl_int,
) -> cl_program {
    let start = binary.as_ptr();
    // SAFETY: the binary has that length; all lists have one element.
    unsafe {
        clCreateProgramWithBinary(
            session.context,
            1,
            &session.devices[0],
            &binary.len(),
            &start,
            status,
            code,
        )
    }
}

fn again(session: &Session, program: cl_program) -> cl_program {
    let mut status = 1;
    let program = made(|code| from_binary(session, &binary_of(program), &mut status, code));
    assert_eq!(status, CL_SUCCESS);
    program
}

fn run_on(session: &Session, program: cl_program, value: i32) -> i32 {
    let kernel = session.kernel_of(program, "k");
    let buffer = session.buffer(&[value]);
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    session.read::<i32>(buffer, 1)[0]
}

#[test]
fn binaries_make_the_program_again_and_damage_is_noticed() {
    let session = Session::open();
    let program =
        session.program("kernel void k(global int *x) { *x = 5 + (int)sqrt((float)*x); }");
    ok(session.build(program, ""));
    let second = again(&session, program);
    ok(session.build(second, ""));
    assert_eq!(binary_of(second), binary_of(program));
    assert_eq!(run_on(&session, second, 81), 14);

    let mut binary = binary_of(program);
    let middle = binary.len() / 2;
    binary[middle] ^= 1;
    let mut status = 1;
    assert_eq!(
        refused(|code| from_binary(&session, &binary, &mut status, code)),
        CL_INVALID_BINARY
    );
    assert_eq!(status, CL_INVALID_BINARY);
}

#[test]
fn compiled_objects_and_libraries_go_through_binaries() {
    let session = Session::open();
    let main =
        session.program("int twice(int x); kernel void k(global int *x) { *x = twice(*x); }");
    let library = session.program("int twice(int x) { return 2 * x; }");
    let compile = |program| {
        // SAFETY: there are no lists.
        ok(unsafe {
            clCompileProgram(
                program,
                0,
                null(),
                null(),
                0,
                null(),
                null(),
                None,
                null_mut(),
            )
        });
    };
    let link = |options: *const i8, programs: &[cl_program]| {
        // SAFETY: the list is read during the call.
        made(|code| unsafe {
            clLinkProgram(
                session.context,
                0,
                null(),
                options,
                programs.len() as u32,
                programs.as_ptr(),
                None,
                null_mut(),
                code,
            )
        })
    };
    let binary_type = |program| {
        let mut binary_type = 0u32;
        // SAFETY: the variable has the size given.
        ok(unsafe {
            clGetProgramBuildInfo(
                program,
                session.devices[0],
                CL_PROGRAM_BINARY_TYPE,
                4,
                (&raw mut binary_type).cast(),
                null_mut(),
            )
        });
        binary_type
    };
    compile(main);
    compile(library);
    let archive = link(c"-create-library".as_ptr(), &[library]);
    let parts = [main, archive].map(|program| again(&session, program));
    assert_eq!(
        parts.map(binary_type),
        [
            CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT as u32,
            CL_PROGRAM_BINARY_TYPE_LIBRARY as u32
        ]
    );
    let linked = link(null(), &parts);
    // It was made neither with source nor with a binary.
    assert_eq!(session.build(linked, ""), CL_INVALID_OPERATION);
    let executable = again(&session, linked);
    ok(session.build(executable, ""));
    assert_eq!(run_on(&session, executable, 21), 42);
    // "The program binary must be an executable binary" (5.6.2).
    assert_eq!(session.build(parts[0], ""), CL_INVALID_BINARY);
    assert_eq!(session.build(parts[1], ""), CL_INVALID_BINARY);
}

#[test]
fn a_build_in_the_background_tells_when_it_has_ended() {
    extern "C" fn tell(_: cl_program, sender: *mut c_void) {
        // SAFETY: the test gives the sender away, and the function is called once.
        let sender = unsafe { Box::from_raw(sender.cast::<mpsc::Sender<()>>()) };
        sender.send(()).unwrap();
    }
    let session = Session::open();
    let program = session.program("kernel void k(void) {}");
    let (sender, receiver) = mpsc::channel::<()>();
    // Not the test's own: it may be gone while the function is still sending.
    let data = Box::into_raw(Box::new(sender)).cast();
    // SAFETY: the function takes the sender as it was given away.
    ok(unsafe { clBuildProgram(program, 0, null(), null(), Some(tell), data) });
    receiver.recv().unwrap();
    session.kernel_of(program, "k");
}

#[test]
fn arguments_are_described() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void k(global const float4 *input, int count) {}",
        "k",
    );
    let text = |index, name| {
        let mut size = 0;
        let mut text = vec![0u8; 64];
        // SAFETY: the vector has room.
        ok(unsafe {
            clGetKernelArgInfo(kernel, index, name, 64, text.as_mut_ptr().cast(), &mut size)
        });
        String::from_utf8(text[..size - 1].to_vec()).unwrap()
    };
    assert_eq!(text(0, CL_KERNEL_ARG_NAME), "input");
    assert_eq!(text(0, CL_KERNEL_ARG_TYPE_NAME), "float4*");
    assert_eq!(text(1, CL_KERNEL_ARG_TYPE_NAME), "int");
}
