//! The harness on MOCL3: each case runs once at a small size and must give right results.

use bench::built_library::built_library;
use std::path::Path;
use std::process::{Command, Output};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_bench");

fn bench(platform: &Path, arguments: &[&str]) -> Output {
    // ocl-icd takes a library's path for a folder with one .icd file.
    Command::new(EXECUTABLE)
        .arg(format!("it={}", platform.display()))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn every_case_is_right() {
    let output = bench(&built_library(EXECUTABLE), &["--quick"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(text, "", "failures are shown");
    // The harness prints one line per case.
    let list = Command::new(EXECUTABLE).arg("--list").output().unwrap();
    assert_eq!(
        errors.lines().count(),
        list.stdout.split(|b| *b == b'\n').count() - 1
    );
}

#[test]
fn a_case_that_fails_is_shown_and_the_others_run() {
    let output = bench(
        Path::new("/nonesuch"),
        &["--quick", "--only", "triad,launch"],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success());
    assert!(
        text.contains("triad failed on it: clGetPlatformIDs returned -1001")
            && text.contains("launch failed on it"),
        "{text}"
    );
}

#[test]
fn what_another_root_needs_is_named() {
    for (root, missing) in [
        ("/nonesuch", "the root file system /nonesuch is missing"),
        ("/", "cannot start bwrap (Debian's package bubblewrap)"),
    ] {
        let output = Command::new(EXECUTABLE)
            .arg(format!("it={root}:/nonesuch"))
            .args(["--quick", "--only", "triad"])
            .env("PATH", "")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let expected = format!("triad failed on it: {missing}");
        assert!(
            !output.status.success() && text.contains(&expected),
            "{text}"
        );
    }
}

#[test]
fn arguments_that_mean_nothing_run_nothing() {
    for arguments in [
        &["--only", "nonesuch"][..],
        &["--platform", "nonesuch"],
        &["--compare", "/nonesuch"],
    ] {
        let output = bench(Path::new("/nonesuch"), arguments);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{arguments:?}"
        );
        assert!(!output.stderr.is_empty());
    }
}
