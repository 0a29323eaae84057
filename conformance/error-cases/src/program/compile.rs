//! `clCompileProgram`.

use super::sources::{GOOD, WRONG};
use crate::programs::{recreated, start};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

/// Arguments of `clCompileProgram` that are mostly left out.
#[derive(Default)]
pub struct Compile<'a> {
    pub devices: &'a [cl_device_id],
    pub options: &'a str,
    pub headers: &'a [cl_program],
    pub names: &'a [*const c_char],
    pub user_data: bool,
}

impl Compile<'_> {
    pub fn run(&self, program: cl_program) -> cl_int {
        let options = CString::new(self.options).unwrap();
        let mut anything = 0u8;
        let data = if self.user_data {
            (&raw mut anything).cast()
        } else {
            null_mut()
        };
        // SAFETY: lists, names and options are read during the call.
        unsafe {
            clCompileProgram(
                program,
                self.devices.len() as u32,
                start(self.devices),
                options.as_ptr(),
                self.headers.len() as u32,
                start(self.headers),
                start(self.names),
                None,
                data,
            )
        }
    }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCompileProgram {
        CL_INVALID_PROGRAM {
            null: |_| Compile::default().run(null_mut()),
            released: |session| Compile::default().run(stale::program(session)),
            a_context: |session| Compile::default().run(session.context.cast()),
            a_header_null: |session| {
                Compile { headers: &[null_mut()], names: &[c"h".as_ptr()], ..Default::default() }
                    .run(session.program(GOOD))
            },
            a_header_of_another_context: |session| {
                let header = session.another().program("");
                Compile { headers: &[header], names: &[c"h".as_ptr()], ..Default::default() }
                    .run(session.program(GOOD))
            },
        }
        CL_INVALID_VALUE {
            device_list_null: |session| {
                let (program, none) = (session.program(GOOD), null_mut());
                // SAFETY: nothing is read.
                unsafe {
                    clCompileProgram(program, 1, null(), null(), 0, null(), null(), None, none)
                }
            },
            num_devices_0: |session| {
                let (program, none) = (session.program(GOOD), null_mut());
                let devices = session.devices.as_ptr();
                // SAFETY: nothing is read.
                unsafe {
                    clCompileProgram(program, 0, devices, null(), 0, null(), null(), None, none)
                }
            },
            headers_without_names: |session| {
                Compile { headers: &[session.program("")], ..Default::default() }
                    .run(session.program(GOOD))
            },
            names_without_headers: |session| {
                Compile { names: &[c"h".as_ptr()], ..Default::default() }
                    .run(session.program(GOOD))
            },
            num_input_headers_without_lists: |session| {
                let (program, none) = (session.program(GOOD), null_mut());
                // SAFETY: nothing is read.
                unsafe {
                    clCompileProgram(program, 0, null(), null(), 1, null(), null(), None, none)
                }
            },
            a_name_null: |session| {
                Compile { headers: &[session.program("")], names: &[null()], ..Default::default() }
                    .run(session.program(GOOD))
            },
            user_data_without_function: |session| {
                Compile { user_data: true, ..Default::default() }.run(session.program(GOOD))
            },
        }
        CL_INVALID_DEVICE {
            not_the_programs: |session| {
                Compile { devices: &session.devices[2..3], ..Default::default() }
                    .run(session.program(GOOD))
            },
            null: |session| {
                Compile { devices: &[null_mut()], ..Default::default() }.run(session.program(GOOD))
            },
        }
        CL_INVALID_COMPILER_OPTIONS {
            unknown: |session| {
                Compile { options: "-no-such-option", ..Default::default() }
                    .run(session.program(GOOD))
            },
            of_the_linker: |session| {
                Compile { options: "-create-library", ..Default::default() }
                    .run(session.program(GOOD))
            },
        }
        CL_COMPILE_PROGRAM_FAILURE {
            does_not_compile: |session| Compile::default().run(session.program(WRONG)),
            a_header_missing: |session| {
                Compile::default().run(session.program("#include <no/such/header.h>"))
            },
        }
        CL_INVALID_OPERATION {
            kernels_are_attached: |session| {
                let program = session.built(GOOD);
                session.kernel_of(program, "k");
                Compile::default().run(program)
            },
            no_source: |session| {
                Compile::default().run(recreated(session, session.built(GOOD)))
            },
            a_header_without_source: |session| {
                let headers = [recreated(session, session.built(GOOD))];
                Compile { headers: &headers, names: &[c"h".as_ptr()], ..Default::default() }
                    .run(session.program(GOOD))
            },
        }
    }
};
