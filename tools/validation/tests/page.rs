//! Quick measurements agree with `docs/generated/validation.md`.

use bench::built_library::built_library;
use std::path::Path;
use std::process::Command;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_validation");

/// Compares the rows of what the command prints with those of the page.
fn compare(option: &str, minimum: usize) {
    // ocl-icd takes a library's path for a folder with one .icd file.
    let output = Command::new(EXECUTABLE)
        .arg(option)
        .env("OCL_ICD_VENDORS", built_library(EXECUTABLE))
        .env_remove("MOCL3_MACHINE")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated/validation.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > minimum, "{text}");
    for row in rows {
        assert!(
            page.lines().any(|line| line == row),
            "docs/generated/validation.md is not what is measured; cargo xtask paper --write makes it so:\n{row}"
        );
    }
}

/// Compares GEMM of 512, the launches, and all numbers of the machine.
#[test]
fn the_page_has_what_the_command_measures() {
    compare("--quick", 50);
}

#[test]
fn the_page_has_what_the_task_scheduler_simulates() {
    compare("--tasks", 150);
}
