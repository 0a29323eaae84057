//! Kernels under gdb, with `MOCL3_DEBUG` and without.

use crate::process::{compile, run_with};
use crate::session::vendors;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("debugged"));

/// gdb's commands of `mocl3 debug`.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/mocl3/gdb/mocl3.py");

/// Whether there is a gdb; says so if not.
fn has_gdb() -> bool {
    let found = Command::new("gdb").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: gdb is not installed (apt-get install gdb)");
    }
    found
}

/// What gdb prints for these commands. With a folder, kernels are debugged, and their sources are
/// written there.
fn gdb(debugged: Option<&Path>, arguments: &[&str], commands: &[&str]) -> String {
    gdb_with(&PROGRAM, debugged, arguments, commands)
}

/// As `gdb`, of another program.
fn gdb_with(
    program: &Path,
    debugged: Option<&Path>,
    arguments: &[&str],
    commands: &[&str],
) -> String {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-q", "-batch"])
        .args(["-iex", "set debuginfod enabled off"])
        .args(["-iex", &format!("source {SCRIPT}")])
        .env("OCL_ICD_VENDORS", vendors())
        .env_remove("MOCL3_HOST_THREADS");
    if let Some(folder) = debugged {
        gdb.env("MOCL3_DEBUG", folder);
    }
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let output = gdb.arg("--args").arg(program).args(arguments).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text + &String::from_utf8_lossy(&output.stderr)
}

/// Debugs the kernel `shade`; what gdb prints contains these texts, in this order.
fn debug(commands: &[&str], expected: &[&str]) {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let printed = gdb(Some(folder.path()), &[], commands);
    assert_in_order(&printed, expected);
}

/// The text contains these, in this order.
fn assert_in_order(printed: &str, expected: &[&str]) {
    let mut rest = printed;
    for text in expected {
        match rest.split_once(text) {
            Some((_, after)) => rest = after,
            None => panic!("no `{text}` in\n{rest}\nof\n{printed}"),
        }
    }
}

#[test]
fn breakpoints_by_name_stop_at_the_first_statement_of_each_work_item() {
    debug(
        &[
            "break -qualified shade",
            "run",
            "print mocl3.global_id",
            "print i",
            "continue",
            "print mocl3.global_id",
            "backtrace 2",
            "next",
            "next",
            "print i",
        ],
        &[
            "shade (x=0x",
            "n=2, p=...) at ",
            "program.cl:13",
            "int i = get_global_id(0);",
            "$1 = {0, 0, 0}",
            "$3 = {1, 0, 0}",
            "#0  shade (x=0x",
            "program.cl:13",
            "#1  mocl3_work_group_function ()",
            "int l = get_local_id(0);",
            "$4 = 1",
        ],
    );
}

#[test]
fn variables_of_each_kind_are_printed() {
    debug(
        &[
            "break program.cl:24 if i == 9",
            "run",
            "info args",
            "print v",
            "print v.xw",
            "ptype v",
            "print q",
            "ptype p",
            "print history",
            "print tile",
            "print *x@3",
            "print part[1]",
            "print table",
            "print mocl3.local_memory == &tile",
            "print mocl3",
            "set var history[1] = 100",
            "tbreak program.cl:26",
            "continue",
            "print sum",
        ],
        &[
            "program.cl:24",
            "n = 2\np = {number = 7, colour = {1, 2, 3, 4}}",
            "$1 = {9, 1, 2, 3}",
            "$2 = {9, 3}",
            "vector_size(4)",
            "$3 = {number = 16, colour = {1, 2, 3, 4}}",
            "int number;",
            "$4 = {9, 10, 11}",
            "$5 = {8.5, 10.5, 10.5, 12.5, 12.5, 14.5, 14.5, 16.5}",
            // The first group is done.
            "$6 = {",
            "$7 = 9",
            "$8 = {0.5, 1.5}",
            "$9 = 1",
            "global_id = {9, 0, 0}, local_id = {1, 0, 0}, group_id = {1, 0, 0}, \
             global_size = {32, 1, 1}, local_size = {8, 1, 1}, num_groups = {4, 1, 1}, \
             global_offset = {0, 0, 0}, work_dim = 1",
            // tile[6] + 100 + 9 * 2
            "= 132.5",
        ],
    );
}

#[test]
fn functions_are_stepped_into_inlined_or_not() {
    debug(
        &[
            "break program.cl:25",
            "run",
            "step",
            "backtrace 2",
            "print by",
            "next",
            "print scaled",
            "finish",
            "delete",
            "tbreak program.cl:8",
            "continue",
            "backtrace 2",
            "next",
            "print here",
            "up",
            "print l",
        ],
        &[
            "scale (x=0, by=2) at ",
            "float scaled = x * by;",
            "#0  scale (x=0, by=2)",
            "#1  0x",
            "in shade (x=0x",
            "$1 = 2",
            "return scaled;",
            "$2 = 0",
            "Value returned is $3 = 0",
            "size_t here = get_global_id(0);",
            "#0  at (x=0x",
            "#1  shade (x=0x",
            "$4 = 8",
            "#1  shade",
            "$5 = 0",
        ],
    );
}

#[test]
fn watchpoints_stop_where_a_variable_changes() {
    debug(
        &[
            "break -qualified shade if mocl3.global_id[0] == 2",
            "run",
            "watch history[1]",
            "continue",
            "continue",
        ],
        &[
            "program.cl:13",
            "watchpoint 2: history[1]",
            "New value = 3",
            "program.cl:16",
        ],
    );
}

#[test]
fn one_work_item_or_group_is_chosen() {
    debug(
        &[
            "mocl3 work-item 9 program.cl:18",
            "mocl3 group 2 scale",
            "run",
            "print $mocl3_global_id",
            "print $mocl3_local_id[0]",
            "continue",
            "print $mocl3_group_id[0]",
            "print $mocl3_local_id[0]",
            "delete",
            "up",
            "mocl3 work-item 30",
            "print $mocl3_global_id[0]",
            "print $_mocl3_is(\"group_id\", 3)",
            "mocl3 work-item 5,x",
            "kill",
            "print $mocl3_global_id",
        ],
        &[
            "program.cl:18",
            "$1 = {9, 0, 0}",
            "$2 = 1",
            "scale (x=16, by=2)",
            "$3 = 2",
            "$4 = 0",
            "program.cl:13",
            "$5 = 30",
            "$6 = 1",
            "`5,x` is no id",
        ],
    );
}

#[test]
fn memory_is_shown_by_address_space() {
    debug(
        &[
            "break program.cl:24",
            "run",
            "mocl3 scratchpad",
            "mocl3 memory local 4 4",
            "mocl3 memory global x+1 4",
            "mocl3 memory constant table",
            "mocl3 memory nowhere",
            "info mocl3 arrays",
        ],
        &[
            "local memory at 0x",
            "0x000000       32  tile (float [8])",
            "part (float *)",
            // 2.5, 1, and 0.5 and 1.5
            "0x000004  00002040",
            "0x000000  0000803f",
            "0x000000  0000003f 0000c03f",
            "shade, group (0, 0, 0), global id (0, 0, 0), scratchpad 0x",
            // On standard error, which follows.
            "`nowhere` is none of local, private, global, constant",
        ],
    );
}

#[test]
fn queues_and_their_commands_are_shown() {
    debug(
        &[
            "info mocl3 queues",
            "break program.cl:24",
            "run",
            "info mocl3 queues",
            "info mocl3 dma",
            "info mocl3 locks",
        ],
        &[
            "program.cl:24",
            "queue 1: device 0, in order; ",
            "CL_COMMAND_NDRANGE_KERNEL `shade`, global size [32], local size [8]: runs\n",
            "queue 2: device 0, out of order; 1 commands so far\n  \
             1 CL_COMMAND_MARKER: waits for other commands\n",
            "The work-group of this thread has waited for all its asynchronous copies.",
            "No lock is held",
            // On standard error, which follows.
            "the program does not run",
        ],
    );
}

/// A program of one kernel, whose body is its argument; it begins in line 6.
static KERNEL: LazyLock<PathBuf> = LazyLock::new(|| compile("race_checks"));

#[test]
fn asynchronous_copies_are_shown_until_they_are_waited_for() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let body = "event_t e = async_work_group_copy(tile, in, 16, 0);\n\
                out[i] = l;\n\
                wait_group_events(1, &e);\n\
                out[i] = tile[l];";
    let commands = [
        "break program.cl:7",
        "run",
        "info mocl3 dma",
        "delete",
        "break program.cl:9",
        "continue",
        "info mocl3 dma",
    ];
    let printed = gdb_with(&KERNEL, Some(folder.path()), &[body], &commands);
    assert_in_order(
        &printed,
        &[
            "64 bytes from 0x",
            " to 0x",
            ", started at ",
            "program.cl:6, event 1",
            "The work-group of this thread has waited for all",
        ],
    );
}

#[test]
fn breakpoints_stop_in_each_round_of_a_loop_with_a_barrier_and_after_it() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let body = "for (int j = 0; j < 2; j++) {\n\
                tile[l] = j;\n\
                barrier(CLK_LOCAL_MEM_FENCE);\n\
                out[i] += tile[l];\n\
                }\n\
                out[i] += 1;";
    let commands = [
        "break program.cl:7",
        "break program.cl:9",
        "break program.cl:11",
        "ignore 1 1000",
        "ignore 2 1000",
        "ignore 3 1000",
        "run",
        "info breakpoints",
        "tbreak program.cl:11",
        "run",
        "print i",
        "print l",
        "print $_mocl3_is(\"global_id\", 0)",
        "info locals",
    ];
    let printed = gdb_with(&KERNEL, Some(folder.path()), &[body], &commands);
    assert_in_order(
        &printed,
        &[
            "\n1 ",
            "already hit 64 times",
            "\n2 ",
            "already hit 64 times",
            "\n3 ",
            "already hit 32 times",
            "program.cl:11",
            "$1 = 0",
            "$2 = 0",
            "$3 = 1",
            "i = 0",
        ],
    );
}

#[test]
fn the_program_stops_at_the_first_finding_of_each_place() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let body = "out[i] = in[i];\nout[i + 60] = in[i];\nint j = in[i - 3];\nout[i] += j;";
    let commands = [
        "set environment MOCL3_CHECK=memory",
        "mocl3 findings on",
        "run",
        "backtrace 1",
        "continue",
        "continue",
    ];
    let printed = gdb_with(&KERNEL, Some(folder.path()), &[body], &commands);
    assert_in_order(
        &printed,
        &[
            "out-of-bounds: write of 4 bytes",
            "kernel `k`, ",
            "program.cl:7:",
            "out[i + 60] = in[i];",
            "work-item: global (",
            // The kernel's frame is selected, in a file that gdb shows.
            "in k ",
            "program.cl:7",
            "out-of-bounds: read of 4 bytes",
            "in k ",
            "program.cl:8",
            "exited normally",
        ],
    );
}

#[test]
fn the_program_stops_at_calls_with_errors() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let commands = [
        "set environment MOCL3_CHECK=api",
        "mocl3 findings on",
        "run",
        "backtrace",
    ];
    let printed = gdb(Some(folder.path()), &["no_such_kernel"], &commands);
    assert_in_order(
        &printed,
        &[
            "clCreateKernel returned CL_INVALID_KERNEL_NAME",
            "clCreateKernel",
            "main",
        ],
    );
}

#[test]
fn a_source_that_is_a_file_near_the_program_is_shown_in_that_file() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let copy = gdb(
        Some(folder.path()),
        &[],
        &["break -qualified shade", "run", "info source"],
    );
    let path = copy
        .split_once("Located in ")
        .and_then(|(_, rest)| rest.lines().next());
    let source = std::fs::read_to_string(path.expect(&copy)).unwrap();
    assert!(source.starts_with("constant float table[2]"));
    // The same text in the working directory.
    let working = tempfile::tempdir().unwrap();
    let own = working.path().join("shading.cl");
    std::fs::write(&own, source).unwrap();
    let cd = format!("set cwd {}", working.path().display());
    let commands = [&*cd, "break shading.cl:13", "run", "info source"];
    let shown = gdb(Some(folder.path()), &[], &commands);
    let located = format!("Located in {}", own.canonicalize().unwrap().display());
    assert!(shown.contains(&located), "{shown}");
}

#[test]
fn debugged_kernels_compute_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let debugged = run_with(
        &PROGRAM,
        &[("MOCL3_DEBUG", folder.path().to_str().unwrap())],
    );
    assert!(debugged.len() > 32);
    assert_eq!(run_with(&PROGRAM, &[]), debugged);
}

#[test]
fn a_crash_of_an_ordinary_kernel_is_named_in_the_process_and_in_its_core_dump() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let core = folder.path().join("core");
    let dump = format!("generate-core-file {}", core.display());
    let crashed = gdb(None, &["crash"], &["run", "backtrace 2", &dump]);
    let frames = |printed: &str| {
        assert!(printed.contains("in crash ()"), "{printed}");
        assert!(printed.contains("\n#1  0x"), "{printed}");
    };
    assert!(crashed.contains("SIGSEGV"), "{crashed}");
    frames(&crashed);
    let open = format!("core-file {}", core.display());
    frames(&gdb(None, &[], &[&open, "backtrace 2"]));
}

#[test]
fn ordinary_kernels_have_lines_in_gdb_where_profilers_see_them() {
    if !has_gdb() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dump = format!("set environment MOCL3_JITDUMP={}", folder.path().display());
    let crashed = gdb(None, &["crash"], &[&dump, "run", "backtrace 2"]);
    for expected in [
        "in crash () at ",
        "program.cl:29\n",
        // The source, as gdb shows it at the stop.
        "29\t    x[get_global_id(0) * far] = 1;",
    ] {
        assert!(crashed.contains(expected), "{expected}: {crashed}");
    }
}
