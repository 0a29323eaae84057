//! The suite's cases on MOCL3, one test each. The library is the one beside this test,
//! which `cargo test --workspace` builds.

mod built;

use built::library;
use conformance::case::Case;
use conformance::process::{self, Outcome};
use conformance::session::Settings;
use conformance::suite;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::time::Duration;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_conformance");

/// Each case is tried as it is, and without optimisation, which leaves out whole passes.
const OPTIONS: [&str; 2] = ["", "-cl-opt-disable"];

fn main() {
    let trials = OPTIONS.iter().flat_map(|&options| {
        suite::all().map(move |case| {
            let name = format!("{} {options}", case.name);
            Trial::test(name.trim(), move || run(case, options))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn run(case: &Case, options: &str) -> Result<(), Failed> {
    let library = library(Path::new(EXECUTABLE))?;
    // ocl-icd takes a library's path for a folder with one .icd file.
    let variables = [("OCL_ICD_VENDORS", library.as_os_str())];
    let settings = Settings {
        platform: "MOCL3".into(),
        options: options.into(),
        seed: 1,
        sources: None,
    };
    let limit = Duration::from_secs(120);
    match process::run(Path::new(EXECUTABLE), case, &settings, limit, &variables)? {
        Outcome::Passed => Ok(()),
        // MOCL3 has all that they need.
        Outcome::Skipped(reason) => Err(format!("skipped: {reason}").into()),
        Outcome::Failed(reason) => Err(reason.into()),
    }
}
