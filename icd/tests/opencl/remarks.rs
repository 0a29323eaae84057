//! `-cl-mocl3-remarks`: the build log says what is vectorised.

use crate::linking::binaries;
use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::null_mut;

const SOURCE: &str = "\
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void wide(global float *to, global const float *from, global const int *at, global int *count) {
    size_t i = get_global_id(0);
    float x = from[i];
    x = x * from[3 * i] + x;
    x = x * from[at[i]] - x;
    atomic_inc(count + at[i]);
    for (int round = 0; round < 20; round++)
        x = x * x + 0.25f;
    to[i] = x;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void narrow(global int *x) {
    x[get_global_id(0)] = 7;
}
";

#[test]
fn the_build_log_says_what_is_vectorised_and_what_not() {
    let session = Session::open();
    let program = session.built_with(SOURCE, "-cl-mocl3-remarks");
    let log = session.log(program);
    let (wide, narrow) = log
        .split_once("remarks: kernel `narrow`, work-groups of 1x1x1\n")
        .unwrap_or_else(|| panic!("{log}"));
    assert!(
        wide.starts_with("remarks: kernel `wide`, work-groups of 64x1x1\n"),
        "{log}"
    );
    for part in [
        " lanes along x: ",
        " cycles a row as vector code, ",
        "  loop 1 of 1, program.cl:",
        "    consecutive: ",
        "    strided load from `from`, 12 bytes from lane to lane, program.cl:5\n",
        "    gather from `from`, program.cl:6\n",
        "    scalarised atomic on `count`, program.cl:7\n",
    ] {
        assert!(wide.contains(part), "{part}: {log}");
    }
    let expected = "  not vectorised: work-groups are too small\n";
    assert!(narrow.starts_with(expected), "{log}");

    // The program is as without.
    let plain = session.built(SOURCE);
    assert_eq!(session.log(plain), "");
    assert_eq!(binaries(plain), binaries(program));
    let buffer = session.buffer(&[0i32]);
    let kernel = session.kernel_of(program, "narrow");
    ok(session.set(kernel, 0, &buffer));
    ok(session.launch(session.queue, kernel, &[1], Some(&[1]), &[], null_mut()));
    assert_eq!(session.read::<i32>(buffer, 1), [7]);
}

#[test]
fn rejected_plans_are_in_the_log() {
    let session = Session::open();
    let program = session.built_with(
        "kernel void exchange(global int *to, global const int *at) {
             size_t i = get_global_id(0);
             atomic_xchg(to + at[i], (int)i);
         }",
        "-cl-mocl3-remarks",
    );
    let log = session.log(program);
    for part in [
        "  not vectorised: vector code would cost more: ",
        " lanes along x:\n  loop 1 of 1, program.cl:3\n    consecutive: 1 load\n",
        "    scalarised atomic on `to`, program.cl:3\n",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
}

#[test]
fn unroll_and_jam_is_reported_loop_by_loop() {
    let session = Session::open();
    let program = session.built_with(
        "kernel __attribute__((reqd_work_group_size(16, 8, 1)))
         void table(global const float *from, global float *to, local int *sum) {
             int x = get_local_id(0), y = get_local_id(1);
             atomic_add(sum, (int)from[x]);
             barrier(CLK_LOCAL_MEM_FENCE);
             to[16 * y + x] = from[x] * y;
         }",
        "-cl-mocl3-remarks",
    );
    let log = session.log(program);
    let loops: Vec<&str> = log.split("  loop ").skip(1).collect();
    let [first, second] = loops[..] else {
        panic!("{log}");
    };
    assert!(!first.contains("unroll-and-jam"), "{log}");
    assert!(second.contains("    unroll-and-jam: "), "{log}");
}

#[test]
fn what_is_compiled_apart_is_remarked_on_when_it_is_linked() {
    let session = Session::open();
    let object = session.program(SOURCE);
    let compile = |options: &std::ffi::CStr| {
        // SAFETY: options outlive the call; there are no headers and no callback.
        unsafe {
            clCompileProgram(
                object,
                0,
                std::ptr::null(),
                options.as_ptr(),
                0,
                std::ptr::null(),
                null_mut(),
                None,
                null_mut(),
            )
        }
    };
    assert_eq!(compile(c"-cl-mocl3-remarks"), CL_INVALID_COMPILER_OPTIONS);
    ok(compile(c""));
    // SAFETY: list and options outlive the call.
    let linked = crate::session::made(|code| unsafe {
        clLinkProgram(
            session.context,
            0,
            std::ptr::null(),
            c"-cl-mocl3-remarks".as_ptr(),
            1,
            &object,
            None,
            null_mut(),
            code,
        )
    });
    let log = session.log(linked);
    // Its lines are not known any more.
    assert!(log.contains("    gather from `from`\n"), "{log}");
}
