//! Programs from binaries have source lines (docs/compiler/cache.md, "Program binaries").

use crate::process::{compile, run_with_arguments};
use recording::{Process, read_folder};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("build_and_run"));

const SOURCE: &str = "kernel void k(global int *x) {\n  int sum = 0;\n  \
    for (int i = 0; i < *x * 1000; ++i)\n    sum += i ^ *x;\n  *x = sum + N;\n}\n";

/// A folder with the binary of a program.
fn saved(source: &str, options: &str, more: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("binary");
    let arguments = ["save", file.to_str().unwrap(), source, options];
    run_with_arguments(&PROGRAM, &arguments, more);
    folder
}

/// Runs that binary; returns what it printed and the recording.
fn recorded(folder: &Path) -> (String, Process) {
    let file = folder.join("binary");
    let inner = folder.join("recording");
    let variables = [("MOCL3_RECORD", inner.to_str().unwrap())];
    let printed = run_with_arguments(&PROGRAM, &["binary", file.to_str().unwrap()], &variables);
    (printed, read_folder(&inner).unwrap().remove(0))
}

/// The texts of the lines that have cycles.
fn lines(process: &Process) -> Vec<&str> {
    let launch = process
        .commands
        .iter()
        .find(|command| command.kernel.is_some());
    let report = launch.unwrap().report.as_ref().unwrap();
    let files = &process.programs[0].files;
    let text = |name: &str| &files.iter().find(|file| file.name == name).unwrap().text;
    report
        .lines
        .iter()
        .map(|line| {
            text(&line.file)
                .lines()
                .nth(line.line as usize - 1)
                .unwrap()
                .trim()
        })
        .collect()
}

#[test]
fn a_binary_of_an_ordinary_run_has_its_lines_in_a_recording() {
    let folder = saved(SOURCE, "-DN=7", &[]);
    let (printed, process) = recorded(folder.path());
    // `N` is 7: the options were in the binary.
    let sum: i32 = (0..1000).map(|i| i ^ 1).sum::<i32>() + 7;
    assert!(printed.contains(&format!("result {sum}\n")), "{printed}");
    assert!(lines(&process).contains(&"sum += i ^ *x;"), "{process:?}");
}

#[test]
fn a_binary_of_a_recorded_run_keeps_its_lines() {
    let other = tempfile::tempdir().unwrap();
    let variables = [("MOCL3_RECORD", other.path().to_str().unwrap())];
    let folder = saved(SOURCE, "-DN=7", &variables);
    let (_, process) = recorded(folder.path());
    assert!(lines(&process).contains(&"sum += i ^ *x;"), "{process:?}");
}

/// The binary's code runs, not that of the header that is there now.
#[test]
fn a_header_that_has_changed_gives_no_lines_and_the_binarys_result() {
    let headers = tempfile::tempdir().unwrap();
    let header = headers.path().join("value.h");
    fs::write(&header, "#define N 7\n").unwrap();
    let options = format!("-I {}", headers.path().display());
    let folder = saved(&format!("#include <value.h>\n{SOURCE}"), &options, &[]);
    fs::write(&header, "#define N 8\n").unwrap();
    let (printed, process) = recorded(folder.path());
    let sum: i32 = (0..1000).map(|i| i ^ 1).sum::<i32>() + 7;
    assert!(printed.contains(&format!("result {sum}\n")), "{printed}");
    assert_eq!(lines(&process), Vec::<&str>::new());
}

#[test]
fn findings_in_a_binary_have_their_lines() {
    let source = "kernel void k(global int *x) {\n  x[1] = 5;\n}\n";
    let folder = saved(source, "", &[]);
    let findings = folder.path().join("findings");
    fs::create_dir(&findings).unwrap();
    let variables = [
        ("MOCL3_CHECK", "memory"),
        ("MOCL3_FINDINGS", findings.to_str().unwrap()),
    ];
    let file = folder.path().join("binary");
    run_with_arguments(&PROGRAM, &["binary", file.to_str().unwrap()], &variables);
    let files = fs::read_dir(&findings).unwrap();
    let text: String = files
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(text.contains(r#""file":"program.cl","line":2"#), "{text}");
}
