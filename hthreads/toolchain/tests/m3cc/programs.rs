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
fn kernels_write_in_the_order_of_their_threads() {
    Group::named("output").expect_no_failures();
}

#[test]
fn wrong_programs_get_the_documented_messages() {
    Group::named("errors").expect_no_failures();
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
