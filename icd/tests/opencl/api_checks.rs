//! `MOCL3_CHECK=api`: calls that return an error and objects that are not released are reported; calls
//! by which programs find out what there is are not.

use crate::process::compile;
use crate::session::vendors;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("api_checks"));

/// What a program with a mistake reports in the log, and to the context's callback.
fn run(mistake: &str, checks: &str) -> (Vec<String>, Vec<String>) {
    let output = Command::new(&*PROGRAM)
        .arg(mistake)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CHECK", checks)
        .env_remove("MOCL3_LOG")
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{mistake}: {errors}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let after = |text: &str, separator: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.split_once(separator));
        lines.map(|(_, sentence)| sentence.to_owned()).collect()
    };
    (after(&errors, "] "), after(&printed, "callback: "))
}

/// Mistakes, and the sentences about them.
const ERRORS: &[(&str, &str)] = &[
    (
        "unset_argument",
        "kernel `twice`: clEnqueueNDRangeKernel returned CL_INVALID_KERNEL_ARGS: argument 1 (`y`) of \
         kernel `twice` is not set",
    ),
    (
        "released_buffer",
        "clEnqueueReadBuffer returned CL_INVALID_MEM_OBJECT: the handle of the buffer is that of an \
         object that has been released",
    ),
    (
        "other_kind",
        "kernel `twice`: clFinish returned CL_INVALID_COMMAND_QUEUE: the object of the handle is \
         of kind kernel, not command-queue",
    ),
    (
        "same_error_twice",
        "kernel `twice`: clSetKernelArg returned CL_INVALID_ARG_INDEX: kernel `twice` has 2 arguments \
         and no argument 7",
    ),
    (
        "no_kernel",
        "clCreateKernel returned CL_INVALID_KERNEL_NAME: the program has no kernel `none`",
    ),
    (
        "small_answer",
        "kernel `twice`: clGetKernelInfo returned CL_INVALID_VALUE: param_value_size is 2 but the \
         answer has 6 bytes",
    ),
];

#[test]
fn errors_of_calls_are_in_the_log_and_passed_to_the_callback_once() {
    for (mistake, sentence) in ERRORS {
        let expected = vec![(*sentence).to_owned()];
        assert_eq!(
            run(mistake, "api"),
            (expected.clone(), expected),
            "{mistake}"
        );
    }
}

#[test]
fn writes_of_the_host_beyond_a_buffer_are_found_when_it_is_released() {
    for (mistake, place) in [
        ("write_before", "4 bytes before the start"),
        ("write_after", "10 bytes after the end"),
    ] {
        let expected = vec![format!(
            "memory up to {place} of a buffer of 100 bytes was overwritten before its release: by the \
             host program, a native kernel, or an access that is not checked"
        )];
        assert_eq!(run(mistake, "memory"), (expected.clone(), expected));
        assert_eq!(run(mistake, "api"), (Vec::new(), Vec::new()));
    }
    assert_eq!(run("write_within", "memory"), (Vec::new(), Vec::new()));
}

/// No context is known, so there is no callback.
#[test]
fn an_error_of_a_call_without_a_valid_handle_is_in_the_log() {
    let sentence = "clReleaseKernel returned CL_INVALID_KERNEL: the handle of the kernel is that of an \
                    object that has been released";
    assert_eq!(
        run("released_twice", "api"),
        (vec![sentence.to_owned()], vec![])
    );
}

#[test]
fn objects_that_are_not_released_are_reported_by_context() {
    for (mistake, objects) in [
        (
            "leak",
            "2 buffers (256 bytes, 64 bytes), 1 kernel (`twice`)",
        ),
        ("leaked_context", "1 command-queue, 1 context"),
    ] {
        let sentence = format!("not released when the program ended: {objects}");
        assert_eq!(run(mistake, "api"), (vec![sentence], vec![]), "{mistake}");
    }
}

#[test]
fn programs_without_mistakes_and_their_probes_are_not_reported() {
    for mistake in ["none", "probes"] {
        assert_eq!(run(mistake, "api"), (vec![], vec![]), "{mistake}");
    }
}

/// Kernels are checked as well, and compute as usual.
#[test]
fn all_checks_include_calls() {
    let (log, callback) = run("no_kernel", "all");
    assert_eq!((log.len(), callback.len()), (1, 1), "{log:?}");
}

#[test]
fn without_the_check_nothing_is_reported() {
    for checks in ["0", "memory"] {
        for (mistake, _) in ERRORS {
            assert_eq!(run(mistake, checks), (vec![], vec![]), "{mistake}");
        }
        assert_eq!(run("leak", checks), (vec![], vec![]));
    }
}
