//! Programs from their binaries.

use super::calls::{self, answer, not_made, number};
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Object, Program};
use harness::session::{Local, Session};
use opencl3::kernel::Kernel;
use std::ptr::{null, null_mut};

const SOURCE: &str = include_str!("binaries.cl");

fn binary(program: &Object<Program>) -> Result<Vec<u8>> {
    let size: usize = number(answer!(clGetProgramInfo(
        program.get(),
        CL_PROGRAM_BINARY_SIZES
    ))?)?;
    ensure!(size > 0, "CL_PROGRAM_BINARY_SIZES is 0 for a built program");
    let mut bytes = vec![0; size];
    let mut place: *mut u8 = bytes.as_mut_ptr();
    ok!(clGetProgramInfo(
        program.get(),
        CL_PROGRAM_BINARIES,
        size_of::<*mut u8>(),
        (&raw mut place).cast(),
        null_mut()
    ))?;
    Ok(bytes)
}

fn of_source(session: &Session) -> Result<Object<Program>> {
    calls::built(session, session.context.get(), SOURCE, "-DFACTOR=3")
}

fn of_binary(session: &Session, binary: &[u8]) -> Result<Object<Program>> {
    let (device, mut status) = (session.device.id(), 77);
    let (length, mut start) = (binary.len(), binary.as_ptr());
    let program = made!(clCreateProgramWithBinary(
        session.context.get(),
        1,
        &raw const device,
        &raw const length,
        &raw mut start,
        &raw mut status
    ))
    .map(Object::new)?;
    ensure!(status == CL_SUCCESS, "binary_status is {status}");
    Ok(program)
}

fn built(session: &Session, binary: &[u8]) -> Result<Object<Program>> {
    let program = of_binary(session, binary)?;
    ok!(clBuildProgram(
        program.get(),
        0,
        null(),
        null(),
        None,
        null_mut()
    ))?;
    Ok(program)
}

fn kernel(program: &Object<Program>, name: &std::ffi::CStr) -> Result<Kernel> {
    made!(clCreateKernel(program.get(), name.as_ptr())).map(Kernel::new)
}

fn multiplied(session: &Session, program: &Object<Program>) -> Result<()> {
    let there = session.buffer(&(0..100).collect::<Vec<i32>>())?;
    session.run(&kernel(program, c"multiply")?, &[100], &[], &[&there])?;
    let expected: Vec<i32> = (0..100).map(|number| number * 3).collect();
    equal("products", &session.read(&there)?, &expected)
}

/// From source to binary, from binary to program, twice; and invalid calls.
pub fn round_trip(session: &Session) -> Result<()> {
    let first = of_source(session)?;
    multiplied(session, &first)?;
    let bytes = binary(&first)?;
    drop(first);
    let second = built(session, &bytes)?;
    multiplied(session, &second)?;
    let third = built(session, &binary(&second)?)?;
    drop(second);
    multiplied(session, &third)?;
    let devices: usize = number(answer!(clGetProgramInfo(third.get(), CL_PROGRAM_DEVICES))?)?;
    equal(
        "CL_PROGRAM_DEVICES",
        &[devices],
        &[session.device.id() as usize],
    )?;

    invalid_binaries(session, &bytes)
}

/// Calls of `clCreateProgramWithBinary` that must fail; `binary` is valid.
fn invalid_binaries(session: &Session, binary: &[u8]) -> Result<()> {
    let (context, device) = (session.context.get(), session.device.id());
    let no_device: cl_device_id = null_mut();
    let (length, zero) = (binary.len(), 0usize);
    let (start, mut status) = (binary.as_ptr(), 77);
    let create = |expected, context, devices: (_, _), length, (start, status): (*const u8, _)| {
        let mut start = start;
        not_made!(
            expected,
            clCreateProgramWithBinary(
                context,
                devices.0,
                devices.1,
                length,
                &raw mut start,
                status
            )
        )
    };
    let (one, size) = ((1, &raw const device), &raw const length);
    let (valid, with_status) = ((start, null_mut()), (start, &raw mut status));
    let no_devices = (0, &raw const device);
    create(
        CL_INVALID_DEVICE,
        context,
        (1, &raw const no_device),
        size,
        valid,
    )?;
    create(CL_INVALID_VALUE, context, no_devices, size, valid)?;
    create(CL_INVALID_VALUE, context, (1, null()), size, valid)?;
    create(CL_INVALID_VALUE, context, one, null(), valid)?;
    create(CL_INVALID_VALUE, context, one, &raw const zero, with_status)?;
    let nowhere = (null(), &raw mut status);
    create(CL_INVALID_VALUE, context, one, size, nowhere)?;
    create(CL_INVALID_CONTEXT, null_mut(), one, size, valid)?;
    garbage(session)
}

/// Bytes that are no binary.
fn garbage(session: &Session) -> Result<()> {
    let (context, device) = (session.context.get(), session.device.id());
    let garbage = b"This is the binary of no program. ".repeat(20);
    let (length, mut start, mut status) = (garbage.len(), garbage.as_ptr(), 77);
    not_made!(
        CL_INVALID_BINARY,
        clCreateProgramWithBinary(
            context,
            1,
            &raw const device,
            &raw const length,
            &raw mut start,
            &raw mut status
        )
    )?;
    equal("binary_status of garbage", &[status], &[CL_INVALID_BINARY])
}

/// One kernel from a binary, with and without barriers, in groups of all shapes.
pub fn several_local_sizes(session: &Session) -> Result<()> {
    let bytes = binary(&of_source(session)?)?;
    let program = built(session, &bytes)?;
    let kernel = kernel(&program, c"reverse_groups")?;
    let global = [16, 12, 4];
    let items: usize = global.iter().product();
    for local in [
        [1, 1, 1],
        [16, 1, 1],
        [4, 3, 2],
        [1, 12, 1],
        [2, 2, 2],
        [8, 6, 4],
        [1, 1, 1],
    ] {
        let group: usize = local.iter().product();
        let out = session.zeros::<i32>(items)?;
        session.run(&kernel, &global, &local, &[&out, &Local::<i32>::new(group)])?;
        let groups = [0, 1, 2].map(|at| global[at] / local[at]);
        // Each work-item gets the number of its mirror image in the group.
        let expected: Vec<i32> = (0..items)
            .map(|item| {
                let at = [item % 16, item / 16 % 12, item / 192];
                let of_group = [0, 1, 2].map(|axis| at[axis] / local[axis]);
                let inside = [0, 1, 2].map(|axis| at[axis] % local[axis]);
                let flat = inside[0] + local[0] * (inside[1] + local[1] * inside[2]);
                let which = of_group[0] + groups[0] * (of_group[1] + groups[1] * of_group[2]);
                (which * 1000 + group - 1 - flat) as i32 * 3
            })
            .collect();
        equal(
            &format!("local size {local:?}"),
            &session.read(&out)?,
            &expected,
        )?;
    }
    multiplied(session, &program)
}
