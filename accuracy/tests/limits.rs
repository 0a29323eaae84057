//! All functions within their limits, on few inputs; `cargo xtask accuracy` tries more.

use accuracy::functions;
use accuracy::platform::{FORMS, Platform};
use accuracy::{report, sweep};
use rayon::prelude::*;
use std::path::Path;

/// Inputs per function besides the special values.
const SAMPLES: usize = 200;

/// The built library: beside the test program, or one folder up.
fn vendors() -> std::path::PathBuf {
    let program = std::env::current_exe().unwrap();
    let library = program
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join("libmocl3.so"))
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("the library is built before: cargo build --release --package icd");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accuracy");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mocl3.icd"), format!("{}\n", library.display())).unwrap();
    folder
}

#[test]
fn every_function_is_within_its_limits_in_vector_code_and_in_scalar_code() {
    // SAFETY: the only test of this program; nothing else runs yet.
    unsafe { std::env::set_var("OCL_ICD_VENDORS", vendors()) };
    let platform = Platform::open("MOCL3").unwrap();
    let functions = functions::all();
    assert!(functions.len() > 300);
    let broken: Vec<String> = functions
        .par_iter()
        .filter(|function| platform.has_types_of(function))
        .filter_map(|function| {
            let outcome = sweep::sweep(&platform, function, &FORMS[..2], "", SAMPLES).unwrap();
            (!outcome.holds()).then(|| report::line(function, &outcome))
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
