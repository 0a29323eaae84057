//! Calls with a program that is still being built. The build includes a file with a lease, so that it
//! lasts until the test ends it. Other platforms may build before the call returns.

use super::provoked;
use crate::held_build::{HeldBuild, Step};
use crate::linking::{compile, start};
use crate::session::{Session, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

const SOURCE: &str = "kernel void k(global int *x) { *x = 1; }";
const OTHER: &str = "kernel void other(global int *x) { *x = 2; }";

fn held(session: &Session, devices: &[cl_device_id], step: Step) -> HeldBuild {
    HeldBuild::begin(session, devices, step, SOURCE)
}

fn build(program: cl_program, devices: &[cl_device_id]) -> cl_int {
    let (count, list) = (devices.len() as u32, start(devices));
    // SAFETY: the list is read during the call.
    unsafe { clBuildProgram(program, count, list, null(), None, null_mut()) }
}

/// `clCompileProgram` for one device.
fn compile_for(program: cl_program, device: cl_device_id) -> cl_int {
    let none = null_mut();
    // SAFETY: the list is read during the call.
    unsafe { clCompileProgram(program, 1, &device, null(), 0, null(), null(), None, none) }
}

/// `clLinkProgram` for one device.
fn link_for(session: &Session, device: cl_device_id, programs: &[cl_program]) -> cl_int {
    let (count, list) = (programs.len() as u32, start(programs));
    // SAFETY: the lists are read during the call.
    refused(|code| unsafe {
        let (context, none) = (session.context, null_mut());
        clLinkProgram(context, 1, &device, null(), count, list, None, none, code)
    })
}

provoked! {
    clBuildProgram {
        CL_INVALID_OPERATION {
            being_built: |session| {
                let held = held(session, &[], Step::Build);
                build(held.program, &session.devices[..1])
            },
            being_compiled: |session| {
                let held = held(session, &session.devices[..1], Step::Compile);
                build(held.program, &[])
            },
        }
    }
    clCompileProgram {
        CL_INVALID_OPERATION {
            being_built: |session| compile(held(session, &[], Step::Build).program, &[]),
            being_compiled: |session| compile(held(session, &[], Step::Compile).program, &[]),
        }
    }
    clLinkProgram {
        CL_INVALID_OPERATION {
            being_compiled: |session| {
                let held = held(session, &session.devices[1..2], Step::Compile);
                let object = session.program(OTHER);
                ok(compile_for(object, session.devices[0]));
                link_for(session, session.devices[1], &[held.program, object])
            },
        }
    }
    clGetProgramInfo {
        CL_INVALID_PROGRAM_EXECUTABLE {
            kernel_names_during_a_build: |session| {
                let held = held(session, &[], Step::Build);
                let (to, name) = ([0u8; 64].as_mut_ptr().cast(), CL_PROGRAM_KERNEL_NAMES);
                // SAFETY: there is room for 64 bytes.
                unsafe { clGetProgramInfo(held.program, name, 64, to, null_mut()) }
            },
        }
    }
}
