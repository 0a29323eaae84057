//! `mocl3 check` on programs that run: what it prints and writes, and its exit code.

mod library;

use assert_cmd::Command;
use library::write_icd;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Writes `add` elements beyond a buffer and exits with `code`: `program add code`. With a third
/// argument, a child process does it.
const PROGRAM: &str = r#"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *source =
    "void put(global int *out, int i, int add) {\n"
    "  out[i + add] = i;\n"
    "}\n"
    "kernel void k(global int *out, int add) { put(out, get_global_id(0), add); }\n";

static void run(int add)
{
    cl_platform_id platform;
    cl_device_id device;
    size_t size = 64;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * sizeof(int), NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clSetKernelArg(kernel, 1, sizeof add, &add);
    for (int i = 0; i < 3; ++i)
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL);
    clFinish(queue);
}

int main(int count, char **arguments)
{
    int code = 0;
    if (count > 3 && fork() != 0)
        wait(&code);
    else
        run(atoi(arguments[1]));
    return WEXITSTATUS(code) + atoi(arguments[2]);
}
"#;

struct Program {
    folder: TempDir,
}

/// What a run printed to standard error, and its exit code.
struct Outcome {
    text: String,
    code: i32,
}

impl Program {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program.c"), PROGRAM).unwrap();
        Command::new("cc")
            .args(["-o", "program", "program.c", "-lOpenCL"])
            .current_dir(folder.path())
            .assert()
            .success();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        write_icd(&vendors);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn check(&self, options: &[&str], program: &[&str]) -> Outcome {
        let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .arg("check")
            .args(options)
            .arg("--")
            .arg("./program")
            .args(program)
            .current_dir(self.folder.path())
            .env("OCL_ICD_VENDORS", self.path("vendors"))
            .output()
            .unwrap();
        Outcome {
            text: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }
}

#[test]
fn a_finding_is_printed_and_counted() {
    let program = Program::new();
    let found = program.check(&[], &["8", "0"]);
    assert_eq!(
        found.text,
        "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)\n  \
         kernel `k`, function `put`, program.cl:2:16\n    2 |   out[i + add] = i;\n      |                ^\n  \
         value: 56\n  work-item: global (56,0,0), local (56,0,0), group (0,0,0)\n  24 times\n\
         mocl3 check: 1 finding, 24 times\n"
    );
    assert_eq!(found.code, 1);
}

#[test]
fn the_exit_code_is_the_programs_or_1_for_findings() {
    let program = Program::new();
    let clean = program.check(&[], &["0", "0"]);
    assert_eq!(
        (clean.text.as_str(), clean.code),
        ("mocl3 check: no findings\n", 0)
    );
    assert_eq!(program.check(&[], &["0", "5"]).code, 5);
    assert_eq!(program.check(&[], &["8", "5"]).code, 5);
}

#[test]
fn findings_of_child_processes_are_shown() {
    let program = Program::new();
    let found = program.check(&["--checks", "all"], &["8", "0", "child"]);
    assert!(found.text.contains("function `put`"), "{}", found.text);
    assert_eq!(found.code, 1);
}

#[test]
fn findings_are_written_as_json_and_sarif() {
    let program = Program::new();
    program.check(
        &["--json", "found.json", "--sarif", "found.sarif"],
        &["8", "0"],
    );
    let finding = &program.json("found.json")[0];
    assert_eq!(finding["kind"], "out-of-bounds");
    assert_eq!(finding["place"]["line"], 2);
    assert_eq!(finding["object"]["bytes"], 256);
    assert_eq!(finding["access"]["offset"], 256);
    assert_eq!(finding["work_item"]["global"][0], 56);
    let result = &program.json("found.sarif")["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "out-of-bounds");
    assert_eq!(result["occurrenceCount"], 24);
}

#[test]
fn suppressed_findings_do_not_count() {
    let program = Program::new();
    fs::write(
        program.path("known"),
        "out-of-bounds function=put line=2 # known\n",
    )
    .unwrap();
    let found = program.check(&["--suppressions", "known"], &["8", "0"]);
    assert_eq!(found.text, "mocl3 check: no findings (1 suppressed)\n");
    assert_eq!(found.code, 0);
    fs::write(program.path("known"), "bounds\n").unwrap();
    let found = program.check(&["--suppressions", "known"], &["8", "0"]);
    assert!(
        found.text.contains("line 1: `bounds` is no kind"),
        "{}",
        found.text
    );
    assert_eq!(found.code, 1);
}

#[test]
fn a_check_that_does_not_exist_is_refused() {
    let found = Program::new().check(&["--checks", "speed"], &["0", "0"]);
    let all = [
        "'speed'",
        "memory, uninitialised, races, barriers, ",
        ", all]",
    ];
    assert!(
        all.iter().all(|part| found.text.contains(part)),
        "{}",
        found.text
    );
    assert_eq!(found.code, 2);
}
