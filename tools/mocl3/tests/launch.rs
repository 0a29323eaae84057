//! `mocl3 launch`: kernels without a host program, alone and under other commands.

mod library;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::process::Output;
use tempfile::TempDir;

const SOURCE: &str = "kernel void saxpy(float a, global const float *x, global float *y)
{
    int i = get_global_id(0);
    y[i] += a * x[i] + BIAS;
}

kernel void sums(global const int *in, local int *part, constant uint2 *unused, global int *out)
{
    int i = get_local_id(0);
    part[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        int sum = 0;
        for (int k = 0; k < get_local_size(0); ++k)
            sum += part[k];
        out[get_group_id(0)] = sum;
    }
}
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("vendors")).unwrap();
    library::write_icd(&folder.path().join("vendors"));
    fs::write(folder.path().join("kernels.cl"), SOURCE).unwrap();
    folder
}

fn run(folder: &TempDir, before: &[&str], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .args(before)
        .args(["launch", "kernels.cl"])
        .args(arguments)
        .current_dir(folder.path())
        .env("OCL_ICD_VENDORS", folder.path().join("vendors"))
        .env_remove("MOCL3_MACHINE")
        .env_remove("MOCL3_MACHINE_SET");
    command.output().unwrap()
}

const SAXPY: [&str; 13] = [
    "--kernel",
    "saxpy",
    "--global",
    "1024",
    "--options",
    "-DBIAS=1",
    "-a",
    "a=0.5",
    "-a",
    "x=4KiB:index",
    "-a",
    "y=4KiB",
    "--times=2",
];

#[test]
fn results_are_those_of_the_kernel() {
    let folder = folder();
    let output = run(&folder, &[], &[&SAXPY[..], &["--print", "y"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    let numbers: Vec<String> = (0..16).map(|i| (2 + i).to_string()).collect();
    let expected = format!("y: {} …\n", numbers.join(" "));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{errors}"
    );
    let sums = [
        "--kernel",
        "sums",
        "--global",
        "64",
        "--local",
        "16",
        "--options=-DBIAS=0",
        "-a",
        "in=256B:index",
        "-a",
        "part=64B",
        "-a",
        "unused=8B",
        "-a",
        "out=16B",
        "--print",
        "out",
    ];
    let output = run(&folder, &[], &sums);
    assert_eq!(output.stdout, b"out: 120 376 632 888\n", "{output:?}");
}

#[test]
fn other_commands_take_it_as_a_program() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_mocl3");
    let json = |command: &[&str]| -> Value {
        let before = [command, &["--json", "--", program]].concat();
        let output = run(&folder, &before, &SAXPY);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    let stat = json(&["stat"]);
    assert_eq!(stat["kernels"][0]["name"], "saxpy");
    assert_eq!(stat["kernels"][0]["launches"], 2);
    let predict = json(&["predict"]);
    assert_eq!(predict["kernels"][0]["predicted"], 2);
    let time = |json: &Value, key: &str| json["kernels"][0][key].as_f64().unwrap();
    let (simulated, predicted) = (time(&stat, "time_ns"), time(&predict, "predicted_ns"));
    assert!(
        (predicted / simulated - 1.0).abs() < 0.02,
        "{predicted} {simulated}"
    );
}

#[test]
fn wrong_use_is_reported() {
    let folder = folder();
    let with = |changes: &[(usize, &'static str)]| {
        let mut arguments = SAXPY;
        for (place, text) in changes {
            arguments[*place] = text;
        }
        arguments
    };
    for (arguments, reason) in [
        (with(&[(1, "none")]), "no kernel `none`, but saxpy, sums"),
        (
            with(&[(5, "-DBIAS=wrong")]),
            "undeclared identifier 'wrong'",
        ),
        (with(&[(7, "a=x")]), "`x` is no number"),
        (with(&[(7, "b=1")]), "no value for `a` (float)"),
        (with(&[(9, "x=4096")]), "write the unit"),
        (with(&[(9, "x=4KiB:ones")]), "`ones` is no filling"),
        (with(&[(3, "0")]), "positive numbers"),
        (with(&[(12, "--local=3x3")]), "as many dimensions"),
        (with(&[(12, "--local=1000")]), "returns -54"),
        (with(&[(12, "--print=a")]), "no buffer `a`"),
    ] {
        let output = run(&folder, &[], &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(reason),
            "{reason}: {errors}"
        );
    }
}
