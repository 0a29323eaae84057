//! C host programs with their kernels, built by make, run through the host library.

use crate::bench::Group;
use crate::tree::{TREE, repository};
use tempfile::TempDir;

/// The folder of the programs.
pub const SOURCES: &str = "hthreads/toolchain/tests/programs";

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

#[test]
fn memories_have_their_capacities_and_contents() {
    Group::named("memory").expect_no_failures();
}

#[test]
fn transfers_of_all_kinds_move_what_they_say() {
    Group::named("transfers").expect_no_failures();
}

#[test]
fn barriers_locks_and_volatile_variables_order_threads() {
    Group::named("synchronisation").expect_no_failures();
}

#[test]
fn interrupts_reach_threads_and_the_host() {
    Group::named("interrupts").expect_no_failures();
    // In simulated time, where the host program may wait for what a kernel writes.
    let folder = build("interrupts", "-O2");
    TREE.succeed("MOCL3_RECORD=recording ./program", folder.path());
    // Arrays whose runtime has stopped answer none.
    let naive = "MOCL3_MACHINE_SET=launch.start=fire,launch.runtime=naive";
    let output = TREE.run(&format!("{naive} ./program"), folder.path());
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = "[ERROR] hthread_intr_send: the naive runtime answers no interrupts\n";
    assert_eq!(errors, expected);
}

#[test]
fn programs_use_libmt_directly() {
    Group::named("libmt").expect_no_failures();
}

#[test]
fn groups_run_kernels_with_all_kinds_of_arguments() {
    Group::named("groups").expect_no_failures();
}

#[test]
fn functions_of_vectors_have_the_results_of_those_of_one_lane() {
    Group::named("vector_math").expect_no_failures();
}

#[test]
fn intrinsics_do_what_c_does_in_each_lane() {
    Group::named("intrinsics").expect_no_failures();
}

#[test]
fn instructions_do_what_c_does_in_each_lane() {
    Group::named("instructions").expect_no_failures();
}

#[test]
fn conditional_forms_keep_elements_whose_predicate_is_zero() {
    Group::named("conditional").expect_no_failures();
}

#[test]
fn disabled_lanes_keep_their_contents() {
    Group::named("lane_mask").expect_no_failures();
}

#[test]
fn functions_on_arrays_do_what_c_does() {
    Group::named("vsip").expect_no_failures();
}

#[test]
fn a_cluster_has_the_arrays_of_its_machine() {
    Group::named("arrays").expect_no_failures();
}

#[test]
fn the_stack_takes_its_part_of_scalar_memory() {
    Group::named("placement").expect_no_failures();
    let folder = build("placement", "-O2");
    for part in ["0", ".4", "0.6", ".8", "1", "1.0"] {
        TREE.succeed(
            &format!("HT_MEM_LAYOUT_POS={part} ./program"),
            folder.path(),
        );
    }
}

#[test]
fn stacks_have_the_limits_of_the_machine() {
    Group::named("stacks").expect_no_failures();
    let folder = build("stacks", "-O2");
    for part in [".2", ".6", "1", "0"] {
        TREE.succeed(
            &format!("HT_MEM_LAYOUT_POS={part} ./program"),
            folder.path(),
        );
    }
    TREE.succeed("MOCL3_RECORD=recording ./program", folder.path());
    let output = TREE.run("./program", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("[SM Exception Details]") && errors.contains("stack overflow"),
        "{errors}"
    );
}

#[test]
fn events_are_counted_in_simulated_time() {
    Group::named("profile").expect_no_failures();
    // A program cache of one line of two instructions, so that a loop of five gets three lines in each iteration.
    let folder = build("profile", "-O2");
    let small = "MOCL3_MACHINE_SET=memory.l1p.size=8B,memory.l1p.line=8B HT_CODE_LINES=3";
    TREE.succeed(
        &format!("{small} HT_CASES=1 MOCL3_RECORD=recording ./program"),
        folder.path(),
    );
}

#[test]
fn kernels_write_in_the_order_of_their_threads() {
    Group::named("output").expect_no_failures();
}

#[test]
fn wrong_programs_get_the_documented_messages() {
    Group::named("errors").expect_no_failures();
}

/// The line of the program `errors.c` that contains a text.
fn line_of(text: &str) -> usize {
    let source = std::fs::read_to_string(repository(SOURCES).join("errors.c")).unwrap();
    let found = source.lines().position(|line| line.contains(text));
    1 + found.unwrap_or_else(|| panic!("{text}"))
}

/// In code that is compiled with `-g`: from the innermost call on, inlined ones, too.
#[test]
fn exceptions_have_the_kernels_call_stack() {
    for level in ["-O0 -g", "-O2 -g"] {
        let folder = build("errors", &format!("'{level}'"));
        for (case, calls) in [
            (
                "wild_pointer",
                &[
                    ("read_from", "return *place + 1;"),
                    ("wild_pointer", "read_from((long *)0x1234560)"),
                ][..],
            ),
            ("beyond_am", &[("beyond_am", "am[768 * 1024 + 8192]")]),
            ("misaligned", &[("misaligned", "vector_load(data + 4")]),
            ("aborts", &[("aborts", "dsp_abort(22)")]),
            (
                "misaligned_store",
                &[("misaligned_store", "*(double *)(data + 4)")],
            ),
            (
                "misaligned_loop",
                &[
                    ("sum", "sum += values[i];"),
                    ("misaligned_loop", "sum((int *)(data + 2)"),
                ],
            ),
        ] {
            let output = TREE.run(&format!("./program {case}"), folder.path());
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let mut lines = text.lines().skip_while(|line| !line.starts_with("[STACK]"));
            assert_eq!(
                lines.next(),
                Some("[STACK] dump DSP stack"),
                "{case}: {text}"
            );
            for (number, (function, source)) in calls.iter().enumerate() {
                let line = lines.next().unwrap_or_default();
                let begin = format!("  #{number} {function} at ");
                let end = format!("errors.c:{}", line_of(source));
                assert!(
                    line.starts_with(&begin) && line.ends_with(&end),
                    "{level}: {text}"
                );
            }
        }
    }
}

/// Of the access that comes first, although a test before a loop finds it.
#[test]
fn exceptions_of_misaligned_accesses_have_their_addresses() {
    for level in ["-O0", "-O2"] {
        let folder = build("errors", level);
        for (case, offset) in [
            ("misaligned_store", 4),
            ("misaligned_loop", 2),
            ("misaligned_branch", 1),
            ("misaligned_atomic", 6),
        ] {
            let output = TREE.run(&format!("./program {case}"), folder.path());
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let line = text.lines().next().unwrap_or_default();
            let (_, address) = line.rsplit_once("addr 0x").expect(&text);
            let address = u64::from_str_radix(address, 16).expect(&text);
            // Memory of `hthread_malloc` begins with a page.
            assert_eq!(address % 4096, offset, "{case} {level}: {text}");
        }
    }
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
