//! Tests of `mocl3 machine`, and of the options that select a machine.

mod library;
mod synthetic;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn mocl3(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command
        .args(arguments)
        .env_remove("MOCL3_MACHINE")
        .env_remove("MOCL3_MACHINE_SET");
    command
}

fn run(arguments: &[&str], code: i32) -> (String, String) {
    let output = mocl3(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    (out, errors)
}

#[test]
fn machines_are_listed_printed_and_compared() {
    let (list, _) = run(&["machine", "list"], 0);
    assert!(
        list.contains("mt3000") && list.contains("MT-3000 in 4"),
        "{list}"
    );
    let (text, _) = run(&["machine", "print", "--set", "clusters.count=2"], 0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.toml");
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let (difference, _) = run(&["machine", "diff", "mt3000", file], 1);
    assert!(difference.contains("clusters.count"), "{difference}");
    assert!(difference.contains("hypothetical"), "{difference}");
    assert_eq!(difference.lines().count(), 2, "{difference}");
    assert_eq!(run(&["machine", "diff", "mt3000", "mt3000"], 0).0, "");
    let (json, _) = run(&["machine", "diff", "--json", "mt3000", "fast-memory"], 1);
    let json: Value = serde_json::from_str(&json).unwrap();
    let rows = json["differences"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let bandwidth = &rows[3];
    assert_eq!(bandwidth["values"][1], "85.2 GB/s");
    assert_eq!(bandwidth["sources"][0], "assumed");
}

#[test]
fn a_new_machine_is_an_overlay_that_checks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let file = path.to_str().unwrap();
    let create = [
        "machine",
        "new",
        file,
        "--set",
        "memory.ddr.bandwidth=85.2GB/s",
    ];
    run(&create, 0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() < 12, "{text}");
    let (checked, _) = run(&["machine", "check", file], 0);
    let sentence = "memory.ddr.bandwidth is 85.2 GB/s, not 42.6 GB/s (assumed)";
    assert!(
        checked.contains("mine: valid") && checked.contains(sentence),
        "{checked}"
    );
    let (_, refused) = run(&create, 1);
    assert!(refused.contains("exists"), "{refused}");
    // An overlay of it, in another folder.
    let other = folder.path().join("inner");
    fs::create_dir(&other).unwrap();
    let second = other.join("second.toml");
    let second = second.to_str().unwrap();
    run(
        &[
            "machine",
            "new",
            second,
            "--base",
            file,
            "--set",
            "launch.start=fire",
        ],
        0,
    );
    assert!(
        run(&["machine", "check", second], 0)
            .0
            .contains("based on mine")
    );
    fs::write(&path, text.replace("byte/s", "GB/s")).unwrap();
    let (_, errors) = run(&["machine", "check", file], 1);
    assert!(errors.contains("is in `byte/s`, not in `GB/s`"), "{errors}");
}

#[test]
fn a_setting_is_checked_before_the_program_starts() {
    for (setting, message) in [
        ("memory.ddr.bandwidth=85.2", "write the unit"),
        ("ddr.bandwidth=1GB/s", "Is it memory.ddr.bandwidth or"),
        ("clusters.arrays=100000", "clusters.arrays is 100000"),
    ] {
        for command in ["stat", "check", "debug"] {
            let (out, errors) = run(&[command, "--set", setting, "--", "echo", "started"], 1);
            assert!(errors.contains(message), "{command} {setting}: {errors}");
            assert!(!out.contains("started"), "{command} {setting}");
        }
    }
}

#[test]
fn recordings_name_the_changes_and_refuse_others() {
    let mut process = synthetic::example();
    let mut description = device_sim::machine::Description::select("fast-memory").unwrap();
    description.set("dma.channels=4").unwrap();
    process.header.machine_identity = description.identity().clone();
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(&process, folder.path());
    let place = folder.path().to_str().unwrap();
    let (text, _) = run(&["stat", "--recording", place], 0);
    assert!(
        text.contains("based on MT-3000, from which 4 numbers differ"),
        "{text}"
    );
    assert!(
        text.contains("changed: dma.channels is 4, not 10 (derived)"),
        "{text}"
    );
    let (json, _) = run(&["stat", "--json", "--recording", place], 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["machine"]["base"], "MT-3000");
    assert_eq!(json["machine"]["changes"][4]["value"], "4");
    let (_, errors) = run(
        &["stat", "--recording", place, "--set", "dma.channels=4"],
        1,
    );
    assert!(errors.contains("a recording has the machine"), "{errors}");
    let out = folder.path().join("out");
    let file = out.to_str().unwrap();
    run(&["trace", "-o", file, "--recording", place], 0);
    let trace: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let set = &trace["otherData"]["machine_identity"]["changes"][4];
    assert_eq!(set["name"], "dma.channels");
    run(&["report", "-o", file, "--recording", place], 0);
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("changed: dma.channels is 4, not 10 (derived)"));
}

/// Through the library: an option, the variable, and a machine that ships.
#[test]
fn programs_run_on_the_selected_machine() {
    let folder = tempfile::tempdir().unwrap();
    let vendors = folder.path().join("vendors");
    fs::create_dir(&vendors).unwrap();
    library::write_icd(&vendors);
    let program = folder.path().join("copies");
    let source = folder.path().join("copies.c");
    fs::write(&source, PROGRAM).unwrap();
    library::compile(&source, &program);
    let json = |options: &[&str], set: &str| -> Value {
        let mut command = mocl3(&[&["stat", "--json"], options].concat());
        command
            .arg("--")
            .arg(&program)
            .env("OCL_ICD_VENDORS", &vendors);
        if !set.is_empty() {
            command.env("MOCL3_MACHINE_SET", set);
        }
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let time = |profile: &Value| profile["kernels"][0]["event_time_ns"].as_u64().unwrap();
    let before = json(&[], "");
    assert_eq!(before["machine"]["changes"].as_array().unwrap().len(), 0);
    let slow = json(&["--set", "memory.ddr.bandwidth=4.26GB/s"], "");
    assert!(
        time(&slow) > 2 * time(&before),
        "{} {}",
        time(&slow),
        time(&before)
    );
    assert_eq!(slow["machine"]["changes"][0]["before"], "42.6 GB/s");
    let variable = json(&[], "memory.ddr.bandwidth=4.26GB/s");
    assert_eq!(time(&variable), time(&slow));
    let both = json(&["--machine", "fast-memory"], "dma.channels=4");
    assert_eq!(both["machine"]["arrays"], 8);
    assert_eq!(both["machine"]["changes"].as_array().unwrap().len(), 5);
    // Lanes of 16 bits take an operation for each half of a float, and the square for products.
    let narrow = json(&["--set", "array.lane_width=16bit"], "");
    let instructions = |profile: &Value| profile["kernels"][0]["instructions"].as_u64().unwrap();
    assert!(instructions(&narrow) > instructions(&before));
    let missing = mocl3(&["stat", "--machine", "mt9", "--", "true"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&missing.stderr).contains("mt9"));
    assert!(!Path::new("mt9").exists());
}

const PROGRAM: &str = r#"
#include <CL/cl.h>
#include <stddef.h>
int main(void) {
    cl_platform_id p; cl_device_id d; cl_int e;
    if (clGetPlatformIDs(1, &p, NULL)) return 1;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL)) return 2;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &e);
    const char *s = "kernel void copy(global float *a, global const float *b) {"
                    " a[get_global_id(0)] = b[get_global_id(0)] * 3; }";
    cl_program r = clCreateProgramWithSource(c, 1, &s, NULL, &e);
    if (clBuildProgram(r, 1, &d, "", NULL, NULL)) return 3;
    cl_kernel k = clCreateKernel(r, "copy", &e);
    size_t n = 1 << 20;
    cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, &e);
    cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, &e);
    clSetKernelArg(k, 0, sizeof a, &a);
    clSetKernelArg(k, 1, sizeof b, &b);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL)) return 4;
    return clFinish(q);
}
"#;

/// Rates are below the peaks, and times those of the machine's numbers.
#[test]
fn limits_are_measured_once() {
    let folder = tempfile::tempdir().unwrap();
    let (vendors, empty) = (folder.path().join("vendors"), folder.path().join("empty"));
    fs::create_dir(&vendors).unwrap();
    fs::create_dir(&empty).unwrap();
    library::write_icd(&vendors);
    let limits = |vendors: &Path, more: &[&str]| {
        let arguments = [&["machine", "limits", "--json"], more].concat();
        let output = mocl3(&arguments)
            .env("OCL_ICD_VENDORS", vendors)
            .env("XDG_CACHE_HOME", folder.path())
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).ok()
    };
    let first = limits(&vendors, &[]).expect("limits");
    let of = |limits: &Value, key: &str, field: &str| {
        let all = limits.as_array().unwrap();
        let one = all.iter().find(|one| one["key"] == key).unwrap();
        one[field].as_f64()
    };
    let measured = |key: &str| of(&first, key, "measured").unwrap();
    for (key, least) in [
        ("single", 0.45),
        ("double", 0.9),
        ("ddr_by_dma", 0.95),
        ("ddr_by_code", 0.9),
        ("scratchpad", 0.3),
    ] {
        let part = measured(key) / of(&first, key, "peak").unwrap();
        assert!((least..=1.0).contains(&part), "{key}: {part}");
    }
    // 20 cycles of 1.2 GHz; a lock of 304 cycles, and no less than DDR's latency for a transfer.
    assert!((measured("barrier") - 20.0 / 1.2e9).abs() < 1e-10);
    assert!((304.0 / 1.2e9..400.0 / 1.2e9).contains(&measured("atomic")));
    assert!(measured("transfer") > 160.0 / 1.2e9);
    // Kept, also where nothing can be measured; of another machine they are not known.
    assert_eq!(limits(&empty, &[]), Some(first.clone()));
    assert_eq!(limits(&empty, &["--again"]), None);
    let slow = ["--set", "memory.ddr.bandwidth=21.3GB/s"];
    assert_eq!(limits(&empty, &slow), None);
    let slow = limits(&vendors, &slow).expect("limits");
    let share = of(&slow, "ddr_by_dma", "measured").unwrap() / measured("ddr_by_dma");
    assert!((share - 0.5).abs() < 0.01, "{share}");
    assert_eq!(of(&slow, "double", "measured"), Some(measured("double")));
}
