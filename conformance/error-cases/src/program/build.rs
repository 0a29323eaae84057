//! `clBuildProgram`.

use super::link::link;
use super::sources::{GOOD, WRONG};
use crate::programs::{compiled, recreated, start};
use crate::session::ok;
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};

fn build(program: cl_program, devices: &[cl_device_id], options: &str) -> cl_int {
    let options = CString::new(options).unwrap();
    // SAFETY: lists and options are read during the call.
    unsafe {
        let count = devices.len() as u32;
        clBuildProgram(
            program,
            count,
            start(devices),
            options.as_ptr(),
            None,
            null_mut(),
        )
    }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clBuildProgram {
        CL_INVALID_PROGRAM {
            null: |_| build(null_mut(), &[], ""),
            released: |session| build(stale::program(session), &[], ""),
            a_context: |session| build(session.context.cast(), &[], ""),
        }
        CL_INVALID_VALUE {
            device_list_null: |session| {
                // SAFETY: nothing is read.
                unsafe {
                    clBuildProgram(session.program(GOOD), 1, null(), null(), None, null_mut())
                }
            },
            num_devices_0: |session| {
                let (program, device) = (session.program(GOOD), session.devices[0]);
                // SAFETY: nothing is read.
                unsafe { clBuildProgram(program, 0, &device, null(), None, null_mut()) }
            },
            user_data_without_function: |session| {
                let mut data = 0u8;
                let data = (&raw mut data).cast();
                // SAFETY: nothing is read.
                unsafe { clBuildProgram(session.program(GOOD), 0, null(), null(), None, data) }
            },
        }
        CL_INVALID_DEVICE {
            not_the_programs: |session| build(session.program(GOOD), &session.devices[1..3], ""),
            null: |session| build(session.program(GOOD), &[null_mut()], ""),
            a_context: |session| build(session.program(GOOD), &[session.context.cast()], ""),
            without_a_binary: |session| {
                let program = recreated(session, session.built(GOOD));
                build(program, &session.devices[1..2], "")
            },
        }
        CL_INVALID_BINARY {
            a_compiled_object: |session| {
                build(recreated(session, compiled(session, GOOD)), &[], "")
            },
            a_library: |session| {
                let object = compiled(session, GOOD);
                let options = "-create-library";
                let (library, code) = link(session.context, &[], options, &[object], null_mut());
                ok(code);
                build(recreated(session, library), &[], "")
            },
        }
        CL_INVALID_BUILD_OPTIONS {
            unknown: |session| build(session.program(GOOD), &[], "-no-such-option"),
            of_the_linker: |session| build(session.program(GOOD), &[], "-create-library"),
            a_quote_not_closed: |session| build(session.program(GOOD), &[], "-D \"X"),
            a_value_missing: |session| build(session.program(GOOD), &[], "-D"),
            of_no_version: |session| build(session.program(GOOD), &[], "-cl-std=CL4.0"),
        }
        CL_BUILD_PROGRAM_FAILURE {
            does_not_compile: |session| build(session.program(WRONG), &[], ""),
            does_not_link: |session| {
                build(session.program("int f(); kernel void k(global int *x) { *x = f(); }"), &[], "")
            },
        }
        CL_INVALID_OPERATION {
            kernels_are_attached: |session| {
                let program = session.built(GOOD);
                session.kernel_of(program, "k");
                build(program, &[], "")
            },
            the_result_of_linking: |session| {
                let objects = [compiled(session, GOOD)];
                let (program, code) = link(session.context, &[], "", &objects, null_mut());
                ok(code);
                build(program, &[], "")
            },
        }
    }
};
