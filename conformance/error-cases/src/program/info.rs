//! Queries of programs and builds.

use super::sources::{GOOD, WRONG};
use crate::programs::{compiled, recreated};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::null_mut;

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

/// The cases.
pub static CASES: &[Entry] = table! {
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
            context_too_large: |session| info(session.built(GOOD), CL_PROGRAM_CONTEXT, 7),
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
                let program = recreated(session, session.built(GOOD));
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
};
