//! Programs: text, diagnostics, options, descriptions of kernels.

use crate::session::{Session, answer, made, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

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

/// A program whose text is put together from strings with lengths.
fn program_of(session: &Session, strings: &[(&[u8], usize)]) -> cl_program {
    let starts: Vec<_> = strings
        .iter()
        .map(|(text, _)| text.as_ptr().cast())
        .collect();
    let lengths: Vec<_> = strings.iter().map(|(_, length)| *length).collect();
    let count = strings.len() as u32;
    // SAFETY: each string has as many characters as its length says, or ends with NUL.
    made(|code| unsafe {
        let context = session.context;
        clCreateProgramWithSource(context, count, starts.as_ptr(), lengths.as_ptr(), code)
    })
}

fn source_of(program: cl_program) -> Vec<u8> {
    answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, value, size_ret) }
    })
}

#[test]
fn strings_have_lengths_or_end_with_nul_and_nuls_at_ends_are_left_out() {
    let session = Session::open();
    let strings: [(&[u8], usize); 5] = [
        (b"kernel void \0 oops", 0),
        (b"k(global int *x) oops", 16),
        (b"\0", 0),
        (b"{ *x = 1;\0", 10),
        (b"}\0\0\0", 4),
    ];
    let program = program_of(&session, &strings);
    ok(session.build(program, ""));
    assert_eq!(
        source_of(program),
        b"kernel void k(global int *x){ *x = 1;}\0"
    );
}

#[test]
fn a_nul_before_the_end_of_a_string_is_an_error_with_its_place() {
    let session = Session::open();
    let strings: [(&[u8], usize); 2] = [(b"kernel void k(void) {\n", 22), (b"  in\0t x; }", 11)];
    let program = program_of(&session, &strings);
    for _ in 0..2 {
        assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
        let log = session.log(program);
        assert!(log.contains("program.cl:2:5: error: "), "{log}");
        assert!(log.contains("NUL"), "{log}");
    }
    // As the specification has it.
    assert_eq!(source_of(program), b"kernel void k(void) {\n  int x; }\0");
}

#[test]
fn a_nul_in_a_header_is_an_error_that_names_the_header() {
    let session = Session::open();
    let program = session.program("#include \"parts/size.h\"\nkernel void k(void) {}");
    let header = program_of(&session, &[(b"\n#define\0 N 3", 13)]);
    let name = c"parts/size.h".as_ptr();
    // SAFETY: the handles are valid, the name ends with NUL.
    let code = unsafe {
        let none = c"".as_ptr();
        clCompileProgram(
            program,
            0,
            null(),
            none,
            1,
            &header,
            &name,
            None,
            null_mut(),
        )
    };
    assert_eq!(code, CL_COMPILE_PROGRAM_FAILURE);
    let log = session.log(program);
    assert!(log.contains("parts/size.h:2:8: error: "), "{log}");
}

#[test]
fn kernels_keep_their_program() {
    let session = Session::open();
    let program = session.built("kernel void k(global int *x) { *x = 3; }");
    let kernel = session.kernel_of(program, "k");
    // SAFETY: the handle is valid.
    ok(unsafe { clReleaseProgram(program) });
    let of_kernel = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe { clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, size, value, size_ret) }
    });
    assert_eq!(of_kernel, program.addr().to_ne_bytes());
    let references = answer(|size, value, size_ret| {
        // SAFETY: as above.
        unsafe { clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, size, value, size_ret) }
    });
    assert_eq!(references, 0u32.to_ne_bytes());
    // SAFETY: the handles are valid; after the kernel the program is gone.
    unsafe {
        ok(clReleaseKernel(kernel));
        assert_eq!(clRetainProgram(program), CL_INVALID_PROGRAM);
    }
}

/// After the second one, kernels are compiled before they are launched, for the local size of
/// the last one.
#[test]
fn kernels_compute_the_same_whichever_size_they_were_compiled_for_before() {
    const KERNELS: usize = 14;
    const COUNT: usize = 64;
    let source: String = (0..KERNELS)
        .map(|number| {
            let required = match number % 5 {
                4 => "__attribute__((reqd_work_group_size(8, 1, 1)))",
                _ => "",
            };
            format!(
                "kernel {required} void k{number}(global uint *x) {{
                     local uint sum;
                     if (get_local_id(0) == 0) sum = {number};
                     barrier(CLK_LOCAL_MEM_FENCE);
                     atomic_inc(&sum);
                     barrier(CLK_LOCAL_MEM_FENCE);
                     x[get_global_id(0)] = sum * 100 + get_local_id(0);
                 }}"
            )
        })
        .collect();
    let session = Session::open();
    // The first program goes while its kernels are compiled.
    for launched in [3, KERNELS] {
        let program = session.program(&source);
        ok(session.build(program, ""));
        for number in 0..launched {
            let kernel = session.kernel_of(program, &format!("k{number}"));
            let local = match number {
                _ if number % 5 == 4 => 8,
                7 | 11 => 32,
                _ => 16,
            };
            let buffer = session.buffer(&[0u32; COUNT]);
            ok(session.set(kernel, 0, &buffer));
            let (global, local_size) = ([COUNT], [local]);
            ok(session.launch(
                session.queue,
                kernel,
                &global,
                Some(&local_size),
                &[],
                null_mut(),
            ));
            let expected: Vec<u32> = (0..COUNT)
                .map(|i| ((number + local) * 100 + i % local) as u32)
                .collect();
            assert_eq!(session.read::<u32>(buffer, COUNT), expected, "k{number}");
            // SAFETY: made above, used no more.
            ok(unsafe { clReleaseKernel(kernel) });
        }
        // SAFETY: made above, used no more.
        ok(unsafe { clReleaseProgram(program) });
    }
}
