//! Creating, retaining and releasing programs.

use super::sources::GOOD;
use crate::programs::{binaries, start};
use crate::session::{Session, ok, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

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
    fn new(session: &Session) -> Self {
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

/// `clCreateProgramWithBinary` for the first device, with a length that need not be the binary's.
fn one_binary(session: &Session, bytes: &[u8], length: usize) -> cl_int {
    assert!(length <= bytes.len());
    let (context, device, binary) = (session.context, &session.devices[0], bytes.as_ptr());
    // SAFETY: the lists have one element; the binary has at least `length` bytes.
    refused(|code| unsafe {
        clCreateProgramWithBinary(context, 1, device, &length, &binary, null_mut(), code)
    })
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

/// The cases.
pub static CASES: &[Entry] = table! {
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
                WithBinary { context: null_mut(), ..WithBinary::new(session) }.refused()
            },
            released: |session| {
                WithBinary { context: stale::context(session), ..WithBinary::new(session) }.refused()
            },
        }
        CL_INVALID_VALUE {
            no_devices: |session| {
                WithBinary { devices: Vec::new(), ..WithBinary::new(session) }.refused()
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
                let mut call = WithBinary::new(session);
                call.binaries[1] = None;
                let code = call.refused();
                assert_eq!(call.status, [CL_SUCCESS, CL_INVALID_VALUE]);
                code
            },
            a_length_0: |session| {
                let mut call = WithBinary::new(session);
                call.binaries[0] = Some(Vec::new());
                let code = call.refused();
                assert_eq!(call.status, [CL_INVALID_VALUE, CL_SUCCESS]);
                code
            },
            device_list_null: |session| {
                let (bytes, status) = ([1u8, 2, 3, 4], null_mut());
                let (binary, length) = (bytes.as_ptr(), bytes.len());
                // SAFETY: the lists of lengths and binaries have one element.
                refused(|code| unsafe {
                    let context = session.context;
                    clCreateProgramWithBinary(context, 1, null(), &length, &binary, status, code)
                })
            },
            the_only_length_0: |session| one_binary(session, &[1, 2, 3, 4], 0),
        }
        CL_INVALID_DEVICE {
            of_another_context: |session| {
                WithBinary { devices: session.devices[2..].to_vec(), ..WithBinary::new(session) }
                    .refused()
            },
            null: |session| {
                let devices = vec![session.devices[0], null_mut()];
                WithBinary { devices, ..WithBinary::new(session) }.refused()
            },
            given_twice: |session| {
                let devices = vec![session.devices[0]; 2];
                WithBinary { devices, ..WithBinary::new(session) }.refused()
            },
        }
        CL_INVALID_BINARY {
            no_binary_of_ours: |session| {
                let mut call = WithBinary::new(session);
                call.binaries[1] = Some(b"\x7fELF and so on".to_vec());
                let code = call.refused();
                assert_eq!(call.status, [CL_SUCCESS, CL_INVALID_BINARY]);
                code
            },
            truncated: |session| {
                let mut call = WithBinary::new(session);
                call.binaries[0].as_mut().unwrap().pop();
                let code = call.refused();
                assert_eq!(call.status, [CL_INVALID_BINARY, CL_SUCCESS]);
                code
            },
            damaged: |session| {
                let mut call = WithBinary::new(session);
                *call.binaries[0].as_mut().unwrap().last_mut().unwrap() ^= 1;
                call.refused()
            },
            four_bytes: |session| one_binary(session, &[1, 2, 3, 4], 4),
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
                built_in(session.context, session.members(), Some(c"copy;fill"))
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
};
