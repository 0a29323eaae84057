//! Programs.

use super::provoked;
use crate::held_build::{HeldBuild, Step};
use crate::linking::{again, binaries, compiled, start};
use crate::session::{Session, ok, refused};
use cl_sys::*;
use error_cases::stale;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

const GOOD: &str =
    "int twice(int x) { return 2 * x; } kernel void k(global int *x) { *x = twice(*x); }";
const OTHER: &str = "kernel void other(global int *x) { *x = 1; }";
const WRONG: &str = "kernel void k(global int *x) { *x = oops; }";

fn from_source(context: cl_context, strings: &[*const c_char]) -> cl_int {
    let count = strings.len() as u32;
    // SAFETY: the texts are copied during the call.
    refused(|code| unsafe {
        clCreateProgramWithSource(context, count, strings.as_ptr(), null(), code)
    })
}

/// A call of `clCreateProgramWithBinary`. It takes as many devices as there are; there
/// are always two lengths and two binaries.
struct WithBinary {
    context: cl_context,
    devices: Vec<cl_device_id>,
    binaries: [Option<Vec<u8>>; 2],
    status: [cl_int; 2],
}

impl WithBinary {
    fn of(session: &Session) -> Self {
        let binaries = binaries(session.built(GOOD));
        Self {
            context: session.context,
            devices: session.devices[..2].to_vec(),
            binaries: [Some(binaries[0].clone()), Some(binaries[1].clone())],
            status: [1; 2],
        }
    }

    fn refused(&mut self) -> cl_int {
        let list = start(&self.devices);
        let bytes = |binary: &Option<Vec<u8>>| binary.as_ref().map_or(null(), Vec::as_ptr);
        let lengths = self
            .binaries
            .each_ref()
            .map(|b| b.as_ref().map_or(1, Vec::len));
        let pointers = self.binaries.each_ref().map(bytes);
        // SAFETY: all lists have at least as many elements as the number passed.
        refused(|code| unsafe {
            clCreateProgramWithBinary(
                self.context,
                self.devices.len() as u32,
                list,
                lengths.as_ptr(),
                pointers.as_ptr(),
                self.status.as_mut_ptr(),
                code,
            )
        })
    }
}

fn built_in(context: cl_context, devices: &[cl_device_id], names: Option<&CStr>) -> cl_int {
    let list = start(devices);
    let names = names.map_or(null(), CStr::as_ptr);
    // SAFETY: lists and names are read during the call.
    refused(|code| unsafe {
        let count = devices.len() as u32;
        clCreateProgramWithBuiltInKernels(context, count, list, names.cast(), code)
    })
}

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

/// Arguments of `clCompileProgram` that are mostly left out.
#[derive(Default)]
struct Compile<'a> {
    devices: &'a [cl_device_id],
    options: &'a str,
    headers: &'a [cl_program],
    names: &'a [*const c_char],
    user_data: bool,
}

impl Compile<'_> {
    fn run(&self, program: cl_program) -> cl_int {
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

/// `clLinkProgram`; its program, and its code.
fn link(
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

fn info(program: cl_program, name: cl_program_info, size: usize) -> cl_int {
    let mut value = [0u64; 64];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetProgramInfo(program, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

fn build_info(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    size: usize,
) -> cl_int {
    let mut value = [0u64; 64];
    let to = value.as_mut_ptr().cast();
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetProgramBuildInfo(program, device, name, size, to, null_mut()) }
}

provoked! {
    clCreateProgramWithSource {
        CL_INVALID_CONTEXT {
            null: |_| from_source(null_mut(), &[c"".as_ptr()]),
            released: |session| from_source(stale::context(session), &[c"".as_ptr()]),
            a_queue: |session| from_source(session.queue.cast(), &[c"".as_ptr()]),
        }
        CL_INVALID_VALUE {
            no_strings: |session| from_source(session.context, &[]),
            count_0: |session| {
                let text = c"".as_ptr();
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    clCreateProgramWithSource(session.context, 0, &text, null(), code)
                })
            },
            strings_null: |session| {
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    clCreateProgramWithSource(session.context, 1, null(), null(), code)
                })
            },
            a_string_null: |session| from_source(session.context, &[c"".as_ptr(), null()]),
        }
    }
    clCreateProgramWithBinary {
        CL_INVALID_CONTEXT {
            null: |session| {
                WithBinary { context: null_mut(), ..WithBinary::of(session) }.refused()
            },
            released: |session| {
                WithBinary { context: stale::context(session), ..WithBinary::of(session) }.refused()
            },
        }
        CL_INVALID_VALUE {
            no_devices: |session| {
                WithBinary { devices: Vec::new(), ..WithBinary::of(session) }.refused()
            },
            num_devices_0: |session| {
                let (binary, status) = ([0u8; 1], null_mut());
                let (device, start, length) = (session.devices[0], binary.as_ptr(), 1);
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    let context = session.context;
                    clCreateProgramWithBinary(context, 0, &device, &length, &start, status, code)
                })
            },
            lengths_null: |session| {
                let (binary, status) = ([0u8; 1], null_mut());
                let (device, start) = (session.devices[0], binary.as_ptr());
                // SAFETY: lists have one element or are null.
                refused(|code| unsafe {
                    let context = session.context;
                    clCreateProgramWithBinary(context, 1, &device, null(), &start, status, code)
                })
            },
            binaries_null: |session| {
                let (device, length, status) = (session.devices[0], 1, null_mut());
                // SAFETY: lists have one element or are null.
                refused(|code| unsafe {
                    let context = session.context;
                    clCreateProgramWithBinary(context, 1, &device, &length, null(), status, code)
                })
            },
            a_binary_null: |session| {
                let mut call = WithBinary::of(session);
                call.binaries[1] = None;
                let code = call.refused();
                assert_eq!(call.status, [CL_SUCCESS, CL_INVALID_VALUE]);
                code
            },
            a_length_0: |session| {
                let mut call = WithBinary::of(session);
                call.binaries[0] = Some(Vec::new());
                let code = call.refused();
                assert_eq!(call.status, [CL_INVALID_VALUE, CL_SUCCESS]);
                code
            },
        }
        CL_INVALID_DEVICE {
            of_another_context: |session| {
                WithBinary { devices: session.devices[2..].to_vec(), ..WithBinary::of(session) }
                    .refused()
            },
            null: |session| {
                let devices = vec![session.devices[0], null_mut()];
                WithBinary { devices, ..WithBinary::of(session) }.refused()
            },
            given_twice: |session| {
                let devices = vec![session.devices[0]; 2];
                WithBinary { devices, ..WithBinary::of(session) }.refused()
            },
        }
        CL_INVALID_BINARY {
            no_binary_of_ours: |session| {
                let mut call = WithBinary::of(session);
                call.binaries[1] = Some(b"\x7fELF and so on".to_vec());
                let code = call.refused();
                assert_eq!(call.status, [CL_SUCCESS, CL_INVALID_BINARY]);
                code
            },
            truncated: |session| {
                let mut call = WithBinary::of(session);
                call.binaries[0].as_mut().unwrap().pop();
                let code = call.refused();
                assert_eq!(call.status, [CL_INVALID_BINARY, CL_SUCCESS]);
                code
            },
            damaged: |session| {
                let mut call = WithBinary::of(session);
                *call.binaries[0].as_mut().unwrap().last_mut().unwrap() ^= 1;
                call.refused()
            },
        }
    }
    clCreateProgramWithBuiltInKernels {
        CL_INVALID_CONTEXT {
            null: |session| built_in(null_mut(), &session.devices[..1], Some(c"k")),
            released: |session| built_in(stale::context(session), &session.devices[..1], Some(c"k")),
        }
        CL_INVALID_VALUE {
            no_devices: |session| built_in(session.context, &[], Some(c"k")),
            num_devices_0: |session| {
                // SAFETY: nothing is read.
                refused(|code| unsafe {
                    let (context, name) = (session.context, c"k".as_ptr().cast());
                    clCreateProgramWithBuiltInKernels(context, 0, &session.devices[0], name, code)
                })
            },
            names_null: |session| built_in(session.context, &session.devices[..1], None),
            names_empty: |session| built_in(session.context, &session.devices[..1], Some(c"")),
            no_such_kernel: |session| {
                built_in(session.context, &session.devices[..2], Some(c"copy;fill"))
            },
        }
        CL_INVALID_DEVICE {
            of_another_context: |session| {
                built_in(session.context, &session.devices[2..3], Some(c"k"))
            },
            null: |session| built_in(session.context, &[null_mut()], Some(c"k")),
        }
    }
    clRetainProgram {
        CL_INVALID_PROGRAM {
            // SAFETY: no other pointers are given.
            null: |_| unsafe { clRetainProgram(null_mut()) },
            // SAFETY: as above.
            released: |session| unsafe { clRetainProgram(stale::program(session)) },
            // SAFETY: as above.
            a_context: |session| unsafe { clRetainProgram(session.context.cast()) },
        }
    }
    clReleaseProgram {
        CL_INVALID_PROGRAM {
            // SAFETY: no other pointers are given.
            null: |_| unsafe { clReleaseProgram(null_mut()) },
            // SAFETY: as above.
            released: |session| unsafe { clReleaseProgram(stale::program(session)) },
            // SAFETY: as above.
            a_context: |session| unsafe { clReleaseProgram(session.context.cast()) },
            only_its_kernels_hold_it: |session| {
                let program = session.built(GOOD);
                let kernel = session.kernel_of(program, "k");
                // SAFETY: the handles are valid; a kernel keeps its program.
                unsafe {
                    ok(clReleaseProgram(program));
                    let code = clReleaseProgram(program);
                    ok(clReleaseKernel(kernel));
                    code
                }
            },
        }
    }
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
                let program = again(session, session.built(GOOD));
                build(program, &session.devices[1..2], "")
            },
        }
        CL_INVALID_BINARY {
            a_compiled_object: |session| {
                build(again(session, compiled(session, GOOD)), &[], "")
            },
            a_library: |session| {
                let object = compiled(session, GOOD);
                let options = "-create-library";
                let (library, code) = link(session.context, &[], options, &[object], null_mut());
                ok(code);
                build(again(session, library), &[], "")
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
            being_built: |session| {
                let held = HeldBuild::begin(session, &[], Step::Build, GOOD);
                build(held.program, &session.devices[..1], "")
            },
            being_compiled: |session| {
                let held = HeldBuild::begin(session, &session.devices[..1], Step::Compile, GOOD);
                build(held.program, &[], "")
            },
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
                let header = Session::open().program("");
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
            being_built: |session| {
                let held = HeldBuild::begin(session, &[], Step::Build, GOOD);
                Compile::default().run(held.program)
            },
            being_compiled: |session| {
                let held = HeldBuild::begin(session, &[], Step::Compile, GOOD);
                Compile::default().run(held.program)
            },
            kernels_are_attached: |session| {
                let program = session.built(GOOD);
                session.kernel_of(program, "k");
                Compile::default().run(program)
            },
            no_source: |session| {
                Compile::default().run(again(session, session.built(GOOD)))
            },
            a_header_without_source: |session| {
                let headers = [again(session, session.built(GOOD))];
                Compile { headers: &headers, names: &[c"h".as_ptr()], ..Default::default() }
                    .run(session.program(GOOD))
            },
        }
    }
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
                let other = Session::open();
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
            being_compiled: |session| {
                let held = HeldBuild::begin(session, &session.devices[1..2], Step::Compile, GOOD);
                let one = Compile { devices: &session.devices[..1], ..Default::default() };
                let object = session.program(OTHER);
                ok(one.run(object));
                no_link(session.context, &session.devices[1..2], "", &[held.program, object])
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
    clGetProgramInfo {
        CL_INVALID_PROGRAM {
            null: |_| info(null_mut(), CL_PROGRAM_NUM_DEVICES, 4),
            released: |session| info(stale::program(session), CL_PROGRAM_NUM_DEVICES, 4),
            a_context: |session| info(session.context.cast(), CL_PROGRAM_NUM_DEVICES, 4),
        }
        CL_INVALID_VALUE {
            no_such_query: |session| info(session.built(GOOD), CL_PROGRAM_BUILD_LOG, 64),
            reference_count_too_large: |session| {
                info(session.built(GOOD), CL_PROGRAM_REFERENCE_COUNT, 3)
            },
            devices_too_large: |session| info(session.built(GOOD), CL_PROGRAM_DEVICES, 15),
            source_too_large: |session| info(session.built(GOOD), CL_PROGRAM_SOURCE, GOOD.len()),
            binary_sizes_too_large: |session| {
                info(session.built(GOOD), CL_PROGRAM_BINARY_SIZES, 15)
            },
            binaries_too_many: |session| info(session.built(GOOD), CL_PROGRAM_BINARIES, 15),
            kernel_names_too_large: |session| {
                info(session.built(GOOD), CL_PROGRAM_KERNEL_NAMES, 1)
            },
        }
        CL_INVALID_PROGRAM_EXECUTABLE {
            number_of_kernels_before_the_build: |session| {
                info(session.program(GOOD), CL_PROGRAM_NUM_KERNELS, 8)
            },
            kernel_names_before_the_build: |session| {
                info(session.program(GOOD), CL_PROGRAM_KERNEL_NAMES, 64)
            },
            kernel_names_of_a_compiled_object: |session| {
                info(compiled(session, GOOD), CL_PROGRAM_KERNEL_NAMES, 64)
            },
            kernel_names_during_a_build: |session| {
                let held = HeldBuild::begin(session, &[], Step::Build, GOOD);
                info(held.program, CL_PROGRAM_KERNEL_NAMES, 64)
            },
        }
    }
    clGetProgramBuildInfo {
        CL_INVALID_PROGRAM {
            null: |session| build_info(null_mut(), session.devices[0], CL_PROGRAM_BUILD_STATUS, 4),
            released: |session| {
                let program = stale::program(session);
                build_info(program, session.devices[0], CL_PROGRAM_BUILD_STATUS, 4)
            },
        }
        CL_INVALID_DEVICE {
            null: |session| {
                build_info(session.program(GOOD), null_mut(), CL_PROGRAM_BUILD_STATUS, 4)
            },
            not_the_programs: |session| {
                build_info(session.program(GOOD), session.devices[3], CL_PROGRAM_BUILD_STATUS, 4)
            },
            a_program: |session| {
                let program = session.program(GOOD);
                build_info(program, program.cast(), CL_PROGRAM_BUILD_STATUS, 4)
            },
            of_the_context_without_a_binary: |session| {
                let program = again(session, session.built(GOOD));
                build_info(program, session.devices[1], CL_PROGRAM_BUILD_STATUS, 4)
            },
        }
        CL_INVALID_VALUE {
            no_such_query: |session| {
                build_info(session.program(GOOD), session.devices[0], CL_PROGRAM_SOURCE, 512)
            },
            status_too_large: |session| {
                build_info(session.program(GOOD), session.devices[0], CL_PROGRAM_BUILD_STATUS, 3)
            },
            log_too_large: |session| {
                let program = session.program(WRONG);
                assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
                build_info(program, session.devices[0], CL_PROGRAM_BUILD_LOG, 5)
            },
        }
    }
}
