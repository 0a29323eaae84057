//! C host programs with their kernels, built by make, run through the host library.

use crate::tree::{TREE, repository};
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;

const SOURCES: &str = "hthreads/toolchain/tests/programs";

/// Builds a program of the tests in a folder of its own.
pub fn build(program: &str, optimisation: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let makefile = repository(SOURCES).join("Makefile");
    let makefile = makefile.canonicalize().unwrap();
    let line = format!(
        "make -s -f {} PROGRAM={program} OPT={optimisation}",
        makefile.display()
    );
    TREE.succeed(&line, folder.path());
    folder
}

/// Runs the program on one host thread and on several.
fn expect_no_failures(folder: &Path) {
    for threads in [1, 4] {
        let line = format!("MOCL3_HOST_THREADS={threads} ./program");
        assert_eq!(TREE.succeed(&line, folder), "0 failures\n", "{line}");
    }
}

#[test]
fn memories_have_their_capacities_and_contents() {
    for optimisation in ["-O0", "-O3"] {
        expect_no_failures(build("memory", optimisation).path());
    }
}

#[test]
fn transfers_of_all_kinds_move_what_they_say() {
    for optimisation in ["-O1", "-O2"] {
        expect_no_failures(build("transfers", optimisation).path());
    }
}

#[test]
fn barriers_locks_and_volatile_variables_order_threads() {
    for optimisation in ["-O0", "-O2"] {
        expect_no_failures(build("synchronisation", optimisation).path());
    }
}

#[test]
fn groups_run_kernels_with_all_kinds_of_arguments() {
    for optimisation in ["-O0", "-O2 -g"] {
        expect_no_failures(build("groups", &format!("'{optimisation}'")).path());
    }
}

#[test]
fn functions_of_vectors_have_the_results_of_those_of_one_lane() {
    for optimisation in ["-O0", "-O2"] {
        expect_no_failures(build("vector_math", optimisation).path());
    }
}

#[test]
fn intrinsics_do_what_c_does_in_each_lane() {
    for optimisation in ["-O0", "-O2"] {
        expect_no_failures(build("intrinsics", optimisation).path());
    }
}

#[test]
fn a_cluster_has_the_arrays_of_its_machine() {
    let folder = build("arrays", "-O2");
    let line = "MOCL3_MACHINE=fast-memory ./program";
    assert_eq!(TREE.succeed(line, folder.path()), "0 failures\n");
}

#[test]
fn kernels_write_in_the_order_of_their_threads() {
    let folder = build("output", "-O2");
    let expected = std::fs::read_to_string(repository(SOURCES).join("output.txt")).unwrap();
    for threads in [1, 4] {
        let line = format!("MOCL3_HOST_THREADS={threads} ./program");
        assert_eq!(TREE.succeed(&line, folder.path()), expected);
    }
}

/// A text without what differs between hosts: their names, addresses, folders.
fn without_host(text: &str) -> String {
    let host = host_name();
    let mut result = String::new();
    for line in text.lines() {
        let line = match line.strip_prefix(&format!("{host}:")) {
            Some(rest) => format!("HOST:{rest}"),
            None => line.to_owned(),
        };
        let line = match line.find("/errors.c") {
            Some(at) => line[at + 1..].to_owned(),
            None => line,
        };
        let mut words = line.split_inclusive(' ');
        words.by_ref().for_each(|word| {
            let trimmed = word.trim_end_matches([' ', ':']);
            // Addresses of the host have more digits than masks.
            if trimmed.starts_with("0x") && trimmed.len() > 10 {
                result += &word.replace(trimmed, "ADDRESS");
            } else {
                result += word;
            }
        });
        result.push('\n');
    }
    result
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    name.trim().to_owned()
}

#[test]
fn wrong_programs_get_the_documented_messages() {
    let folder = build("errors", "-O2");
    let expected = std::fs::read_to_string(repository(SOURCES).join("errors.txt")).unwrap();
    let mut found = String::new();
    for line in expected.lines() {
        let Some((case, _)) = line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("] status"))
        else {
            continue;
        };
        let output = TREE
            .command("./program", folder.path())
            .arg(case)
            .output()
            .unwrap();
        let status = output.status.code().unwrap_or(-1);
        writeln!(found, "[{case}] status {status}").unwrap();
        found += &without_host(&String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(found, expected);
}

/// Figure 5 of the MOCL3 paper, with the Makefile that programs for the machine have.
#[test]
fn the_example_of_the_paper_runs() {
    let folder = tempfile::tempdir().unwrap();
    let example = repository("examples/hthreads");
    TREE.succeed(&format!("cp {}/* .", example.display()), folder.path());
    TREE.succeed("make", folder.path());
    for threads in [1, 7, 24] {
        let printed = TREE.succeed(&format!("./vadd {threads}"), folder.path());
        let elements = threads * 65536;
        assert_eq!(
            printed,
            format!("{threads} threads, {elements} elements, 0 wrong\n")
        );
    }
}
