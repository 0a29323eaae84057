//! The ends of processes: C programs of `tests/programs`, each of which must end by
//! itself, with success.

use crate::session::vendors;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn run(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-o"])
        .arg(&program)
        .arg(&source)
        .args(["-lOpenCL", "-lpthread"])
        .status()
        .unwrap();
    assert!(compiled.success());
    let mut child = Command::new(&program)
        .env("OCL_ICD_VENDORS", vendors())
        .stdin(Stdio::null())
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
}

#[test]
fn exit_while_queues_are_busy() {
    run("exit_busy");
}

#[test]
fn fork_after_use() {
    run("fork_after_use");
}

#[test]
fn release_after_main() {
    run("release_after_main");
}
