//! Runs all cases on the library that cargo built, one test each.

use harness::built;
use harness::worker;
use libtest_mimic::{Arguments, Failed, Trial};
use regress::case::{self, Case};
use regress::platform::Platform;
use std::process::Command;

/// Set in the processes that run kernels.
const WORKER: &str = "REGRESS_WORKER";

/// The platform under test: its name, and a part of its version.
const PLATFORM: &str = "MOCL3";

fn check(case: &Case) -> Result<(), Failed> {
    let executable = std::env::current_exe()?;
    let folder = executable.parent().ok_or("a program is in a folder")?;
    let library = built::library(folder).or_else(|_| built::library(&executable))?;
    let platform = Platform {
        version: PLATFORM,
        options: "",
        // The loader accepts a library's path in place of a folder of .icd files.
        variables: &[("OCL_ICD_VENDORS", library.as_os_str())],
        worker: &|| {
            let mut worker = Command::new(&executable);
            worker.env(WORKER, "1");
            worker
        },
    };
    let checked = case.obstacle(PLATFORM).and_then(|obstacle| match obstacle {
        Some(reason) => Err(anyhow::anyhow!(reason)),
        None => case.run(&platform),
    });
    checked.map_err(|error| format!("{error:#}").into())
}

fn main() {
    if std::env::var_os(WORKER).is_some() {
        worker::serve(PLATFORM).expect("the platform is there");
        return;
    }
    let trials = case::all().iter().map(|case| {
        let name = format!("{}/{}", case.folder, case.name);
        Trial::test(name, move || check(case))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
