//! Tests of `mocl3 sweep` and `mocl3 tune` with a program that runs on the library.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// A program with a kernel whose macro `TILE` and local size it checks.
struct Program {
    folder: TempDir,
}

impl Program {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        library::write_icd(&vendors);
        let source = folder.path().join("tiles.c");
        fs::write(&source, SOURCE).unwrap();
        library::compile(&source, &folder.path().join("tiles"));
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Adds a script in the place of Python.
    fn add_python(&self, script: &str) {
        let python = self.path("python");
        fs::write(&python, script).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, task: &str, options: &[&str], arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command
            .arg(task)
            .args(options)
            .args(["--", "./tiles"])
            .args(arguments);
        command.current_dir(self.folder.path());
        command.env("OCL_ICD_VENDORS", self.path("vendors"));
        command
            .env_remove("MOCL3_MACHINE")
            .env_remove("MOCL3_MACHINE_SET");
        command
    }

    fn run(&self, task: &str, options: &[&str], arguments: &[&str], code: i32) -> (String, String) {
        let output = self.command(task, options, arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{options:?}: {out}{errors}"
        );
        (out, errors)
    }

    fn lines(&self, store: &str) -> usize {
        let text = fs::read_to_string(self.path(store)).unwrap();
        text.lines().count()
    }
}

fn outcomes(json: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(json).unwrap();
    document["outcomes"].as_array().unwrap().clone()
}

#[test]
fn bad_points_are_kept_with_their_reasons_and_nothing_runs_twice() {
    let program = Program::new();
    let options = ["--store", "s.jsonl", "--vary", "option:TILE=8,13,nothing,4"];
    let (text, _) = program.run("sweep", &options, &["1024"], 0);
    let row = |value: &str| {
        let find = |line: &&str| line.starts_with(&format!("{value} "));
        text.lines()
            .find(find)
            .unwrap_or_else(|| panic!("{value}: {text}"))
    };
    assert!(text.lines().nth(1).unwrap().starts_with("4 "), "{text}");
    assert!(row("4").ends_with("best"), "{text}");
    assert!(row("13").ends_with("exit code 3: a sum is wrong"), "{text}");
    assert!(row("nothing").contains("exit code 2"), "{text}");
    assert_eq!(program.lines("s.jsonl"), 5);
    let more = [&options[..], &["--json", "--vary", "arg:none=1"]].concat();
    let (_, errors) = program.run("sweep", &more, &["1024"], 1);
    assert!(errors.contains("have no {none}"), "{errors}");
    let again = [&options[..], &["--json"]].concat();
    let (json, _) = program.run("sweep", &again, &["1024"], 0);
    assert_eq!((program.lines("s.jsonl"), outcomes(&json).len()), (5, 4));
    // Only the two bad points.
    program.run(
        "sweep",
        &[&options[..], &["--retry"]].concat(),
        &["1024"],
        0,
    );
    assert_eq!(program.lines("s.jsonl"), 7);
    let (_, errors) = program.run("sweep", &options, &["2048"], 1);
    assert!(errors.contains("has results of `./tiles 1024`"), "{errors}");
    let other = [&options[..], &["--set", "dma.channels=4"]].concat();
    let (_, errors) = program.run("sweep", &other, &["1024"], 1);
    assert!(errors.contains("another machine"), "{errors}");
}

#[test]
fn machines_local_sizes_arguments_and_two_goals() {
    let program = Program::new();
    let options = [
        "--store",
        "s.jsonl",
        "--json",
        "--goal",
        "time",
        "--goal",
        "local-memory",
        "--svg",
        "front.svg",
        "--csv",
        "all.csv",
        "--vary",
        "machine:memory.ddr.bandwidth=4GB/s,40GB/s,none",
        "--vary",
        "local:tiles=32,64,60",
        "--vary",
        "arg:n=65536..262144*4",
    ];
    let (json, _) = program.run("sweep", &options, &["{n}"], 0);
    let all = outcomes(&json);
    assert_eq!(all.len(), 18);
    let time = |bandwidth: &str, local: &str, n: &str| {
        let is_it = |one: &&Value| {
            one["point"]["machine:memory.ddr.bandwidth"] == bandwidth
                && one["point"]["local:tiles"] == local
                && one["point"]["arg:n"] == n
        };
        let found = all.iter().find(is_it).unwrap();
        (
            found["goals"]["time"].as_f64(),
            found["failure"]["kind"].clone(),
        )
    };
    let (slow, fast) = (
        time("4GB/s", "32", "262144").0,
        time("40GB/s", "32", "262144").0,
    );
    assert!(slow.unwrap() > fast.unwrap(), "{slow:?} {fast:?}");
    assert_ne!(time("40GB/s", "64", "262144").0, fast);
    // 60 does not divide the global size.
    assert_eq!(time("40GB/s", "60", "262144"), (None, "program".into()));
    assert_eq!(time("none", "64", "65536"), (None, "machine".into()));
    let plot = fs::read_to_string(program.path("front.svg")).unwrap();
    assert_eq!(plot.matches("<circle").count(), 8);
    let csv = fs::read_to_string(program.path("all.csv")).unwrap();
    assert_eq!(csv.lines().count(), 19);
}

#[test]
fn processes_share_a_sweep_by_parts() {
    let program = Program::new();
    let options = [
        "--store",
        "s.jsonl",
        "--vary",
        "option:TILE=1..12",
        "--part",
    ];
    let program = &program;
    std::thread::scope(|scope| {
        for part in ["1/3", "2/3", "3/3"] {
            scope.spawn(move || {
                program.run("sweep", &[&options[..], &[part]].concat(), &["1024"], 0);
            });
        }
    });
    assert_eq!(program.lines("s.jsonl"), 13);
    let (json, _) = program.run(
        "sweep",
        &[&options[..4], &["--json"]].concat(),
        &["1024"],
        0,
    );
    assert_eq!(outcomes(&json).len(), 12);
    assert_eq!(program.lines("s.jsonl"), 13);
}

#[test]
fn a_program_that_does_not_end_is_ended() {
    let program = Program::new();
    let options = [
        "--store",
        "s.jsonl",
        "--timeout",
        "0.3",
        "--vary",
        "arg:n=forever",
    ];
    let (text, _) = program.run("sweep", &options, &["{n}"], 1);
    assert!(text.contains("took too long"), "{text}");
}

/// What takes the place of Python with Optuna chooses two points, one of them twice.
const CHOICES: &str = r#"#!/bin/sh
read request
case "$request" in *'"sampler":"TPESampler"'*'"goals":["time"]'*) ;; *) exit 9 ;; esac
for place in 1 0 1; do
    echo "{\"kind\":\"trial\",\"indices\":[$place]}"
    read result
    echo "$result" >> results
done
"#;

/// Options of `mocl3 tune` with what [`Program::add_python`] adds.
const TUNING: [&str; 8] = [
    "--store",
    "s.jsonl",
    "--study",
    "s.journal",
    "--python",
    "./python",
    "--vary",
    "option:TILE=13,8",
];

#[test]
fn tuning_runs_what_is_chosen_and_returns_the_goals() {
    let program = Program::new();
    program.add_python(CHOICES);
    let (text, _) = program.run("tune", &TUNING, &["1024"], 0);
    assert!(
        text.contains("a sum is wrong") && text.contains("best"),
        "{text}"
    );
    assert_eq!(program.lines("s.jsonl"), 3);
    let results = fs::read_to_string(program.path("results")).unwrap();
    let results: Vec<&str> = results.lines().collect();
    assert_eq!((results[0], results[1]), (results[2], "{\"values\":null}"));
    assert!(results[0].starts_with("{\"values\":["), "{results:?}");
}

/// Python without Optuna: isolated, and without site packages.
#[test]
fn a_missing_optuna_is_named() {
    let program = Program::new();
    program.add_python("#!/bin/sh\nexec python3 -I -S \"$@\"\n");
    let (_, errors) = program.run("tune", &TUNING, &["1024"], 1);
    assert!(
        errors.contains("has no Optuna: `pip install optuna`"),
        "{errors}"
    );
    fs::remove_file(program.path("python")).unwrap();
    let (_, errors) = program.run("tune", &TUNING, &["1024"], 1);
    assert!(errors.contains("needs Python with Optuna"), "{errors}");
}

const SOURCE: &str = r#"
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    while (!strcmp(argv[1], "forever")) pause();
    size_t n = atoi(argv[1]);
    cl_platform_id p; cl_device_id d; cl_int e;
    if (clGetPlatformIDs(1, &p, NULL)) return 1;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL)) return 1;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &e);
    const char *s = "kernel void tiles(global float *a) {"
                    " float sum = 0; for (int i = 0; i < TILE; ++i) sum += a[get_global_id(0)] + i;"
                    " a[get_global_id(0)] = TILE == 13 ? -1 : sum; }";
    cl_program r = clCreateProgramWithSource(c, 1, &s, NULL, &e);
    if (clBuildProgram(r, 1, &d, "-DTILE=2", NULL, NULL)) return 2;
    cl_kernel k = clCreateKernel(r, "tiles", &e);
    float *zeros = calloc(n, sizeof *zeros);
    cl_mem a = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, n * 4, zeros, &e);
    clSetKernelArg(k, 0, sizeof a, &a);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL)) return 4;
    if (clEnqueueReadBuffer(q, a, CL_TRUE, 0, n * 4, zeros, 0, NULL, NULL)) return 5;
    if (zeros[1] < 0) { fprintf(stderr, "a sum is wrong\n"); return 3; }
    return 0;
}
"#;
