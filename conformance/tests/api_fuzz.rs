//! Some random sequences of API calls on MOCL3, in processes of their own.

mod built;

use std::path::Path;
use std::process::Command;

/// Enough to call every function often; `cargo xtask fuzz-api` makes more.
const CALLS: &str = "120000";

#[test]
fn calls_do_what_the_model_says() {
    let executable = Path::new(env!("CARGO_BIN_EXE_conformance"));
    // ocl-icd takes a library's path for a folder with one .icd file.
    let library = built::library(executable).unwrap();
    let run = Command::new(executable)
        .args(["fuzz-api", "--calls", CALLS, "--seed", "1"])
        .env("OCL_ICD_VENDORS", library)
        .output()
        .unwrap();
    // The seed is among it.
    let text = String::from_utf8_lossy(&run.stdout);
    println!("{text}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{text}{errors}");
    assert!(text.contains(": 0 failed"), "{text}");
    // Of each function, some calls were without fault.
    assert!(!text.contains("never with success"), "{text}");
}
