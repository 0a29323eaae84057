//! Builds of programs from source.

use super::calls::{answer, build, build_status, log, not_made, program, text};
use crate::cases::watch::PATIENCE;
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{code, made};
use harness::callback::{self, Latch};
use harness::object::{Object, Program};
use harness::session::Session;
use opencl3::kernel;
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Runs the kernel `name(global int *)` as one work-item.
fn number(session: &Session, program: &Object<Program>, name: &str) -> Result<i32> {
    let name = std::ffi::CString::new(name)?;
    let made = made!(clCreateKernel(program.get(), name.as_ptr()))?;
    let kernel = kernel::Kernel::new(made);
    let there = session.buffer(&[-1])?;
    session.run(&kernel, &[1], &[1], &[&there])?;
    Ok(session.read(&there)?[0])
}

fn built(session: &Session, source: &str, options: &str) -> Result<Object<Program>> {
    let program = program(session.context.get(), source)?;
    let code = build(session, program.get(), options)?;
    ensure!(
        code == CL_SUCCESS && build_status(session, program.get())? == CL_SUCCESS,
        "{code} for options `{options}`, source {source}: {}",
        log(session, program.get())?
    );
    Ok(program)
}

fn refused_with(
    session: &Session,
    source: &str,
    options: &str,
    codes: &[cl_int],
) -> Result<String> {
    let program = program(session.context.get(), source)?;
    let code = build(session, program.get(), options)?;
    ensure!(
        codes.contains(&code),
        "clBuildProgram returned {code}, expected one of {codes:?}, for options `{options}`, source {source}"
    );
    if code == CL_BUILD_PROGRAM_FAILURE {
        let status = build_status(session, program.get())?;
        ensure!(
            status == CL_BUILD_ERROR,
            "build status {status} of a failure"
        );
    }
    // Nothing of it can be used.
    not_made!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(program.get(), c"test".as_ptr())
    )?;
    log(session, program.get())
}

const PLAIN: &str = "kernel void test(global int *out) { *out = 42; }\n";

/// The requirements of section 5.6.2 for builds, except those that `build_options` checks.
pub fn builds(session: &Session) -> Result<()> {
    // Headers from folders that options name, and from the current folder.
    let folder = tempfile::tempdir()?;
    let inner = folder.path().join("folder");
    std::fs::create_dir(&inner)?;
    std::fs::write(folder.path().join("seven.h"), "#define SEVEN 7\n")?;
    std::fs::write(
        inner.join("eight.h"),
        "#include \"nine.h\"\n#define EIGHT (NINE - 1)\n",
    )?;
    std::fs::write(inner.join("nine.h"), "#define NINE 9\n")?;
    let path = folder.path().display();
    let source = "#include \"seven.h\"\nkernel void test(global int *out) { *out = SEVEN; }\n";
    for options in [format!("-I{path}"), format!("-I {path}")] {
        let program = built(session, source, &options)?;
        equal("of a header", &[number(session, &program, "test")?], &[7])?;
    }
    let both = "#include <eight.h>\n#include \"seven.h\"\n\
        kernel void test(global int *out) { *out = 10 * EIGHT + SEVEN; }\n";
    let options = format!("-I {path}/folder -I{path}");
    let program = built(session, both, &options)?;
    equal(
        "of two headers",
        &[number(session, &program, "test")?],
        &[87],
    )?;
    refused_with(session, source, "", &[CL_BUILD_PROGRAM_FAILURE])?;
    let before = std::env::current_dir()?;
    std::env::set_current_dir(folder.path())?;
    let program = built(session, source, "-I.")?;
    equal(
        "of the current folder",
        &[number(session, &program, "test")?],
        &[7],
    )?;
    std::env::set_current_dir(before)?;

    // Errors in the source, and build logs that name them.
    let wrong = "kernel void test(global int *out)\n{\n    *out = no_such_variable;\n}\n";
    let log = refused_with(session, wrong, "", &[CL_BUILD_PROGRAM_FAILURE])?;
    ensure!(
        log.contains("no_such_variable"),
        "the log does not name what is wrong: {log}"
    );
    let log = refused_with(
        session,
        "kernel void test(global int *out) { *out = 1 }\n",
        "",
        &[CL_BUILD_PROGRAM_FAILURE],
    )?;
    ensure!(!log.trim().is_empty(), "the log of a syntax error is empty");
    let undefined = "int undefined_function(int);\n\
        kernel void test(global int *out) { *out = undefined_function(*out); }\n";
    refused_with(session, undefined, "", &[CL_BUILD_PROGRAM_FAILURE])?;

    // A kernel may have the name of a function of C libraries.
    for name in ["init", "_init", "main_", "memcpy_", "malloc"] {
        let source = format!("kernel void {name}(global int *out) {{ *out = 43; }}\n");
        let program = built(session, &source, "")?;
        equal(name, &[number(session, &program, name)?], &[43])?;
    }

    notified(session, PLAIN, CL_SUCCESS)?;
    notified(session, wrong, CL_BUILD_ERROR)
}

/// `pfn_notify` is called once, at the end of the build.
fn notified(session: &Session, source: &str, expected: cl_int) -> Result<()> {
    let program = program(session.context.get(), source)?;
    let (latch, calls) = (Latch::new(1), Arc::new(AtomicUsize::new(0)));
    let status = Arc::new(AtomicI32::new(i32::MAX));
    let (device, handle) = (session.device.id() as usize, program.get().addr());
    let user_data = callback::user_data("of a build", {
        let (latch, calls, status) = (latch.clone(), calls.clone(), status.clone());
        move |program, _| {
            calls.fetch_add(1, Ordering::SeqCst);
            let mut now = i32::MAX - 1;
            if program.addr() == handle {
                code!(clGetProgramBuildInfo(
                    program,
                    device as cl_device_id,
                    CL_PROGRAM_BUILD_STATUS,
                    size_of::<cl_int>(),
                    (&raw mut now).cast(),
                    null_mut()
                ));
            }
            status.store(now, Ordering::SeqCst);
            latch.count_down();
        }
    });
    let code = code!(clBuildProgram(
        program.get(),
        0,
        null(),
        null(),
        Some(callback::program),
        user_data
    ));
    ensure!(
        code == CL_SUCCESS || expected != CL_SUCCESS,
        "clBuildProgram with a callback returned {code}"
    );
    latch.wait_for("pfn_notify", PATIENCE)?;
    equal("calls", &[calls.load(Ordering::SeqCst)], &[1])?;
    equal(
        "the build status in the callback",
        &[status.load(Ordering::SeqCst)],
        &[expected],
    )?;
    if expected == CL_SUCCESS {
        equal("result", &[number(session, &program, "test")?], &[42])?;
    }
    Ok(())
}

/// Programs are built again: with other options, after a failed build, and after the kernels of the
/// last build were released (5.6.2 allows all of these).
pub fn again(session: &Session) -> Result<()> {
    let source = "kernel void test(global int *out) { *out = N; }\n";
    let program = program(session.context.get(), source)?;
    let builds = [
        (CL_SUCCESS, "-DN=5"),
        (CL_SUCCESS, "-D N=6"),
        (CL_BUILD_PROGRAM_FAILURE, "-DM=7"),
        (CL_BUILD_PROGRAM_FAILURE, "-DN=no_number"),
        (CL_SUCCESS, "-DN=8"),
    ];
    for (expected, options) in builds {
        let code = build(session, program.get(), options)?;
        equal(&format!("the code with `{options}`"), &[code], &[expected])?;
        let given = text(answer!(clGetProgramBuildInfo(
            program.get(),
            session.device.id(),
            CL_PROGRAM_BUILD_OPTIONS
        ))?)?;
        ensure!(
            given.trim().starts_with(options),
            "CL_PROGRAM_BUILD_OPTIONS is `{given}` after `{options}`"
        );
        if expected != CL_SUCCESS {
            not_made!(
                CL_INVALID_PROGRAM_EXECUTABLE,
                clCreateKernel(program.get(), c"test".as_ptr())
            )?;
            continue;
        }
        let expected = options.bytes().last().map(|digit| i32::from(digit - b'0'));
        let got = number(session, &program, "test")?;
        equal("of this build", &[Some(got)], &[expected])?;
    }
    Ok(())
}

/// Options of section 5.6.4, one by one and together; predefined macros.
pub fn build_options(session: &Session) -> Result<()> {
    builds(session)?;
    for option in [
        "-cl-strict-aliasing",
        "-cl-denorms-are-zero",
        "-cl-no-signed-zeros",
        "-cl-single-precision-constant",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-opt-disable",
        "-cl-mad-enable",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-kernel-arg-info",
        "-cl-strict-aliasing -cl-denorms-are-zero  -cl-no-signed-zeros",
        "-w",
        "-Werror",
    ] {
        // Section 5.6.4.2: an option that the device does not support is invalid.
        if option.contains("correctly-rounded")
            && session.device.single_fp_config()? & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT == 0
        {
            continue;
        }
        let program = built(session, PLAIN, option)?;
        equal(option, &[number(session, &program, "test")?], &[42])?;
    }
    for option in [
        "-cl-no-such-option",
        "-fno-such-option",
        "no_option",
        "-cl-std=CL9.9",
    ] {
        refused_with(session, PLAIN, option, &[CL_INVALID_BUILD_OPTIONS])?;
    }
    let warning = "#warning beware\nkernel void test(global int *out) { *out = 44; }\n";
    let program = built(session, warning, "")?;
    equal(
        "in spite of a warning",
        &[number(session, &program, "test")?],
        &[44],
    )?;
    refused_with(session, warning, "-Werror", &[CL_BUILD_PROGRAM_FAILURE])?;
    built(session, warning, "-w -Werror")?;

    let std = "kernel void test(global int *out) { *out = __OPENCL_C_VERSION__; }\n";
    for (option, expected) in [("-cl-std=CL1.1", 110), ("-cl-std=CL1.2", 120)] {
        let program = built(session, std, option)?;
        equal(option, &[number(session, &program, "test")?], &[expected])?;
    }
    // Devices of earlier versions may accept such sources as well.
    let codes = [CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE];
    if session.device.version()?.starts_with("OpenCL 3")
        || refused_with(session, std, "-cl-std=CL3.0", &codes).is_err()
    {
        let program = built(session, std, "-cl-std=CL3.0")?;
        equal(
            "-cl-std=CL3.0",
            &[number(session, &program, "test")?],
            &[300],
        )?;
    }
    macros(session)
}

fn macros(session: &Session) -> Result<()> {
    let is = |source: &str, options: &str, expected: i32| {
        let source = format!("kernel void test(global int *out) {{ *out = {source}; }}\n");
        let program = built(session, &source, options)?;
        let got = number(session, &program, "test")?;
        equal(&format!("{source} with `{options}`"), &[got], &[expected])
    };
    is("NAME", "-DNAME", 1)?;
    is("NAME + OTHER", "-D NAME=40 -DOTHER=2", 42)?;
    is("CL_VERSION_1_0 * 1000 + CL_VERSION_1_1", "", 100_110)?;
    is("CL_VERSION_1_2", "", 120)?;
    is("__OPENCL_VERSION__ >= 120", "", 1)?;
    is("__OPENCL_C_VERSION__", "-cl-std=CL1.2", 120)?;
    let little = i32::from(session.device.endian_little()?);
    is(
        "\n#ifdef __ENDIAN_LITTLE__\n1\n#else\n0\n#endif\n",
        "",
        little,
    )?;
    let images = i32::from(session.device.image_support()?);
    is(
        "\n#ifdef __IMAGE_SUPPORT__\n1\n#else\n0\n#endif\n",
        "",
        images,
    )?;
    let relaxed = "\n#ifdef __FAST_RELAXED_MATH__\n1\n#else\n0\n#endif\n";
    is(relaxed, "", 0)?;
    is(relaxed, "-cl-fast-relaxed-math", 1)?;
    is("__LINE__", "", 1)?;
    is("sizeof(__FILE__) > 0", "", 1)?;
    is(
        "(int)sizeof(size_t) * 8",
        "",
        session.device.address_bits()? as i32,
    )
}

/// Headers with one name whose contents change between builds of the same source.
pub fn included_headers(session: &Session) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    std::fs::create_dir(&first)?;
    std::fs::create_dir(&second)?;
    let header = second.join("value.h");
    let inner = second.join("inner.h");
    std::fs::write(
        &header,
        "#include \"inner.h\"\n#define VALUE (1000 + INNER)\n",
    )?;
    let written = std::time::SystemTime::now();
    let options = format!("-I{} -I{}", first.display(), second.display());
    let source = "#include \"value.h\"\nkernel void test(global int *out) { *out = VALUE; }\n";
    let value = || -> Result<i32> {
        let program = built(session, source, &options)?;
        number(session, &program, "test")
    };
    // The files have the same length and time; only their contents differ.
    for inner_value in [11, 22, 11, 33] {
        std::fs::write(&inner, format!("#define INNER {inner_value}\n"))?;
        std::fs::File::options()
            .write(true)
            .open(&inner)?
            .set_modified(written)?;
        for time in ["first", "second"] {
            let got = value()?;
            equal(
                &format!("{time} build, INNER {inner_value}"),
                &[got],
                &[1000 + inner_value],
            )?;
        }
    }
    // A file that is found earlier is created and deleted.
    std::fs::write(first.join("value.h"), "#define VALUE 5\n")?;
    equal("with a header in an earlier folder", &[value()?], &[5])?;
    std::fs::remove_file(first.join("value.h"))?;
    equal("without it", &[value()?], &[1033])?;
    std::fs::remove_file(&header)?;
    refused_with(session, source, &options, &[CL_BUILD_PROGRAM_FAILURE])?;
    Ok(())
}

/// A function that is declared and called, but not defined.
pub fn link_error(session: &Session) -> Result<()> {
    let source = "int nowhere(int);\n\
        kernel void test(global int *out) { *out = nowhere(*out); }\n";
    for _ in 0..2 {
        let log = refused_with(session, source, "", &[CL_BUILD_PROGRAM_FAILURE])?;
        ensure!(
            log.contains("nowhere"),
            "the log does not name the function: {log}"
        );
    }
    // It may be undefined if it is not called.
    let program = built(session, &format!("int nowhere(int);\n{PLAIN}"), "")?;
    equal(
        "declared only",
        &[number(session, &program, "test")?],
        &[42],
    )?;
    let program = built(
        session,
        &format!("{source}int nowhere(int x) {{ return x + 9; }}\n"),
        "",
    )?;
    equal(
        "defined behind",
        &[number(session, &program, "test")?],
        &[8],
    )
}

/// Two separately compiled units, linked in both orders; a header; units that do not fit together.
pub fn compile_and_link(session: &Session) -> Result<()> {
    let header = ("shared.h", "int twice(int x);\n#define OFFSET 5\n");
    let caller = "#include \"shared.h\"\n\
        kernel void test(global int *out) { *out = twice(*out + ADD) + OFFSET; }\n";
    let callee = "#include \"shared.h\"\nint twice(int x) { return 2 * x; }\n\
        kernel void other(global int *out) { *out = twice(*out) - OFFSET; }\n";
    let caller = session.compile(caller, "-DADD=20", header)?;
    let callee = session.compile(callee, "", header)?;
    let library = session.link(&[&callee], "-create-library")?;
    for units in [[&caller, &callee], [&callee, &caller], [&caller, &library]] {
        let program = session.link(&units, "")?;
        for (name, expected) in [("test", 2 * (3 + 20) + 5), ("other", 2 * 3 - 5)] {
            let there = session.buffer(&[3])?;
            session.run(&program.kernel(name)?, &[1], &[1], &[&there])?;
            equal(name, &session.read(&there)?, &[expected])?;
        }
    }
    let failure = session.link(&[&caller], "").map(|_| ());
    let message = format!(
        "{:#}",
        failure.err().context("linked without the function")?
    );
    ensure!(
        message.contains("CL_LINK_PROGRAM_FAILURE"),
        "without the function: {message}, expected CL_LINK_PROGRAM_FAILURE"
    );
    let failure = session.link(&[&caller, &callee, &callee], "").map(|_| ());
    ensure!(failure.is_err(), "linked with one function defined twice");
    let failure = caller.kernel("test").map(|_| ());
    ensure!(
        failure.is_err(),
        "a kernel of a program that was only compiled"
    );
    Ok(())
}
