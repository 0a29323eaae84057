//! Programs that are C and OpenCL C at once, as `conformance csmith` compares them.

use harness::built::library;
use std::path::Path;
use std::process::Command;

/// A program for 48 work-items; `WRONG` is one on the platform alone, and for one work-item.
const PROGRAM: &str = "
#ifdef __OPENCL_VERSION__
#define WRONG(item) (item == 30 ? DIFFERENCE : 0)
#else
#include <stdio.h>
#define WRONG(item) 0
#endif
static unsigned long run(unsigned long item) { return item * item + WRONG(item); }
#ifdef __OPENCL_VERSION__
kernel void csmith(global ulong *sums) { sums[get_global_id(0)] = run(get_global_id(0)); }
#else
int main(void)
{
    for (int item = 0; item < 48; item++)
        printf(\"%lx\\n\", run(item));
    return 0;
}
#endif
";

/// Returns whether the program passes, and the output.
fn run(difference: &str) -> (bool, String) {
    let executable = Path::new(env!("CARGO_BIN_EXE_csmith"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM.replace("DIFFERENCE", difference)).unwrap();
    let run = Command::new(executable)
        .args(["csmith", "--file"])
        .arg(file)
        .env("OCL_ICD_VENDORS", library(executable).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    (run.status.success(), text.into_owned())
}

#[test]
fn a_program_that_computes_the_same_passes_in_all_configurations() {
    let (passed, text) = run("0");
    assert!(
        passed && text.contains("passed in 8 configurations"),
        "{text}"
    );
}

#[test]
fn one_wrong_work_item_is_reported_for_every_configuration() {
    let (passed, text) = run("1");
    assert!(!passed, "{text}");
    let reports = text.matches("work-items that differ: [30]").count();
    assert_eq!(reports, 8, "{text}");
}
