//! Simulated time is the same on every run, to the cycle, for any number of host threads, and with
//! or without vectorised untimed kernels.

use bench::built_library::built_library;
use recording::read_folder;
use std::path::Path;
use std::process::Command;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_bench");

/// Numbers of host threads with values of `MOCL3_LANES`; each number occurs twice.
const RUNS: &[(&str, &str)] = &[
    ("1", ""),
    ("1", "0"),
    ("2", ""),
    ("2", "8"),
    ("4", ""),
    ("4", "0"),
];

/// Cases that do not measure kernels.
const OTHERS: &[&str] = &[
    "launch", "saxpy", "build", "compile", "write", "read", "map",
];

/// The recorded commands of a case, with their times on the simulated machine.
fn recorded(case: &str, (threads, lanes): (&str, &str), cache: &Path) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(EXECUTABLE)
        .args(["--quick", "--measure", case])
        // ocl-icd takes a library's path for a folder with one .icd file.
        .env("OCL_ICD_VENDORS", built_library(EXECUTABLE))
        .env("MOCL3_HOST_THREADS", threads)
        .env("MOCL3_LANES", lanes)
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", cache)
        .env("MOCL3_RECORD", folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{case}: {errors}");
    let processes = read_folder(folder.path()).unwrap();
    let commands = processes.iter().flat_map(|process| &process.commands);
    commands
        .map(|command| {
            let mut value = serde_json::to_value(command).unwrap();
            let fields = value.as_object_mut().unwrap();
            fields.retain(|name, _| !name.starts_with("host_"));
            value
        })
        .collect()
}

#[test]
fn every_run_takes_the_same_time() {
    let list = Command::new(EXECUTABLE).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let names = list.lines().filter_map(|line| line.split(' ').next());
    let is_kernel = |name: &&str| !OTHERS.iter().any(|other| name.starts_with(other));
    let mut timed = 0;
    for case in names.filter(is_kernel) {
        let first = recorded(case, RUNS[0], cache.path());
        timed += first.iter().filter(|c| !c["report"].is_null()).count();
        for run in &RUNS[1..] {
            let again = recorded(case, *run, cache.path());
            assert_eq!(first.len(), again.len(), "{case}, {run:?}");
            for (first, again) in first.iter().zip(&again) {
                assert_eq!(first, again, "{case}, {run:?}");
            }
        }
    }
    assert!(timed > 30, "only {timed} launches are timed");
}
