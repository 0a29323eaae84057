//! Which programs are taken from the cache, and which are compiled again.

use super::process::{BuildOutput, KINDS, SOURCE, build, command, entries, place};
use compiler_id::COMPILER_ID;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_second_process_compiles_nothing_and_shows_the_same_log() {
    let place = place();
    let folder = place.path().join("new/folder");
    let first = build(&folder, SOURCE, "");
    first.gives(42).compiled_all();
    assert!(first.text.contains("program.cl:2:2: warning: old"));
    let second = build(&folder, SOURCE, "");
    second.compiled_nothing();
    assert_eq!(first.text, second.text);
    assert_eq!(entries(&folder).len(), KINDS.len());
    assert_eq!(
        folder.metadata().unwrap().permissions().mode() & 0o777,
        0o700
    );
}

#[test]
fn code_that_is_kept_is_compiled_again_to_be_remarked_on() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    for (value, remarks) in [("1", 1), ("0", 0)] {
        let output = command(place.path(), &["source", SOURCE, ""])
            .env("MOCL3_REMARKS", value)
            .output();
        let again = BuildOutput::parse(&output.unwrap());
        again.gives(42);
        let printed = again.log.matches("remarks: kernel `k`, work-groups of ");
        assert_eq!(printed.count(), remarks, "{}", again.log);
    }
}

#[test]
fn another_source_or_other_options_are_another_program() {
    let place = place();
    let source = "#ifndef N\n#define N 1\n#endif\nkernel void k(global int *x) { *x += N; }";
    for (options, result) in [("", 2), ("-D N=2", 3), ("-DN=3", 4)] {
        build(place.path(), source, options)
            .gives(result)
            .compiled_all();
    }
    // What is not optimised is not what is optimised.
    build(place.path(), source, "-cl-opt-disable")
        .gives(2)
        .compiled_all();
    // The same options written differently; a comment that changes nothing.
    build(place.path(), source, "-D N=3")
        .gives(4)
        .compiled_nothing();
    let commented = format!("{source} // more");
    let again = build(place.path(), &commented, "");
    assert_eq!(again.gives(2).cache("keeps"), ["unit"], "{}", again.log);
}

#[test]
fn private_memory_that_begins_as_zeros_is_another_program() {
    let place = place();
    let source = "void f(volatile private int *a, int n) { a[n] |= 0; }
        kernel void k(global int *x) {
            int a[64], sum = 0;
            f(a, *x & 63);
            for (int i = 0; i < 64; i++) sum |= a[i];
            *x += 4 + sum;
        }";
    // The result is unspecified.
    build(place.path(), source, "").compiled_all();
    let zeroed = || {
        BuildOutput::parse(
            &command(place.path(), &["zeroed", source, ""])
                .output()
                .unwrap(),
        )
    };
    zeroed().gives(5).compiled_all();
    zeroed().gives(5).compiled_nothing();
}

#[test]
fn a_failure_is_not_kept() {
    let place = place();
    let source = "kernel void k(global int *x) { *x = oops; }";
    let failures = [0, 1].map(|_| build(place.path(), source, ""));
    assert!(failures[0].text.contains("program.cl:1:37: error"));
    assert_eq!(failures[0].text, failures[1].text);
    assert!(entries(place.path()).is_empty());
}

#[test]
fn who_looks_at_the_compiler_sees_it_work() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    let dump = place.path().join("dump");
    let output = command(place.path(), &["source", SOURCE, ""])
        .env("MOCL3_DUMP", &dump)
        .output();
    BuildOutput::parse(&output.unwrap()).gives(42);
    let folders = fs::read_dir(&dump).unwrap();
    let steps: Vec<usize> = folders
        .map(|folder| fs::read_dir(folder.unwrap().path()).unwrap().count())
        .collect();
    assert_eq!(steps, [11], "one kernel, from source to remarks");
}

#[test]
fn a_library_with_another_compiler_takes_nothing_from_this_one() {
    let place = place();
    let cache = place.path().join("cache");
    let library = place.path().join("libmocl3.so");
    let mut bytes = fs::read(crate::session::library()).unwrap();
    let id = COMPILER_ID.as_bytes();
    let starts = 0..bytes.len() - id.len();
    let found: Vec<usize> = starts.filter(|at| bytes[*at..].starts_with(id)).collect();
    assert!(!found.is_empty());
    for at in found {
        bytes[at] ^= 1;
    }
    fs::write(&library, bytes).unwrap();
    fs::write(
        place.path().join("other.icd"),
        format!("{}\n", library.display()),
    )
    .unwrap();
    let on_other = |words: &[&str]| {
        let mut command = command(&cache, words);
        let output = command.env("OCL_ICD_VENDORS", place.path()).output();
        BuildOutput::parse(&output.unwrap())
    };

    let file = place.path().join("program.bin");
    let path = file.to_str().unwrap();
    let output = command(&cache, &["save", path, SOURCE, ""]).output();
    BuildOutput::parse(&output.unwrap())
        .gives(42)
        .compiled_all();
    on_other(&["source", SOURCE, ""]).gives(42).compiled_all();
    on_other(&["source", SOURCE, ""])
        .gives(42)
        .compiled_nothing();
    build(&cache, SOURCE, "").gives(42).compiled_nothing();
    assert_eq!(on_other(&["binary", path]).text, "created -42 status -42\n");
}
