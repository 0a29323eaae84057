//! Tests of `mocl3 compile`, as users and scripts call it.

mod library;

use assert_cmd::Command;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

const TWO_KERNELS: &str = "kernel void scale(global float *x, float factor) {
    x[get_global_id(0)] *= factor;
}
kernel void sum(global const float *restrict x, global float *result, local float *partial) {
    local float first;
    uint i = get_local_id(0);
    partial[i] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) first = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    result[i] = first + partial[get_local_size(0) - 1 - i];
}
";

/// A folder with one file.
fn folder(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    (folder, file)
}

fn compile() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command.arg("compile");
    command
}

struct Outcome {
    code: i32,
    stdout: Vec<u8>,
    stderr: String,
}

impl Outcome {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }
}

fn run(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        code: output.status.code().expect("no signal ended it"),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn diagnostics_name_the_file_itself_and_errors_set_the_exit_code() {
    let (folder, file) = folder(
        "kernels/wrong.cl",
        "kernel void k(global int *x) {\n  *x = y;\n}\n",
    );
    let outcome = run(compile().arg("kernels/wrong.cl").current_dir(&folder));
    assert_eq!(outcome.code, 1);
    assert!(outcome.stdout.is_empty());
    let expected = "kernels/wrong.cl:2:8: error: use of undeclared identifier 'y'
    2 |   *x = y;
      |        ^
1 error generated.
";
    assert_eq!(outcome.stderr, expected);
    let outcome = run(compile().arg(&file));
    assert!(outcome.stderr.starts_with(file.to_str().unwrap()));
}

#[test]
fn warnings_do_not_make_it_fail() {
    let (_folder, file) = folder("k.cl", "#warning old\nkernel void k(void) {}\n");
    let outcome = run(compile().arg(&file));
    assert_eq!(outcome.code, 0);
    assert!(outcome.stderr.contains("k.cl:1:2: warning: old"));
    assert!(outcome.text().contains("kernel k\n  no arguments\n"));
}

#[test]
fn what_llvm_cannot_optimise_is_no_ones_standard_error() {
    let source = "kernel void k(global int *p, int n) {
            int s = 0;
            #pragma unroll
            for (int i = 0; i < n; i++) {
                if (p[i] == 77) { s += 3; if (s > 100) break; }
                s ^= p[i];
            }
            p[get_global_id(0)] = s;
        }";
    let outcome = run(compile().arg("-").write_stdin(source));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn what_the_linker_misses_makes_it_fail() {
    let source = "int missing(int); kernel void k(global int *x) { *x = missing(1); }";
    let outcome = run(compile().arg("-").write_stdin(source));
    assert_eq!(outcome.code, 1);
    assert_eq!(outcome.stderr, "error: undefined function `missing`\n");
}

#[test]
fn the_report_lists_kernels_arguments_and_resources() {
    let (_folder, file) = folder("k.cl", TWO_KERNELS);
    let outcome = run(compile().arg(&file).args(["--local-size", "16"]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let text = outcome.text();
    let scale = "
kernel scale
  arguments
       type    name    address space  access  qualifiers  bytes
    0  float*  x       global         -       -           8
    1  float   factor  private        -       -           4
  for work-groups of 16,1,1
    local memory      0 bytes
    private memory    0 bytes per work-item, 0 of them kept across barriers
";
    assert!(text.contains(scale), "{text}");
    let sum = "
       type    name     address space  access  qualifiers      bytes
    0  float*  x        global         -       restrict const  8
    1  float*  result   global         -       -               8
    2  float*  partial  local          -       -               any
  for work-groups of 16,1,1
    local memory      4 bytes
";
    assert!(text.contains(sum), "{text}");
    assert!(
        text.contains("3 (2 barriers, 0 DMA transfers, 0 interchanged loops)"),
        "{text}"
    );
    assert!(text.starts_with(&format!("{}: 2 kernels\n", file.display())));
}

#[test]
fn the_report_as_json() {
    let source = "
        __attribute__((reqd_work_group_size(8, 2, 1)))
        kernel void k(read_only image2d_t image, sampler_t sampler, constant float4 *c, global float4 *x) {
            local float4 tile[16];
            uint i = get_local_id(0) + 8 * get_local_id(1);
            tile[i] = c[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            x[i] = tile[15 - i];
        }";
    let outcome = run(compile()
        .args(["-", "--json", "-o", "-"])
        .write_stdin(source));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let build: Value = serde_json::from_slice(&outcome.stdout).unwrap();
    assert_eq!(build["file"], "<stdin>");
    assert_eq!(build["succeeded"], true);
    let kernel = &build["kernels"][0];
    assert_eq!(kernel["attributes"], "reqd_work_group_size(8,2,1)");
    assert_eq!(kernel["local_size"], json!([8, 2, 1]));
    assert_eq!(kernel["arguments"][0]["access"], "read_only");
    assert_eq!(kernel["arguments"][1]["type"], "sampler_t");
    assert_eq!(kernel["arguments"][2]["address_space"], "constant");
    let resources = &kernel["resources"];
    assert_eq!(resources["local_memory_bytes"], 16 * 16);
    assert_eq!(resources["barriers"], 1);
    assert_eq!(resources["regions"], 2);
    assert!(resources["code_bytes"].as_u64().unwrap() > 20);

    let vectors_with = |lanes: &str, source: &str| {
        let outcome = run(compile()
            .args(["-", "--json"])
            .env("MOCL3_LANES", lanes)
            .write_stdin(source));
        let build: Value = serde_json::from_slice(&outcome.stdout).unwrap();
        let resources = &build["kernels"][0]["resources"];
        let widest = resources["widest_vector_elements"].as_u64().unwrap();
        (widest > 1, resources["vectorised"].clone())
    };
    let vectors = |source: &str| vectors_with("", source);
    let scale = "kernel void k(global float *x) { x[get_global_id(0)] *= 2; }";
    assert_eq!(vectors(scale), (true, json!(true)));
    assert_eq!(vectors_with("0", scale), (true, json!(true)));
    let vectors_of_the_source = "kernel void k(global float4 *x, global int *count) {
        float4 v = x[get_global_id(0)];
        x[get_global_id(0)] = v + v * v;
        atomic_inc(count);
    }";
    let scalarized = vectors_with("0", vectors_of_the_source);
    assert_eq!(scalarized, (true, json!(false)));
    assert_eq!(
        vectors("kernel void k(global int *x) { *x = 1; }"),
        (false, json!(false))
    );

    let outcome = run(compile()
        .args(["-", "--json"])
        .write_stdin("kernel void k(int x) { x = y; }"));
    assert_eq!(outcome.code, 1);
    let build: Value = serde_json::from_slice(&outcome.stdout).unwrap();
    assert_eq!(build["succeeded"], false);
    assert!(
        build["log"]
            .as_str()
            .unwrap()
            .contains("<stdin>:1:28: error")
    );
}

#[test]
fn build_options_follow_two_dashes() {
    let (_folder, file) = folder("k.cl", "kernel void k(global T *x) { *x = 0; }");
    let outcome = run(compile().arg(&file).args(["--", "-D", "T=unsigned int"]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.text().contains("0  uint*  x"), "{}", outcome.text());
    let outcome = run(compile().arg(&file).args(["--", "-DT=int", "-O7"]));
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("-O7"), "{}", outcome.stderr);
}

#[test]
fn headers_are_found_in_the_files_folder() {
    let (folder, file) = folder(
        "kernels/k.cl",
        "#include \"shapes/width.h\"\nkernel void k(global int *x) { *x = WIDTH; }",
    );
    let header = folder.path().join("kernels/shapes/width.h");
    fs::create_dir(header.parent().unwrap()).unwrap();
    fs::write(&header, "#define WIDTH 4\n").unwrap();
    let outcome = run(compile().arg(&file).current_dir("/"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    fs::write(&header, "#define WIDTH wrong\n").unwrap();
    let outcome = run(compile().arg("k.cl").current_dir(file.parent().unwrap()));
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("shapes/width.h:1:15: note"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn every_step_can_be_written() {
    let (folder, file) = folder("k.cl", TWO_KERNELS);
    let emit = |step: &str| {
        let output = folder.path().join(step);
        let outcome = run(compile()
            .arg(&file)
            .args([
                "--kernel",
                "sum",
                "--local-size",
                "32,1,1",
                "--emit",
                step,
                "-o",
            ])
            .arg(&output));
        assert_eq!(outcome.code, 0, "{step}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty());
        fs::read(output).unwrap()
    };
    let text = |step: &str| String::from_utf8(emit(step)).unwrap();
    assert_eq!(text("source"), TWO_KERNELS);
    let front_end = text("front-end");
    assert!(front_end.contains("@scale(") && front_end.contains("@_Z7barrierj("));
    assert!(text("linked").contains("@__mocl3_barrier"));
    assert!(!text("simplified").contains("@scale("));
    assert!(text("regions").contains("region 2, for each work-item"));
    assert!(
        text("work-group-function")
            .contains("define void @mocl3_work_group_function(ptr %0, ptr %1)")
    );
    assert!(text("optimised").contains("@mocl3_work_group_function("));
    assert!(text("assembly").contains("\nmocl3_work_group_function:"));
    assert!(text("resources").contains("\ncode "));
    let remarks = text("remarks");
    assert!(remarks.starts_with("remarks: kernel `sum`, work-groups of 32x1x1\n"));
    assert!(remarks.contains("k.cl:") || remarks.contains("one after another: "));
    assert!(emit("object").starts_with(b"\x7fELF"));
    assert!(emit("binary").starts_with(b"MOCL3BIN"));
}

#[test]
fn regions_say_what_crosses_a_cut_and_how() {
    let source = "kernel void k(global const float *x, global float *y, int n) {
        uint id = get_global_id(0);
        y[id] = 1;
        float sum = 0;
        for (int i = 0; i < n; ++i) sum += x[i] * id;
        y[id] += sum;
    }";
    // Vectorised code needs no loop interchange.
    let outcome = run(compile()
        .args(["-", "--local-size", "16", "--emit", "regions"])
        .env("MOCL3_LANES", "0")
        .write_stdin(source));
    let text = outcome.text();
    let crosses = |form: &str, what: &str| {
        text.lines()
            .any(|line| line.starts_with(&format!("  {form:<12}%{what}")))
    };
    assert!(crosses("shared", "shared.i"), "{text}");
    assert!(crosses("per item", "carried.sum"), "{text}");
    assert!(crosses("recomputed", ""), "{text}");
    assert!(text.contains("region 1, once for the group"), "{text}");
}

#[test]
fn the_same_source_gives_the_same_code_each_time() {
    let source = "kernel void k(global float *x, int n, local float *tile) {
        uint id = get_local_id(0);
        int a = n, b = 1, c = 2;
        float sum = 0, product = 1;
        do {
            tile[id] = x[a] + id;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += tile[id ^ 1];
            product *= x[b + c];
            a += 3; b += a; c ^= b;
            if (c & 4) barrier(CLK_LOCAL_MEM_FENCE);
            else { sum += 1; barrier(CLK_LOCAL_MEM_FENCE); sum -= x[id]; }
        } while (a < 1000);
        x[id] = sum + product;
    }";
    let code = || {
        let outcome = run(compile()
            .args(["-", "--emit", "work-group-function"])
            .write_stdin(source));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let first = code();
    for _ in 0..5 {
        assert_eq!(code(), first);
    }
}

#[test]
fn one_kernel_is_chosen_where_one_is_needed() {
    let (_folder, file) = folder("k.cl", TWO_KERNELS);
    let outcome = run(compile().arg(&file).args(["--emit", "object"]));
    assert_eq!(outcome.code, 1);
    assert_eq!(
        outcome.stderr,
        "error: 2 kernels: choose one with --kernel: scale, sum\n"
    );
    let outcome = run(compile().arg(&file).args(["--kernel", "product"]));
    assert_eq!(outcome.code, 1);
    assert_eq!(
        outcome.stderr,
        "error: there is no kernel `product`; there are: scale, sum\n"
    );
    let outcome = run(compile().arg(&file).args(["--kernel", "sum"]));
    assert!(outcome.text().contains("kernel sum") && !outcome.text().contains("kernel scale"));
}

#[test]
fn local_sizes_that_cannot_be_are_refused() {
    let source = "__attribute__((reqd_work_group_size(8, 1, 1))) kernel void k(void) {}";
    let with = |size: &str| {
        run(compile()
            .args(["-", "--local-size", size])
            .write_stdin(source))
    };
    assert!(with("8").stderr.is_empty());
    let outcome = with("16");
    let sentence = "kernel `k` requires work-groups of 8,1,1\n";
    assert_eq!(
        (outcome.code, outcome.stderr),
        (0, format!("warning: {sentence}"))
    );
    let outcome = run(compile()
        .args(["-", "--local-size", "16", "--kernel", "k"])
        .write_stdin(source));
    assert_eq!(
        (outcome.code, outcome.stderr),
        (1, format!("error: {sentence}"))
    );
    assert_eq!(with("0,1,1").code, 2);
    assert_eq!(with("1,1,1,1").code, 2);
    let outcome = run(compile()
        .args(["-", "--local-size", "4096,4096"])
        .write_stdin("kernel void k(void) {}"));
    assert!(outcome.stderr.contains("at most"), "{}", outcome.stderr);
}

#[test]
fn too_much_local_memory_is_reported() {
    let source = "kernel void k(global int *x) { local int a[1000000]; a[get_local_id(0)] = 1;
        barrier(CLK_LOCAL_MEM_FENCE); *x = a[0]; }";
    let outcome = run(compile().arg("-").write_stdin(source));
    assert!(
        outcome
            .text()
            .contains("it cannot run: the machine has 655360 bytes of local memory"),
        "{}",
        outcome.text()
    );
}

#[test]
fn too_much_private_memory_is_a_warning() {
    let kernel = |numbers: usize, barrier: &str| {
        format!(
            "kernel void k(global int *x) {{ int a[{numbers}]; size_t i = get_local_id(0);
             for (int n = 0; n < {numbers}; ++n) a[n] = x[n + i]; {barrier}
             x[i] = a[x[i]]; }}"
        )
    };
    let barrier = "barrier(CLK_GLOBAL_MEM_FENCE);";
    let has = "the machine has 786432 bytes of private memory for a work-group";
    let fewer = format!("work-groups have at most 752 work-items: {has}");
    let none = format!("it cannot run: {has}");
    let few = format!("{none}, enough for 752 work-items");
    let lanes = "the private memory of all lanes has 12582912 bytes, and local memory leaves 786432 of AM: \
                 the machine would run fewer lanes at a time, and take longer than simulated"
        .to_owned();
    for (numbers, barrier, size, expected) in [
        (196_609, "", "1", Some(&none)),
        (196_608, "", "1024", Some(&lanes)),
        (256, barrier, "752", None),
        // Sizes that are no multiples of the lanes may be larger.
        (256, barrier, "760", None),
        (256, barrier, "768", Some(&few)),
        (256, barrier, "", Some(&fewer)),
        (180, barrier, "", None),
        (256, "", "1024", None),
    ] {
        let mut command = compile();
        command.arg("-").write_stdin(kernel(numbers, barrier));
        if !size.is_empty() {
            command.args(["--local-size", size]);
        }
        let outcome = run(&mut command);
        let warning = expected.map(|text| format!("warning: kernel `k`: {text}\n"));
        assert_eq!(
            (outcome.code, outcome.stderr.clone()),
            (0, warning.unwrap_or_default()),
            "{numbers} {barrier} {size}"
        );
        let text = outcome.text();
        assert!(expected.is_none_or(|line| text.contains(line)), "{text}");
    }
}

/// Blocks whose cycles exceed their type, on a machine whose program cache misses with the largest
/// latency that a machine file may have.
#[test]
fn costs_are_large_on_a_machine_that_is_slow_beyond_measure() {
    let (folder, file) = folder("k.cl", LONG_BLOCK);
    let machine = folder.path().join("slow.toml");
    let mut description = device_sim::machine::MT3000.to_owned();
    for (part, name, value) in [
        ("memory.ddr", "latency", "1_000_000"),
        ("memory.l1p", "size", "1"),
        ("memory.l1p", "line", "8"),
        ("memory.l1p", "outstanding", "1"),
        ("array.code", "operation", "1024"),
    ] {
        let (before, inside) = description.split_once(&format!("[{part}]\n")).unwrap();
        let (between, number) = inside.split_once(&format!("{name} = {{ value = ")).unwrap();
        let (_, after) = number.split_once(',').unwrap();
        description = format!("{before}[{part}]\n{between}{name} = {{ value = {value},{after}");
    }
    fs::write(&machine, description).unwrap();
    let mut command = compile();
    command.env("MOCL3_MACHINE", &machine);
    let outcome = run(command.arg(&file).args(["--emit", "timed"]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let mut largest = 0;
    for (_, cost) in outcome
        .text()
        .lines()
        .filter(|line| line.contains(" cycles = "))
        .filter_map(|line| line.split_once(": "))
    {
        let numbers: Vec<u64> = cost
            .split_once(';')
            .unwrap()
            .0
            .split(|character: char| !character.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>(), "{cost}");
        largest = largest.max(numbers[0]);
    }
    assert!(largest >= 1_000_000_000, "{}", outcome.text());
}

const LONG_BLOCK: &str = "kernel void k(global float *x, global float *y) {
    size_t i = get_global_id(0);
    float a = x[i];
    a = a / x[i + 1]; a = a / x[i + 2]; a = a / x[i + 3]; a = a / x[i + 4]; a = a / x[i + 5];
    y[i] = a;
}
";

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let (_folder, file) = folder("k.cl", TWO_KERNELS);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .arg("compile")
        .arg(&file)
        .args(["--emit", "linked"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let outcome = run(compile().arg("/nowhere/k.cl"));
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stderr
            .starts_with("error: cannot read /nowhere/k.cl: ")
    );
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn processes_share_a_dump_folder() {
    let (folder, file) = folder("k.cl", TWO_KERNELS);
    let dump = folder.path().join("dump");
    let start = || {
        std::process::Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .arg("compile")
            .arg(&file)
            .env("MOCL3_DUMP", &dump)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..6).map(|_| start()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let folders = names(&dump);
    let numbers: Vec<usize> = folders
        .iter()
        .map(|name| name[..4].parse().unwrap())
        .collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>(), "{folders:?}");
    for name in folders {
        assert!(
            name.ends_with("-sum-any-size") || name.ends_with("-scale-any-size"),
            "{name}"
        );
        let steps = names(&dump.join(name));
        assert_eq!(steps.len(), 12, "{steps:?}");
    }
}

#[test]
fn the_compile_cache_is_left_alone() {
    let (folder, file) = folder("k.cl", TWO_KERNELS);
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    let outcome = run(compile().arg(&file).env("MOCL3_CACHE_DIR", &cache));
    assert_eq!(outcome.code, 0);
    assert!(names(&cache).is_empty(), "{:?}", names(&cache));
}

#[test]
fn programs_that_do_not_build_are_dumped_with_their_log() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("dump");
    let wrong = "kernel void k(global int *x) { *x = y; }";
    let unlinked = "int missing(int); kernel void k(global int *x) { *x = missing(1); }";
    for source in [wrong, unlinked] {
        let outcome = run(compile()
            .arg("-")
            .env("MOCL3_DUMP", &dump)
            .write_stdin(source));
        assert_eq!(outcome.code, 1);
    }
    for (name, source, log, files) in [
        ("0001-build-failed", wrong, "undeclared identifier 'y'", 3),
        (
            "0002-build-failed",
            unlinked,
            "undefined function `missing`",
            4,
        ),
    ] {
        let read = |file: &str| fs::read_to_string(dump.join(name).join(file)).unwrap();
        assert_eq!(read("00-source.cl"), source);
        assert!(read("build-log.txt").contains(log));
        assert_eq!(names(&dump.join(name)).len(), files);
    }
}

#[test]
fn comments_may_be_in_any_encoding() {
    let source = b"/* Gr\xf6\xdfe */ kernel void k(void) {}";
    let outcome = run(compile().arg("-").write_stdin(source.as_slice()));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn a_dump_folder_that_cannot_be_written_is_ignored() {
    let (_folder, file) = folder("k.cl", TWO_KERNELS);
    let outcome = run(compile().arg(&file).env("MOCL3_DUMP", file.join("below")));
    assert_eq!(outcome.code, 0);
    assert!(outcome.text().contains("kernel scale"));
    assert!(outcome.stderr.contains("MOCL3_DUMP"), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
}

/// Code that the program cache does not hold, and the stack of a control core that is in DDR.
#[test]
fn code_and_stacks_beyond_their_memories_are_warnings() {
    let chain = "x[i] = x[i] * 3 ^ i; ".repeat(4500);
    let kernel = format!("kernel void k(global int *x) {{ int i = get_global_id(0); {chain} }}");
    let outcome = run(compile()
        .args(["--local-size", "16", "-"])
        .write_stdin(kernel));
    assert!(
        outcome.stderr.contains("warning: kernel `k`: the code of "),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome
            .stderr
            .contains(" exceeds the program cache of 32768")
    );
    let kernel = "kernel void k(global int *x, int n) { int a[4096];
        for (int i = 0; i < 4096; ++i) a[i] = x[i];
        for (int i = 0; i < n; ++i) a[x[i]] += a[n - i]; x[0] = a[n]; }";
    let json = run(compile()
        .args(["--json", "--local-size", "1", "-"])
        .write_stdin(kernel));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    let machine = &report["kernels"][0]["machine"];
    assert_eq!(machine["lanes"], 0);
    let stack = machine["stack_bytes"].as_u64().unwrap();
    assert!(stack >= 16_384, "{machine}");
    let expected = json!([{ "memory": "stack", "needed": stack, "available": 13_184 }]);
    assert_eq!(machine["exceeded"], expected);
    let small = "kernel void k(global int *x) { x[get_global_id(0)] = 1; }";
    let outcome = run(compile()
        .args(["--local-size", "16", "-"])
        .write_stdin(small));
    assert_eq!(outcome.stderr, "");
    let line = "    on the machine    16 lanes, 0 bytes of private memory, 256 of stack, ";
    assert!(outcome.text().contains(line), "{}", outcome.text());
}

/// C for m3cc, of the kernel that `--kernel` names and for the size of `--local-size`, or the reason why not.
#[test]
fn a_kernel_is_written_as_c_for_m3cc() {
    let (_folder, file) = folder("k.cl", TWO_KERNELS);
    let emit = |options: &[&str], file: &Path| {
        run(compile()
            .args(["--emit", "m3000-c"])
            .args(options)
            .arg(file))
    };
    let outcome = emit(&["--kernel", "sum", "--local-size", "64"], &file);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for expected in [
        "Work-groups have 64 x 1 x 1 work-items",
        "__global__ void sum(const struct nd_range *nd_range, u64 argument0,",
        "argument2 (float* partial): bytes of local memory",
    ] {
        assert!(outcome.text().contains(expected), "{}", outcome.text());
    }
    // Of the program's binary as of its source.
    let binary = file.with_extension("bin");
    let made = run(compile()
        .args(["--emit", "binary", "-o"])
        .arg(&binary)
        .arg(&file));
    assert_eq!(made.code, 0, "{}", made.stderr);
    let again = emit(&["--kernel", "sum", "--local-size", "64"], &binary);
    assert_eq!(again.text(), outcome.text(), "{}", again.stderr);
    let mut bytes = fs::read(&binary).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&binary, bytes).unwrap();
    let damaged = emit(&["--kernel", "sum"], &binary);
    assert_eq!((damaged.code, damaged.text()), (1, ""));
    assert!(damaged.stderr.contains("damaged"), "{}", damaged.stderr);
    let image = "kernel void k(read_only image2d_t picture, global float4 *to, sampler_t s)\n\
                 { to[0] = read_imagef(picture, s, (float2)(0)); }\n";
    let (_folder, file) = folder("image.cl", image);
    let outcome = emit(&[], &file);
    assert_eq!((outcome.code, outcome.text()), (1, ""));
    let reason = "kernel `k`: argument `picture` is an image or a sampler";
    assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
}

const LOADER: &str = r#"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main(void) {
    static unsigned char bytes[1 << 20];
    const unsigned char *binary = bytes;
    FILE *file = fopen("k.bin", "rb");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    cl_platform_id platform;
    cl_device_id device;
    cl_int error, status, value = 0;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &length, &binary, &status, &error);
    if (error) return printf("clCreateProgramWithBinary: %d\n", error), 1;
    error = clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof value, NULL, &error);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    size_t one = 1;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    error = clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    printf("%d %d\n", error, value);
    return 0;
}
"#;

#[test]
fn a_binary_is_for_programs() {
    let (folder, file) = folder("k.cl", "kernel void k(global int *out) { *out = 42; }");
    let place = folder.path();
    let written = run(compile()
        .args(["--emit", "binary", "-o"])
        .arg(place.join("k.bin"))
        .arg(&file));
    assert_eq!(written.code, 0, "{}", written.stderr);
    fs::write(place.join("loader.c"), LOADER).unwrap();
    library::compile(&place.join("loader.c"), &place.join("loader"));
    library::write_icd(place);
    let mut program = Command::new(place.join("loader"));
    program.current_dir(place).env("OCL_ICD_VENDORS", place);
    program.assert().success().stdout("0 42\n");
}
