//! Programs compiled apart, linked, and kept as binaries.

use crate::session::{Session, answer, made, ok, refused};
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

pub use error_cases::programs::{
    binaries, compile, compile_with, compiled, recreated, start, with_binaries,
};

/// `clLinkProgram` for all devices; its program, and its code.
pub fn link(session: &Session, options: &str, programs: &[cl_program]) -> (cl_program, cl_int) {
    let options = CString::new(options).unwrap();
    let mut code = 1;
    // SAFETY: options and list are read during the call.
    let program = unsafe {
        clLinkProgram(
            session.context,
            0,
            null(),
            options.as_ptr(),
            programs.len() as u32,
            start(programs),
            None,
            null_mut(),
            &mut code,
        )
    };
    (program, code)
}

/// The same, which must succeed.
pub fn linked(session: &Session, options: &str, programs: &[cl_program]) -> cl_program {
    let (program, code) = link(session, options, programs);
    ok(code);
    program
}

/// What kernel `k` of a program makes of a number.
pub fn run(session: &Session, program: cl_program, value: i32) -> i32 {
    let kernel = session.kernel_of(program, "k");
    let buffer = session.buffer(&[value]);
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
    session.read::<i32>(buffer, 1)[0]
}

fn binary_type(session: &Session, program: cl_program) -> u32 {
    let bytes = answer(|size, value, size_ret| {
        let (device, name) = (session.devices[0], CL_PROGRAM_BINARY_TYPE);
        // SAFETY: `answer` gives room.
        unsafe { clGetProgramBuildInfo(program, device, name, size, value, size_ret) }
    });
    u32::from_ne_bytes(bytes.try_into().unwrap())
}

const MAIN: &str = "int twice(int x); kernel void k(global int *x) { *x = twice(*x); }";
const LIBRARY: &str = "int twice(int x) { return 2 * x; }";

#[test]
fn programs_are_compiled_apart_with_headers_and_linked() {
    let session = Session::open();
    let main =
        session.program("#include <lib/twice.h>\nkernel void k(global int *x) { *x = twice(*x); }");
    ok(compile(
        main,
        &[("lib/twice.h", session.program("int twice(int x);"))],
    ));
    let library = linked(&session, "-create-library", &[compiled(&session, LIBRARY)]);
    assert_eq!(
        run(&session, linked(&session, "", &[main, library]), 21),
        42
    );
}

#[test]
fn the_first_header_of_a_name_is_used_and_headers_include_others() {
    let session = Session::open();
    let main = session.program("#include <a.h>\nkernel void k(global int *x) { *x = VALUE; }");
    let a = session.program("#include \"inner/b.h\"\n");
    let b = session.program("#define VALUE 1 +\\\n C\n#include <c.h>\n");
    let (c, other) = (
        session.program("#define C 4"),
        session.program("#define C 5"),
    );
    ok(compile(
        main,
        &[("a.h", a), ("inner/b.h", b), ("c.h", c), ("c.h", other)],
    ));
    assert_eq!(run(&session, linked(&session, "", &[main]), 0), 5);
}

#[test]
fn given_headers_come_before_files_of_the_current_folder() {
    let session = Session::open();
    assert!(std::path::Path::new("Cargo.toml").exists());
    let header = session.program("#define VALUE 3");
    for include in ["\"Cargo.toml\"", "<Cargo.toml>"] {
        let source = format!("#include {include}\nkernel void k(global int *x) {{ *x = VALUE; }}");
        let main = session.program(&source);
        ok(compile(main, &[("Cargo.toml", header)]));
        assert_eq!(run(&session, linked(&session, "", &[main]), 0), 3);
    }
}

#[test]
fn binaries_make_the_program_again_and_damage_is_noticed() {
    let session = Session::open();
    let program = session.built("kernel void k(global int *x) { *x = 5 + (int)sqrt((float)*x); }");
    let second = recreated(&session, program);
    ok(session.build(second, ""));
    assert_eq!(binaries(second)[0], binaries(program)[0]);
    assert_eq!(run(&session, second, 81), 14);

    let mut damaged = binaries(program);
    let middle = damaged[0].len() / 2;
    damaged[0][middle] ^= 1;
    let (program, code, statuses) = with_binaries(session.context, &session.devices[..2], &damaged);
    assert!(program.is_null());
    assert_eq!(code, CL_INVALID_BINARY);
    assert_eq!(statuses, [CL_INVALID_BINARY, CL_SUCCESS]);
}

#[test]
fn each_device_has_its_own_binary() {
    let session = Session::open();
    let program = session.program("kernel void k(global int *x) { *x = VALUE; }");
    for (place, options) in [(0, c"-D VALUE=10"), (1, c"-D VALUE=11")] {
        let device = &session.devices[place];
        // SAFETY: list and options are read during the call.
        ok(unsafe { clBuildProgram(program, 1, device, options.as_ptr(), None, null_mut()) });
    }
    // Reversed: the second device gets the first one's binary.
    let devices = [session.devices[1], session.devices[0]];
    let (again, code, _) = with_binaries(session.context, &devices, &binaries(program));
    ok(code);
    let of_program = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetProgramInfo(again, CL_PROGRAM_DEVICES, size, value, size_ret) }
    });
    let handles: Vec<u8> = devices
        .iter()
        .flat_map(|d| d.addr().to_ne_bytes())
        .collect();
    assert_eq!(of_program, handles);
    ok(session.build(again, ""));
    let kernel = session.kernel_of(again, "k");
    let buffer = session.buffer(&[0]);
    ok(session.set(kernel, 0, &buffer));
    for (device, expected) in [(session.devices[0], 11), (session.devices[1], 10)] {
        // SAFETY: the context is valid.
        let queue = made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) });
        ok(session.launch(queue, kernel, &[1], None, &[], null_mut()));
        // SAFETY: the queue is valid.
        ok(unsafe { clFinish(queue) });
        assert_eq!(session.read::<i32>(buffer, 1), [expected]);
    }
}

#[test]
fn compiled_objects_and_libraries_go_through_binaries() {
    let session = Session::open();
    let main = compiled(&session, MAIN);
    let library = linked(&session, "-create-library", &[compiled(&session, LIBRARY)]);
    let parts = [main, library].map(|program| recreated(&session, program));
    assert_eq!(
        parts.map(|program| binary_type(&session, program)),
        [
            CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT as u32,
            CL_PROGRAM_BINARY_TYPE_LIBRARY as u32
        ]
    );
    // The binaries are for the first device, so the second gets no executable.
    let executable = linked(&session, "", &parts);
    assert_eq!(
        binary_type(&session, executable),
        CL_PROGRAM_BINARY_TYPE_EXECUTABLE as u32
    );
    assert!(binaries(executable)[1].is_empty());
    let executable = recreated(&session, executable);
    ok(session.build(executable, ""));
    assert_eq!(run(&session, executable, 21), 42);
}

#[test]
fn a_background_link_notifies_when_it_has_ended() {
    type Notification = std::sync::mpsc::Sender<(usize, cl_int)>;
    extern "C" fn tell(program: cl_program, data: *mut c_void) {
        // SAFETY: the test gives the sender away, and the function is called once.
        let (sender, device) = *unsafe { Box::from_raw(data.cast::<(Notification, usize)>()) };
        let mut status = 1;
        let device = std::ptr::with_exposed_provenance_mut(device);
        // SAFETY: there is room for the status.
        ok(unsafe {
            let (name, to) = (CL_PROGRAM_BUILD_STATUS, (&raw mut status).cast());
            clGetProgramBuildInfo(program, device, name, 4, to, null_mut())
        });
        sender.send((program.addr(), status)).unwrap();
    }
    let session = Session::open();
    let (main, library) = (compiled(&session, MAIN), compiled(&session, LIBRARY));
    for (programs, expected) in [
        (&[main, library][..], CL_BUILD_SUCCESS),
        (&[main], CL_BUILD_ERROR),
    ] {
        let (sender, receiver) = std::sync::mpsc::channel();
        let device = session.devices[0].expose_provenance();
        let data: Box<(Notification, usize)> = Box::new((sender, device));
        let count = programs.len() as u32;
        // SAFETY: the list is read during the call; the function takes what it was given.
        let program = made(|code| unsafe {
            let (programs, data) = (programs.as_ptr(), Box::into_raw(data).cast());
            let context = session.context;
            clLinkProgram(
                context,
                0,
                null(),
                null(),
                count,
                programs,
                Some(tell),
                data,
                code,
            )
        });
        assert_eq!(receiver.recv().unwrap(), (program.addr(), expected));
        if expected == CL_BUILD_SUCCESS {
            assert_eq!(run(&session, program, 8), 16);
        } else {
            assert!(session.log(program).contains("undefined function `twice`"));
        }
    }
}

#[test]
fn linked_programs_outlive_what_they_were_linked_of() {
    let session = Session::open();
    let parts = [compiled(&session, MAIN), compiled(&session, LIBRARY)];
    let program = linked(&session, "-cl-fast-relaxed-math", &parts);
    for part in parts {
        // SAFETY: the handle is valid.
        ok(unsafe { clReleaseProgram(part) });
    }
    assert_eq!(run(&session, program, 4), 8);
    assert_eq!(
        // SAFETY: the name outlives the call.
        refused(|code| unsafe { clCreateKernel(program, c"twice".as_ptr(), code) }),
        CL_INVALID_KERNEL_NAME
    );
}
