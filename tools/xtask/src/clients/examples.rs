//! The programs of the folder examples/, each typical for many.

use super::{Client, text};
use crate::platform::{self, Platform};
use crate::{command, python};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// Defines the client of a script in examples/pyopencl.
macro_rules! pyopencl {
    ($name:literal, $script:literal) => {
        Client {
            name: concat!("PyOpenCL ", $name),
            from: concat!("examples/pyopencl/", $script, ", pyopencl from PyPI"),
            command: concat!("python ", $script),
            right: "every result is compared with NumPy's",
            packages: &[],
            short: true,
            run: |platform| script(platform, concat!("pyopencl/", $script), PYOPENCL),
        }
    };
}

/// The clients, in C, C++ and Python.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "vector_add in C",
        from: "examples/vector_add_c",
        command: "./vector_add",
        right: "sums equal the host's",
        packages: &[],
        short: true,
        run: |platform| vector_add(platform, "cc", "vector_add_c/vector_add.c"),
    },
    Client {
        name: "vector_add in C++",
        from: "examples/vector_add_cpp, with Debian's opencl-clhpp-headers",
        command: "./vector_add",
        right: "sums equal the host's",
        packages: &[],
        short: true,
        run: |platform| vector_add(platform, "c++", "vector_add_cpp/vector_add.cpp"),
    },
    Client {
        name: "tiled DGEMM in C",
        from: "examples/dgemm",
        command: "./dgemm 512",
        right: "the product equals the host's within rounding",
        packages: &[],
        short: true,
        run: |platform| {
            text(&mut dgemm_program(platform, 512)?)?;
            Ok(String::new())
        },
    },
    pyopencl!("vector add", "vector_add.py"),
    pyopencl!("arrays", "array_arithmetic.py"),
    pyopencl!("ElementwiseKernel", "elementwise.py"),
    pyopencl!("ReductionKernel", "reduction.py"),
    pyopencl!("scans", "scan.py"),
    pyopencl!("images", "images.py"),
    pyopencl!("half precision", "half.py"),
    Client {
        name: "built-in kernels in C++",
        from: "examples/vendor_kernels, with Debian's opencl-clhpp-headers",
        command: "MOCL3_MACHINE=mma ./multiply",
        right: "products of a cluster and of accelerators equal the host's",
        packages: &[],
        short: true,
        run: |platform| {
            let program = compile("c++", "vendor_kernels/multiply.cpp", &[])?;
            let mut program = Command::new(program);
            text(platform.point(program.env("MOCL3_MACHINE", "mma")))?;
            Ok(String::new())
        },
    },
    Client {
        name: "PyOpenCL vendor's library",
        from: "examples/vendor_kernels/transform.py, pyopencl from PyPI",
        command: "python transform.py",
        right: "every result is compared with NumPy's",
        packages: &[],
        short: true,
        run: |platform| script(platform, "vendor_kernels/transform.py", PYOPENCL),
    },
    Client {
        name: "PyOpenCL custom device",
        from: "examples/custom_device/fir.py, pyopencl from PyPI",
        command: "MOCL3_MACHINE=dsp python fir.py",
        right: "the samples are compared with NumPy's",
        packages: &[],
        short: true,
        run: |platform| {
            let mut python = python::client(platform, "python", PYOPENCL)?;
            python.arg(folder().join("custom_device/fir.py"));
            text(python.env("MOCL3_MACHINE", "dsp"))?;
            Ok(String::new())
        },
    },
];

/// The PyPI packages that a script with PyOpenCL needs.
const PYOPENCL: &[&str] = &["pyopencl", "numpy", "mako"];

/// The folder of the examples.
pub fn folder() -> PathBuf {
    platform::root().join("examples")
}

/// Compiles a program of the examples folder with the system's compiler.
pub fn compile(compiler: &str, source: &str, libraries: &[&str]) -> Result<PathBuf> {
    let source = folder().join(source);
    let target = platform::target().join("examples");
    std::fs::create_dir_all(&target)?;
    let stem = source.file_stem().context("a source file has a name")?;
    let program = target.join(format!("{}-{compiler}", stem.to_string_lossy()));
    command::run(
        Command::new(compiler)
            .args(["-O2", "-Wall", "-o"])
            .arg(&program)
            .arg(&source)
            .args(libraries)
            .args(["-lOpenCL", "-lm"]),
    )?;
    Ok(program)
}

/// The demo: multiplies matrices of `size` rows and checks the product.
///
/// # Errors
/// The program's.
pub fn dgemm(platform: &Platform, size: u32) -> Result<()> {
    command::run(&mut dgemm_program(platform, size)?)
}

fn dgemm_program(platform: &Platform, size: u32) -> Result<Command> {
    let mut program = Command::new(compile("cc", "dgemm/dgemm.c", &[])?);
    program
        .current_dir(folder().join("dgemm"))
        .arg(size.to_string());
    platform.point(&mut program);
    Ok(program)
}

fn vector_add(platform: &Platform, compiler: &str, source: &str) -> Result<String> {
    let program = compile(compiler, source, &[])?;
    text(platform.point(&mut Command::new(program)))?;
    Ok(String::new())
}

fn script(platform: &Platform, name: &str, packages: &[&str]) -> Result<String> {
    let mut python = python::client(platform, "python", packages)?;
    text(python.arg(folder().join(name)))?;
    Ok(String::new())
}
