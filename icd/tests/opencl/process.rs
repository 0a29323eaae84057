//! The ends of processes: C programs of `tests/programs`, each of which must end by
//! itself, with success.

use crate::session::vendors;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Compiles a program.
pub fn compile(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-o"])
        .arg(&program)
        .arg(&source)
        .arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../include"))
        .args(["-lOpenCL", "-lpthread"])
        .status()
        .unwrap();
    assert!(compiled.success());
    program
}

/// Compiles and runs a program; what it prints.
fn run(name: &str) -> String {
    run_with(&compile(name), &[])
}

/// Runs a program that has been compiled, with these variables; what it prints.
pub fn run_with(program: &Path, variables: &[(&str, &str)]) -> String {
    let name = program.display();
    let mut child = Command::new(program)
        .env("OCL_ICD_VENDORS", vendors())
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{name} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{name}: {status}");
    let mut printed = String::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_string(&mut printed).unwrap();
    printed
}

#[test]
fn exit_while_queues_are_busy() {
    run("exit_busy");
}

#[test]
fn exit_while_a_kernel_never_ends() {
    run("kernel_without_end");
}

#[test]
fn buffers_that_the_system_has_no_memory_for() {
    run("no_address_space");
}

#[test]
fn fork_after_use() {
    run("fork_after_use");
}

#[test]
fn the_current_folder_is_deleted() {
    run("deleted_folder");
}

#[test]
fn release_after_main() {
    run("release_after_main");
}

#[test]
fn kernels_print_on_standard_output() {
    assert_eq!(
        run("printf"),
        "before\n\
         1,2.5,-3 0.500000,10000000000.000000 x text  1.25|%|\n\
         1,-2,3,4 ff,10 -5,6 8,8,8,8,8,8,8,8 \
         200,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200\n\
         1.000000,2.000000 3.000000,3.000000,3.000000,3.000000 1099511627776 44 0xff (nil)\n\
         no arguments\ncall 0\ncall 1\n\
         7%n\nafter\n0 -1\n"
    );
}
