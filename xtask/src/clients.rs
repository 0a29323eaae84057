//! Ordinary OpenCL programs, which know nothing of MOCL3, run through the system's
//! loader.

use crate::platform::{self, point};
use crate::{command, packages, python};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// A program and how to tell that it worked.
type Client = (&'static str, fn() -> Result<()>);

/// Programs that take seconds.
pub const SHORT: &[Client] = &[
    ("clinfo", clinfo),
    ("vector_add in C", || {
        vector_add("cc", "vector_add_c/vector_add.c")
    }),
    ("vector_add in C++", || {
        vector_add("c++", "vector_add_cpp/vector_add.cpp")
    }),
    ("tiled DGEMM in C", || dgemm(512)),
    ("PyOpenCL vector add", || script("vector_add.py")),
    ("PyOpenCL arrays", || script("array_arithmetic.py")),
    ("PyOpenCL ElementwiseKernel", || script("elementwise.py")),
    ("PyOpenCL ReductionKernel", || script("reduction.py")),
    ("PyOpenCL scans", || script("scan.py")),
    ("PyOpenCL images", || script("images.py")),
    ("PyOpenCL half precision", || script("half.py")),
];

/// Programs that take minutes.
const LONG: &[Client] = &[("clpeak", clpeak)];

/// Runs the clients; how many passed and failed.
pub fn run(clients: &[Client]) -> (usize, usize) {
    let (mut passed, mut failed) = (0, 0);
    for (name, client) in clients {
        match client() {
            Ok(()) => {
                println!("client {name} ... ok");
                passed += 1;
            }
            Err(error) => {
                println!("client {name} ... FAILED: {error:#}");
                failed += 1;
            }
        }
    }
    (passed, failed)
}

/// `cargo xtask clients`.
///
/// # Errors
/// A client failed.
pub fn run_long() -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_COMPARISON)?;
    platform::build()?;
    let (_, failed) = run(&[SHORT, LONG].concat());
    if failed > 0 {
        bail!("{failed} clients failed");
    }
    Ok(())
}

fn demo(path: &str) -> PathBuf {
    platform::root().join("demo").join(path)
}

/// Compiles a program of the demo folder with the system's compiler.
fn compile(compiler: &str, source: &str) -> Result<PathBuf> {
    let source = demo(source);
    let folder = platform::target().join("demo");
    std::fs::create_dir_all(&folder)?;
    let stem = source.file_stem().context("a source file has a name")?;
    let program = folder.join(format!("{}-{compiler}", stem.to_string_lossy()));
    command::run(
        Command::new(compiler)
            .args(["-O2", "-Wall", "-o"])
            .arg(&program)
            .arg(&source)
            .args(["-lOpenCL", "-lm"]),
    )?;
    Ok(program)
}

/// The demo: multiplies matrices of `size` rows and checks the product.
///
/// # Errors
/// The program's.
pub fn dgemm(size: u32) -> Result<()> {
    let mut program = Command::new(compile("cc", "dgemm/dgemm.c")?);
    program.current_dir(demo("dgemm")).arg(size.to_string());
    command::run(point(&mut program))
}

fn vector_add(compiler: &str, source: &str) -> Result<()> {
    command::run(point(&mut Command::new(compile(compiler, source)?)))
}

fn script(name: &str) -> Result<()> {
    let environment = python::environment("python", &["pyopencl", "numpy", "mako"])?;
    let mut python = Command::new(environment.join("bin/python"));
    python.arg(demo("pyopencl").join(name));
    // The package brings a loader of its own; the system's is the one to be tried.
    python.env("LD_PRELOAD", "libOpenCL.so.1");
    // What was compiled for another build of the library would hide errors.
    python.env("PYOPENCL_NO_CACHE", "1");
    command::run(point(&mut python))
}

fn clinfo() -> Result<()> {
    let output = command::output(point(&mut Command::new("clinfo")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let wrong: Vec<&str> = text
        .lines()
        .filter(|line| {
            let line = line.to_ascii_lowercase();
            (line.contains("error") && !line.contains("error correction"))
                || line.contains("cl_invalid")
                || line.contains("failed")
        })
        .collect();
    if !output.status.success() || !wrong.is_empty() || !text.contains("MOCL3") {
        bail!("clinfo ended with {} and says: {wrong:?}", output.status);
    }
    Ok(())
}

fn clpeak() -> Result<()> {
    let mut program = Command::new("clpeak");
    let output = command::output(point(program.args(["-d", "0"])))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    // The last of its measurements.
    if !output.status.success() || !text.contains("Kernel launch latency") {
        bail!("clpeak ended with {} before its end", output.status);
    }
    if text.contains("Build Log") || text.contains("failed") {
        bail!("clpeak reports failures");
    }
    Ok(())
}
