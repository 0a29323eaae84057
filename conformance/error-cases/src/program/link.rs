//! `clLinkProgram`.

use super::compile::Compile;
use super::sources::{GOOD, OTHER};
use crate::programs::{compiled, start};
use crate::session::{ok, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

/// `clLinkProgram`; its program, and its code.
pub fn link(
    context: cl_context,
    devices: &[cl_device_id],
    options: &str,
    programs: &[cl_program],
    data: *mut c_void,
) -> (cl_program, cl_int) {
    let options = CString::new(options).unwrap();
    let mut code = 1;
    // SAFETY: lists and options are read during the call.
    let program = unsafe {
        clLinkProgram(
            context,
            devices.len() as u32,
            start(devices),
            options.as_ptr(),
            programs.len() as u32,
            start(programs),
            None,
            data,
            &mut code,
        )
    };
    (program, code)
}

/// A link that cannot begin.
fn no_link(
    context: cl_context,
    devices: &[cl_device_id],
    options: &str,
    programs: &[cl_program],
) -> cl_int {
    let (program, code) = link(context, devices, options, programs, null_mut());
    assert!(program.is_null());
    code
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clLinkProgram {
        CL_INVALID_CONTEXT {
            null: |session| no_link(null_mut(), &[], "", &[compiled(session, GOOD)]),
            released: |session| {
                no_link(stale::context(session), &[], "", &[compiled(session, GOOD)])
            },
        }
        CL_INVALID_VALUE {
            device_list_null: |session| {
                let object = compiled(session, GOOD);
                // SAFETY: the list of programs is read during the call.
                refused(|code| unsafe {
                    let (context, none) = (session.context, null_mut());
                    clLinkProgram(context, 1, null(), null(), 1, &object, None, none, code)
                })
            },
            num_devices_0: |session| {
                let (object, devices) = (compiled(session, GOOD), session.devices.as_ptr());
                // SAFETY: the list of programs is read during the call.
                refused(|code| unsafe {
                    let (context, none) = (session.context, null_mut());
                    clLinkProgram(context, 0, devices, null(), 1, &object, None, none, code)
                })
            },
            no_programs: |session| no_link(session.context, &[], "", &[]),
            num_input_programs_0: |session| {
                let object = compiled(session, GOOD);
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    let (context, none) = (session.context, null_mut());
                    clLinkProgram(context, 0, null(), null(), 0, &object, None, none, code)
                })
            },
            input_programs_null: |session| {
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    let (context, none) = (session.context, null_mut());
                    clLinkProgram(context, 0, null(), null(), 1, null(), None, none, code)
                })
            },
            user_data_without_function: |session| {
                let (objects, mut data) = ([compiled(session, GOOD)], 0u8);
                link(session.context, &[], "", &objects, (&raw mut data).cast()).1
            },
        }
        CL_INVALID_PROGRAM {
            null: |session| {
                no_link(session.context, &[], "", &[compiled(session, GOOD), null_mut()])
            },
            released: |session| no_link(session.context, &[], "", &[stale::program(session)]),
            of_another_context: |session| {
                let other = session.another();
                no_link(session.context, &[], "", &[compiled(&other, GOOD)])
            },
        }
        CL_INVALID_DEVICE {
            not_the_contexts: |session| {
                let objects = [compiled(session, GOOD)];
                no_link(session.context, &session.devices[2..3], "", &objects)
            },
            null: |session| no_link(session.context, &[null_mut()], "", &[compiled(session, GOOD)]),
        }
        CL_INVALID_LINKER_OPTIONS {
            unknown: |session| {
                no_link(session.context, &[], "-no-such-option", &[compiled(session, GOOD)])
            },
            of_the_compiler: |session| {
                no_link(session.context, &[], "-D X", &[compiled(session, GOOD)])
            },
            enabling_link_options_of_no_library: |session| {
                no_link(session.context, &[], "-enable-link-options", &[compiled(session, GOOD)])
            },
        }
        CL_INVALID_OPERATION {
            not_compiled: |session| no_link(session.context, &[], "", &[session.program(GOOD)]),
            an_executable: |session| no_link(session.context, &[], "", &[session.built(GOOD)]),
            compiled_for_another_device: |session| {
                let program = session.program(GOOD);
                ok(Compile { devices: &session.devices[..1], ..Default::default() }.run(program));
                no_link(session.context, &session.devices[1..2], "", &[program])
            },
            only_some_compiled_for_a_device: |session| {
                let objects = [compiled(session, GOOD), session.program(OTHER)];
                ok(Compile { devices: &session.devices[..1], ..Default::default() }
                    .run(objects[1]));
                no_link(session.context, &[], "", &objects)
            },
        }
        CL_LINK_PROGRAM_FAILURE {
            defined_twice: |session| {
                let objects = [compiled(session, GOOD), compiled(session, GOOD)];
                let (program, code) = link(session.context, &[], "", &objects, null_mut());
                let device = session.devices[1];
                let mut status = 0;
                let to = (&raw mut status).cast();
                let name = CL_PROGRAM_BUILD_STATUS;
                // SAFETY: there is room for the status.
                ok(unsafe { clGetProgramBuildInfo(program, device, name, 4, to, null_mut()) });
                assert_eq!(status, CL_BUILD_ERROR);
                assert!(session.log(program).contains("defined in more than one"));
                code
            },
            not_defined: |session| {
                let source = "int f(); kernel void k(global int *x) { *x = f(); }";
                link(session.context, &[], "", &[compiled(session, source)], null_mut()).1
            },
        }
    }
};
