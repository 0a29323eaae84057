//! The command `conformance` as people and scripts use it.

use harness::built::library;
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_conformance");

fn conformance(arguments: &[&str]) -> Command {
    let library = library(Path::new(EXECUTABLE)).unwrap();
    let mut command = Command::new(EXECUTABLE);
    // ocl-icd takes a library's path for a folder with one .icd file.
    command.args(arguments).env("OCL_ICD_VENDORS", library);
    command
}

/// Exit code, standard output, standard error.
fn output(arguments: &[&str]) -> (i32, String, String) {
    let output = conformance(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_platform_that_is_not_there_is_answered_with_those_that_are() {
    let (code, printed, error) = output(&["--platform", "nonesuch"]);
    assert_eq!((code, printed.as_str()), (2, ""));
    assert!(
        error.contains("`nonesuch`") && error.contains("MOCL3 (OpenCL 1.2 MOCL3"),
        "{error}"
    );
}

#[test]
fn wrong_arguments_run_nothing() {
    for arguments in [
        &["--jobs", "0"][..],
        &["--repeat", "0"],
        &["--limit", "0"],
        &["--filter", "no such name"],
        &[
            "--category",
            "program",
            "--filter",
            "test_barrier_before_return",
        ],
        &["run", "nonesuch"],
        &["--json", "/nonesuch/report", "--filter", "bfs"],
        &["--known-failures", "/nonesuch", "--filter", "bfs"],
    ] {
        let (code, printed, error) = output(arguments);
        assert_eq!((code, printed.as_str()), (2, ""), "{arguments:?}");
        assert!(!error.is_empty(), "{arguments:?}");
    }
}

#[test]
fn in_a_pipe_nothing_but_the_report_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let (code, printed, error) = output(&["run", "bfs", "--json", json.to_str().unwrap()]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(printed.starts_with("MOCL3 (OpenCL 1.2"), "{printed}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["cases"][0]["outcome"], "passed");
}

/// A build option that no program survives.
const BREAKING: &str = "--options=-D kernel=\"it's $HOME\"";

#[test]
fn the_command_that_is_shown_fails_alike() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let json = json.to_str().unwrap();
    let (code, printed, _) = output(&["--filter", "bfs", BREAKING, "--seed=3", "--json", json]);
    assert_eq!(code, 1, "{printed}");
    assert!(
        printed.contains("FAILED bfs: ") && printed.contains("    | "),
        "{printed}"
    );
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let case = &report["cases"][0];
    let shell = Command::new("sh")
        .args(["-c", case["command"].as_str().unwrap()])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output()
        .unwrap();
    let again = String::from_utf8_lossy(&shell.stdout);
    assert_eq!(shell.status.code(), Some(1), "{again}");
    let first_line = case["message"].as_str().unwrap().lines().next().unwrap();
    assert!(
        again.contains(&format!("FAILED bfs: {first_line}")),
        "{again}"
    );
    assert!(again.contains(case["command"].as_str().unwrap()), "{again}");
}

#[test]
fn a_failure_on_the_list_ends_well_and_one_that_passes_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.toml");
    std::fs::write(
        &list,
        "[[failure]]\nplatform = 'mocl3'\nversion = '0'\ncase = 'bfs'\nreason = 'tried'\n",
    )
    .unwrap();
    let known = ["run", "bfs", "--known-failures", list.to_str().unwrap()];
    let (code, printed, _) = output(&[&known[..], &[BREAKING]].concat());
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("known failure bfs: tried\n"), "{printed}");
    let (code, printed, _) = output(&known);
    assert_eq!(code, 1, "{printed}");
    assert!(
        printed.contains("PASSED although it is a known failure: bfs\n"),
        "{printed}"
    );
}

#[test]
fn an_interrupted_run_reports_what_it_knows_and_leaves_no_process() {
    // More than can be done before the signal.
    let mut run = conformance(&["--jobs=2", "--repeat=100000", "--limit=600"]);
    let mut run = run.stdout(Stdio::piped()).spawn().unwrap();
    let workers = || {
        let output = Command::new("pgrep")
            .args(["-P", &run.id().to_string()])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let start = Instant::now();
    let mut cases = workers();
    while cases.is_empty() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
        cases = workers();
    }
    assert!(!cases.is_empty(), "no case began");
    // SAFETY: the process is this one's child and has not been waited for.
    assert_eq!(unsafe { libc::kill(run.id() as i32, libc::SIGINT) }, 0);
    let mut printed = String::new();
    run.stdout
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130), "{printed}");
    assert!(printed.contains("INTERRUPTED: "), "{printed}");
    for case in cases {
        assert!(
            !Path::new("/proc").join(&case).exists(),
            "process {case} is left"
        );
    }
}
