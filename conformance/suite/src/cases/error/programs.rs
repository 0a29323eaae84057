//! Programs and kernels.

use super::codes::{Codes, not_made, wrong, wrong_queries};
use crate::cases::calls;
use anyhow::Result;
use cl_sys::*;
use harness::call::{made, ok};
use harness::callback;
use harness::object::{Kernel, Object, Program};
use harness::session::Session;
use std::ptr::{null, null_mut};

const SOURCE: &str = "kernel void test(global int *out, int number, local int *scratch)\n\
    {\n    scratch[get_local_id(0)] = number;\n    out[0] = scratch[get_local_id(0)];\n}\n\
    kernel void other(global int *out) { *out = 1; }\n";

/// Built from `SOURCE`.
pub fn built(session: &Session) -> Result<Object<Program>> {
    session.show_source(SOURCE)?;
    let program = calls::program(session.context.get(), SOURCE)?;
    let code = calls::build(session, program.get(), "")?;
    calls::is("clBuildProgram", code, CL_SUCCESS)?;
    Ok(program)
}

/// Making, building, compiling, linking.
pub fn programs(session: &Session) -> Result<()> {
    let mut codes = Codes::default();
    let (context, device) = (session.context.get(), session.device.id());
    let none = null_mut();
    let mut source = c"kernel void empty(void) {}".as_ptr();
    let mut missing = null();
    not_made!(
        codes,
        "the context is null",
        CL_INVALID_CONTEXT,
        clCreateProgramWithSource(none, 1, &raw mut source, null())
    );
    not_made!(
        codes,
        "no strings",
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 0, &raw mut source, null())
    );
    not_made!(
        codes,
        "the strings are null",
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 1, none.cast(), null())
    );
    not_made!(
        codes,
        "a string is null",
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 1, &raw mut missing, null())
    );
    let (bytes, length) = ([1u8, 2, 3, 4], 4usize);
    let mut binary = bytes.as_ptr();
    let (binaries, lengths) = (&raw mut binary, &raw const length);
    not_made!(
        codes,
        "no devices",
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(
            context,
            0,
            &raw const device,
            lengths,
            binaries,
            none.cast()
        )
    );
    not_made!(
        codes,
        "devices are null",
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(context, 1, null(), lengths, binaries, none.cast())
    );
    not_made!(
        codes,
        "lengths are null",
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(context, 1, &raw const device, null(), binaries, none.cast())
    );
    not_made!(
        codes,
        "length 0",
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(context, 1, &raw const device, &0, binaries, none.cast())
    );
    not_made!(
        codes,
        "no binary",
        CL_INVALID_BINARY,
        clCreateProgramWithBinary(
            context,
            1,
            &raw const device,
            lengths,
            binaries,
            none.cast()
        )
    );
    not_made!(
        codes,
        "an unknown name",
        CL_INVALID_VALUE,
        clCreateProgramWithBuiltInKernels(
            context,
            1,
            &raw const device,
            c"none of that name".as_ptr().cast()
        )
    );

    let program = built(session)?;
    let fresh = calls::program(context, SOURCE)?;
    let broken = calls::program(context, "kernel void broken(void) { undeclared = 1; }")?;
    let options = c"".as_ptr();
    let something = callback::user_data("never registered", |_, _| ());
    callback::forget(something);
    wrong!(
        codes,
        "null",
        CL_INVALID_PROGRAM,
        clBuildProgram(none, 0, null(), options, None, none)
    );
    wrong!(
        codes,
        "user data without callback",
        CL_INVALID_VALUE,
        clBuildProgram(fresh.get(), 0, null(), options, None, something)
    );
    wrong!(
        codes,
        "devices, but none",
        CL_INVALID_VALUE,
        clBuildProgram(fresh.get(), 0, &raw const device, options, None, none)
    );
    wrong!(
        codes,
        "a device, but null",
        CL_INVALID_VALUE,
        clBuildProgram(fresh.get(), 1, null(), options, None, none)
    );
    wrong!(
        codes,
        "the device is null",
        CL_INVALID_DEVICE,
        clBuildProgram(fresh.get(), 1, &null_mut(), options, None, none)
    );
    wrong!(
        codes,
        "an unknown option",
        CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(
            fresh.get(),
            0,
            null(),
            c"-no-such-option".as_ptr(),
            None,
            none
        )
    );
    wrong!(
        codes,
        "with an error in the source",
        CL_BUILD_PROGRAM_FAILURE,
        clBuildProgram(broken.get(), 0, null(), options, None, none)
    );
    let kernel =
        made!(clCreateKernel(program.get(), c"other".as_ptr())).map(Object::<Kernel>::new)?;
    wrong!(
        codes,
        "while there are kernels",
        CL_INVALID_OPERATION,
        clBuildProgram(program.get(), 0, null(), options, None, none)
    );
    drop(kernel);

    let no_names = null_mut();
    wrong!(
        codes,
        "an unknown option",
        CL_INVALID_COMPILER_OPTIONS,
        clCompileProgram(
            fresh.get(),
            0,
            null(),
            c"-no-such-option".as_ptr(),
            0,
            null(),
            no_names,
            None,
            none
        )
    );
    wrong!(
        codes,
        "headers without names",
        CL_INVALID_VALUE,
        clCompileProgram(
            fresh.get(),
            0,
            null(),
            options,
            1,
            &fresh.get(),
            no_names,
            None,
            none
        )
    );
    wrong!(
        codes,
        "with an error in the source",
        CL_COMPILE_PROGRAM_FAILURE,
        clCompileProgram(
            broken.get(),
            0,
            null(),
            options,
            0,
            null(),
            no_names,
            None,
            none
        )
    );
    let uncompiled = calls::program(context, SOURCE)?;
    not_made!(
        codes,
        "no programs",
        CL_INVALID_VALUE,
        clLinkProgram(
            context,
            0,
            null(),
            options,
            0,
            &uncompiled.get(),
            None,
            none
        )
    );
    not_made!(
        codes,
        "programs are null",
        CL_INVALID_VALUE,
        clLinkProgram(context, 0, null(), options, 1, null(), None, none)
    );
    not_made!(
        codes,
        "a program that is not compiled",
        CL_INVALID_OPERATION,
        clLinkProgram(
            context,
            0,
            null(),
            options,
            1,
            &uncompiled.get(),
            None,
            none
        )
    );
    ok!(clCompileProgram(
        fresh.get(),
        0,
        null(),
        options,
        0,
        null(),
        no_names,
        None,
        none
    ))?;
    not_made!(
        codes,
        "an unknown option",
        CL_INVALID_LINKER_OPTIONS,
        clLinkProgram(
            context,
            0,
            null(),
            c"-no-such-option".as_ptr(),
            1,
            &fresh.get(),
            None,
            none
        )
    );

    wrong!(
        codes,
        "null",
        CL_INVALID_PROGRAM,
        clGetProgramInfo(none, CL_PROGRAM_CONTEXT, 0, none, none.cast())
    );
    wrong_queries!(codes, CL_PROGRAM_CONTEXT, clGetProgramInfo(program.get()));
    let status = CL_PROGRAM_BUILD_STATUS;
    wrong!(
        codes,
        "the device is null",
        CL_INVALID_DEVICE,
        clGetProgramBuildInfo(program.get(), none, status, 0, none, none.cast())
    );
    wrong!(
        codes,
        "null",
        CL_INVALID_PROGRAM,
        clGetProgramBuildInfo(none, device, status, 0, none, none.cast())
    );
    wrong_queries!(codes, status, clGetProgramBuildInfo(program.get(), device));
    wrong!(
        codes,
        "of kernels before the build",
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(
            uncompiled.get(),
            CL_PROGRAM_NUM_KERNELS,
            0,
            none,
            none.cast()
        )
    );
    wrong!(codes, "null", CL_INVALID_PROGRAM, clRetainProgram(none));
    wrong!(codes, "null", CL_INVALID_PROGRAM, clReleaseProgram(none));
    codes.result()
}
