//! Runs all cases on the library that cargo built, one test each.

use harness::built;
use harness::worker;
use libtest_mimic::{Arguments, Failed, Trial};
use regress::kernel::KernelCase;
use regress::program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the processes that run kernels.
const WORKER: &str = "REGRESS_WORKER";

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the cases are there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().expect("an entry has a name");
    stem.to_string_lossy().into_owned()
}

fn check(file: &Path) -> Result<(), Failed> {
    let executable = std::env::current_exe()?;
    let folder = executable.parent().ok_or("a program is in a folder")?;
    let library = built::library(folder).or_else(|_| built::library(&executable))?;
    let scratch = tempfile::tempdir()?;
    let checked = match file.extension().and_then(|extension| extension.to_str()) {
        Some("cl") => {
            let text = std::fs::read_to_string(file)?;
            KernelCase::parse(&text).and_then(|case| {
                case.run(&|| {
                    let mut worker = Command::new(&executable);
                    worker
                        .env(WORKER, "1")
                        .env("OCL_ICD_VENDORS", &library)
                        .env("MOCL3_CACHE", "0");
                    worker
                })
            })
        }
        Some("c") => program::run(file, scratch.path(), &library),
        _ => return Err("a case is a file `.cl` or `.c`".into()),
    };
    checked.map_err(|error| format!("{error:#}").into())
}

fn main() {
    if std::env::var_os(WORKER).is_some() {
        worker::serve("MOCL3").expect("the platform is there");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_topic = |path: &PathBuf| path.is_dir() && name(path) != "runner";
    let mut trials = Vec::new();
    for topic in entries(root).into_iter().filter(is_topic) {
        for file in entries(&topic) {
            if file.extension().is_some_and(|extension| extension == "h") {
                continue;
            }
            let trial = format!("{}/{}", name(&topic), name(&file));
            trials.push(Trial::test(trial, move || check(&file)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
