//! `MOCL3_CHECK=dma`: reads of memory whose DMA transfer has not been waited for are reported.

use crate::process::{compile, run_with};
use crate::session::vendors;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("dma_checks"));

/// What a process that checks says, line by line without what the log puts before.
fn found(kernels: &str) -> Vec<String> {
    let output = Command::new(&*PROGRAM)
        .arg(kernels)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CHECK", "dma")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    let after = |line: &str| {
        line.split_once("] ")
            .map(|(_, sentence)| sentence.to_owned())
    };
    text.lines().filter_map(after).collect()
}

#[test]
fn an_access_before_dma_completion_is_reported_with_kernel_argument_and_line() {
    assert_eq!(
        found("early"),
        [
            "kernel `early`: argument `tile` is read at program.cl:5 before the DMA transfer of \
             program.cl:3 has been waited for",
            "kernel `early`: argument `from` is written at program.cl:6 before the DMA transfer of \
             program.cl:3 has been waited for",
            "kernel `early`: argument `from` is written at program.cl:6 before the DMA transfer of \
             program.cl:4 has been waited for",
            "kernel `early`: the DMA transfer of program.cl:4 into local variable `other` is \
             never waited for"
        ]
    );
}

#[test]
fn a_kernel_that_waits_for_dma_is_not_reported() {
    assert_eq!(found("right"), [""; 0]);
}

/// Results are those of any run.
#[test]
fn checked_kernels_compute_the_same() {
    let checked = run_with(&PROGRAM, &[("MOCL3_CHECK", "dma")]);
    assert!(checked.len() > 20);
    assert_eq!(run_with(&PROGRAM, &[]), checked);
}
