//! `mocl3 predict` on programs: predictions and simulations, and launches that are not executed.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// Kernels of `advice/kernels.cl`, with global size, local size and launches: streams, transfers with
/// one and two buffers, an uneven number of groups, divergent branches, locks, many launches.
const KERNELS: [(&str, [&str; 3]); 9] = [
    ("rows_before", ["16384", "64", "1"]),
    ("structs_after", ["65536", "64", "1"]),
    ("stream_after", ["6144", "64", "1"]),
    ("buffers_before", ["153600", "64", "1"]),
    ("buffers_after", ["153600", "64", "1"]),
    ("groups_before", ["3072", "256", "1"]),
    ("branches_after", ["98304", "64", "1"]),
    ("atomics_after", ["98304", "256", "1"]),
    ("launches_after", ["6144", "64", "20"]),
];

/// Most by which a prediction may differ from the simulation, percent.
const WITHIN: f64 = 5.0;

struct Program(TempDir);

impl Program {
    /// A program of the tests that has been compiled, and the files that it reads.
    fn new(source: &str, files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        library::write_icd(&vendors);
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        for file in files {
            let name = Path::new(file).file_name().unwrap();
            fs::copy(tests.join(file), folder.path().join(name)).unwrap();
        }
        library::compile(&tests.join(source), &folder.path().join("program"));
        Self(folder)
    }

    fn predict(&self, options: &[&str], arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .arg("predict")
            .args(options)
            .args(["--", "./program"])
            .args(arguments)
            .current_dir(self.0.path())
            .env("OCL_ICD_VENDORS", self.0.path().join("vendors"))
            .env_remove("MOCL3_MACHINE")
            .env_remove("MOCL3_MACHINE_SET");
        command.output().unwrap()
    }
}

fn json(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"))
}

#[test]
fn predictions_are_near_what_is_simulated() {
    let program = Program::new("advice/program.c", &["advice/kernels.cl"]);
    let mut failures = Vec::new();
    for (name, sizes) in KERNELS {
        let arguments = [name, sizes[0], sizes[1], sizes[2]];
        let json = json(&program.predict(&["--compare", "--json"], &arguments));
        let kernel = &json["kernels"][0];
        assert_eq!(kernel["name"], name);
        assert_eq!(kernel["predicted"], kernel["launches"], "{name}");
        let error = kernel["error_percent"].as_f64().unwrap();
        println!("{name}: {error:+.2} %");
        if error.abs() > WITHIN {
            failures.push(kernel.clone());
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn what_depends_on_missing_results_is_not_executed() {
    let program = Program::new("predict/missing.c", &[]);
    let output = program.predict(&["--json"], &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let expected = [
        "limit 5 counted: 5",
        "count from the host's limits: 0",
        "scale: 0",
        "count from a copy of what scale computes: -5",
        "count from limits written again: 0",
    ];
    for line in expected {
        assert!(errors.contains(line), "{line} is missing in {errors}");
    }
    assert!(errors.contains("MOCL3_PREDICT=1"), "{errors}");
    let json = json(&output);
    let of = |name: &str, key: &str| {
        let kernels = json["kernels"].as_array().unwrap();
        let kernel = kernels.iter().find(|kernel| kernel["name"] == name);
        kernel.unwrap()[key].as_u64().unwrap()
    };
    assert_eq!((of("scale", "launches"), of("scale", "predicted")), (1, 1));
    assert_eq!((of("count", "launches"), of("count", "predicted")), (2, 0));
    assert!(of("count", "not_predicted_ns") > 0 && of("scale", "predicted_ns") > 0);
}

#[test]
fn wrong_arguments_are_refused() {
    let program = Program::new("predict/missing.c", &[]);
    let output = program.predict(&["--parameter", "q=1"], &[]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("models do"), "{errors}");
    let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .arg("predict")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
