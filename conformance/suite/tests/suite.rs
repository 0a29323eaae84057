//! The suite's cases on MOCL3, one test each. The library is the one in this test's folder, which
//! `cargo test --workspace` builds.

use conformance::case::{Case, Category};
use conformance::cases;
use conformance::process::{self, Outcome};
use harness::built::library;
use harness::session::Settings;
use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_conformance");

/// How each case is tried.
struct Mode {
    /// Follows the case's name.
    name: &'static str,
    options: &'static str,
    variables: &'static [(&'static str, &'static str)],
    /// Categories that are left out: the tests of the crate `regress` run the fixed bugs; others are
    /// long, and the mode makes little difference to them.
    without: &'static [Category],
    /// Names of cases that are left out for the same reason.
    without_cases: &'static [&'static str],
}

/// Cases that compile a kernel for each format of images, or hundreds of conversions.
const LONG: &[&str] = &[
    "image_formats_read",
    "image_formats_written",
    "test_convert_type_8",
    "test_convert_type_16",
];

/// As it is; without optimisation, which leaves out whole passes; and with code that is
/// made for nothing in particular, as otherwise for the ninth local size.
const MODES: &[Mode] = &[
    Mode {
        name: "",
        options: "",
        variables: &[],
        without: &[Category::FixedBug],
        without_cases: &[],
    },
    Mode {
        name: "-cl-opt-disable",
        options: "-cl-opt-disable",
        variables: &[],
        without: &[Category::FixedBug, Category::Builtin],
        without_cases: LONG,
    },
    Mode {
        name: "general",
        options: "",
        variables: &[("MOCL3_SPECIALISE", "0")],
        without: &[Category::FixedBug, Category::Builtin, Category::Kernel],
        without_cases: LONG,
    },
];

fn main() {
    let trials = MODES.iter().flat_map(|mode| {
        let cases = cases::all()
            .filter(|case| !mode.without.contains(&case.category))
            .filter(|case| !mode.without_cases.contains(&case.name));
        cases.map(move |case| {
            let name = format!("{} {}", case.name, mode.name);
            Trial::test(name.trim(), move || run(case, mode))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn run(case: &Case, mode: &Mode) -> Result<(), Failed> {
    let library = library(Path::new(EXECUTABLE))?;
    // ocl-icd takes a library's path for a folder with one .icd file.
    let mut variables = vec![("OCL_ICD_VENDORS", library.as_os_str())];
    let of_mode = mode.variables.iter();
    variables.extend(of_mode.map(|(name, value)| (*name, OsStr::new(value))));
    if case
        .needs
        .iter()
        .any(|feature| feature.is_of_accelerators())
    {
        variables.push(("MOCL3_MACHINE", OsStr::new("dsp")));
    }
    let settings = Settings {
        platform: "MOCL3".into(),
        options: mode.options.into(),
        seed: 1,
        sources: None,
    };
    let limit = Duration::from_secs(120);
    match process::run(Path::new(EXECUTABLE), case, &settings, limit, &variables)? {
        Outcome::Passed => Ok(()),
        // MOCL3 has all that they need, some of it on another machine.
        Outcome::Skipped(reason) => Err(format!("skipped: {reason}").into()),
        Outcome::Failed(reason) => Err(reason.into()),
    }
}
