//! The programs on MOCL3, one test each. The library is the one beside this test, which
//! `cargo test --workspace` builds.

mod built;

use built::library;
use conformance::process::{self, Outcome};
use conformance::programs::{self, Program};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_conformance");

/// Each program is tried as it is, and without optimisation, which leaves out whole passes.
const OPTIONS: [&str; 2] = ["", "-cl-opt-disable"];

fn main() {
    let trials = OPTIONS.iter().flat_map(|&options| {
        programs::ALL.iter().map(move |program| {
            let name = format!("{} {options}", program.name);
            Trial::test(name.trim(), move || run(program, options))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn run(program: &Program, options: &str) -> Result<(), Failed> {
    let library = library(Path::new(EXECUTABLE))?;
    // ocl-icd takes a library's path for a folder with one .icd file.
    let variables = [("OCL_ICD_VENDORS", library.as_path())];
    match process::run(Path::new(EXECUTABLE), program, "MOCL3", options, &variables)? {
        Outcome::Passed => Ok(()),
        // MOCL3 has all that they need.
        Outcome::Skipped(reason) => Err(format!("skipped: {reason}").into()),
        Outcome::Failed(reason) => Err(reason.into()),
    }
}
