//! Some random kernels on MOCL3, in processes of their own.

mod built;

use std::path::Path;
use std::process::Command;

/// Enough to notice what breaks many kernels; `cargo xtask random-kernels` runs more.
const KERNELS: &str = "200";

#[test]
fn kernels_give_what_the_interpreter_gives() {
    let executable = Path::new(env!("CARGO_BIN_EXE_conformance"));
    // ocl-icd takes a library's path for a folder with one .icd file.
    let library = built::library(executable).unwrap();
    let run = Command::new(executable)
        .args(["random-kernels", "--kernels", KERNELS, "--seed", "1"])
        .env("OCL_ICD_VENDORS", library)
        .output()
        .unwrap();
    // The seed is among it.
    let text = String::from_utf8_lossy(&run.stdout);
    println!("{text}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{text}{errors}");
    assert!(text.contains(": 0 failed"), "{text}");
}
