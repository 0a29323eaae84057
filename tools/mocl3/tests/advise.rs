//! `mocl3 advise` on kernels with a known defect: the advice, and what following it saves.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A kernel with a defect, and the change that remedies it.
struct Case {
    /// The kernel's name without `_before`.
    name: &'static str,
    /// The first advice.
    change: &'static str,
    /// Global size, local size and launches.
    before: [&'static str; 3],
    /// The kernel with the remedy, and how it is launched.
    after: (&'static str, [&'static str; 3]),
}

/// Most by which an estimate may differ from the time after the change, percent of it.
const WITHIN: f64 = 25.0;

const CASES: [Case; 10] = [
    case("rows", "coalesced", ["16384", "64", "1"], "rows_after"),
    case(
        "structs",
        "coalesced",
        ["65536", "64", "1"],
        "structs_after",
    ),
    case("stream", "dma", ["6144", "64", "1"], "stream_after"),
    case(
        "buffers",
        "double_buffered",
        ["153600", "64", "1"],
        "buffers_after",
    ),
    case(
        "transfers",
        "fewer_transfers",
        ["24576", "64", "1"],
        "transfers_after",
    ),
    Case {
        after: ("groups_before", ["3072", "128", "1"]),
        ..case("groups", "balanced", ["3072", "256", "1"], "")
    },
    case(
        "remainders",
        "balanced",
        ["36864", "64", "1"],
        "remainders_after",
    ),
    case(
        "branches",
        "all_lanes_active",
        ["98304", "64", "1"],
        "branches_after",
    ),
    case(
        "atomics",
        "one_lock_per_group",
        ["98304", "256", "1"],
        "atomics_after",
    ),
    Case {
        after: ("launches_after", ["6144", "64", "1"]),
        ..case("launches", "fewer_launches", ["6144", "64", "20"], "")
    },
];

/// A case whose kernels are launched alike.
const fn case(
    name: &'static str,
    change: &'static str,
    sizes: [&'static str; 3],
    after: &'static str,
) -> Case {
    Case {
        name,
        change,
        before: sizes,
        after: (after, sizes),
    }
}

/// The program, and a folder for its recordings.
struct Program {
    folder: TempDir,
}

impl Program {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        library::write_icd(&vendors);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/advice");
        fs::copy(sources.join("kernels.cl"), folder.path().join("kernels.cl")).unwrap();
        library::compile(&sources.join("program.c"), &folder.path().join("program"));
        Self { folder }
    }

    /// The JSON that a task prints of a launch.
    fn json(&self, task: &str, kernel: &str, sizes: [&str; 3]) -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .args([task, "--json", "--", "./program", kernel])
            .args(sizes)
            .current_dir(self.folder.path())
            .env("OCL_ICD_VENDORS", self.folder.path().join("vendors"))
            .env_remove("MOCL3_MACHINE")
            .env_remove("MOCL3_MACHINE_SET");
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{kernel}: {errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn known_remedies_come_first_and_save_what_is_estimated() {
    let program = Program::new();
    let mut failures = Vec::new();
    for case in &CASES {
        let before = format!("{}_before", case.name);
        let advice = program.json("advise", &before, case.before);
        let first = &advice["findings"][0];
        let estimated =
            first["time_ns"].as_f64().unwrap_or(0.0) - first["saved_ns"].as_f64().unwrap_or(0.0);
        let after = program.json("stat", case.after.0, case.after.1);
        let actual = after["kernels"][0]["time_ns"].as_f64().unwrap();
        let line = format!(
            "{}: {} {} → estimated {estimated}, actual {actual}: {:+.1} %",
            case.name,
            first["change"],
            first["time_ns"],
            100.0 * (estimated - actual) / actual
        );
        println!("{line}");
        let is_near = (estimated - actual).abs() <= WITHIN / 100.0 * actual;
        if first["change"] != case.change || !is_near {
            failures.push(line);
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_recording_without_alternatives_is_refused() {
    let program = Program::new();
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .args(arguments)
            .current_dir(program.folder.path())
            .env("OCL_ICD_VENDORS", program.folder.path().join("vendors"));
        command.output().unwrap()
    };
    let launch = ["--", "./program", "rows_after", "1024", "64", "1"];
    assert!(
        command(&[&["stat", "--recording", "run"][..], &launch].concat())
            .status
            .success()
    );
    let refused = command(&["advise", "--recording", "run"]);
    assert_eq!(refused.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("mocl3 advise --recording"), "{errors}");
}
