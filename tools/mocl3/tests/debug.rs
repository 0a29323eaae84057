//! Tests of `mocl3 debug`. The program that is debugged is `mocl3 doctor`, which runs a kernel.

mod library;

use library::write_icd;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mocl3");

fn debug(arguments: &[&str]) -> Output {
    let vendors = tempfile::tempdir().unwrap();
    write_icd(vendors.path());
    Command::new(PROGRAM)
        .arg("debug")
        .args(arguments)
        .env("OCL_ICD_VENDORS", vendors.path())
        .output()
        .unwrap()
}

fn printed(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr];
    streams.map(|text| String::from_utf8_lossy(text)).concat()
}

#[test]
fn gdb_stops_in_a_kernel_of_a_program_and_ends_with_its_status() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed (apt-get install gdb)");
        return;
    }
    let output = debug(&[
        "--batch",
        "--gdb-arg=-nx",
        "--ex",
        "break mocl3_work_group_function",
        "--ex",
        "run",
        "--ex",
        "info mocl3 locks",
        "--ex",
        "info source",
        "--ex",
        "kill",
        "--ex",
        "python gdb.execute('quit 7')",
        PROGRAM,
        "doctor",
        "--smoke-test",
    ]);
    let text = printed(&output);
    for expected in ["program.cl:", "No lock is held", "Located in /"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(output.status.code(), Some(7), "{text}");
    let located = text.split("Located in ").nth(1).unwrap();
    let source = located.lines().next().unwrap();
    assert!(!fs::exists(source).unwrap(), "{source} is left");
}

#[test]
fn a_missing_gdb_is_named_and_an_old_one_has_no_protocol_for_editors() {
    let output = debug(&["--gdb", "/nowhere/gdb", "true"]);
    assert_eq!(output.status.code(), Some(1));
    let text = printed(&output);
    assert!(text.contains("/nowhere/gdb is not installed"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("gdb");
    fs::write(&old, "#!/bin/sh\necho 'GNU gdb (Debian 13.1-3) 13.1'\n").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let output = debug(&["--gdb", old.to_str().unwrap(), "--dap"]);
    assert_eq!(output.status.code(), Some(1));
    let text = printed(&output);
    assert!(
        text.contains("gdb 13 has no Debug Adapter Protocol"),
        "{text}"
    );
}
