//! All functions within their limits, on few inputs; `cargo xtask accuracy` tries more.

use accuracy::function::Function;
use accuracy::function::Style;
use accuracy::functions;
use accuracy::platform::{FORMS, Platform};
use accuracy::sweep::Settings;
use accuracy::{report, sweep};
use harness::platform::first_device;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Once;

/// Number of inputs per function in addition to the special values.
const SAMPLES: usize = 200;

/// A folder with the ICD file of the built library, which is in the test program's folder or the
/// one above.
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

/// Sweeps what `wanted` names; lines about what broke.
fn broken(settings: &Settings<'_>, wanted: impl Fn(&Function) -> bool + Sync) -> Vec<String> {
    static INITIALISED: Once = Once::new();
    // SAFETY: all tests wait here before they do anything else.
    INITIALISED.call_once(|| unsafe { std::env::set_var("OCL_ICD_VENDORS", vendors()) });
    let platform = Platform::new(first_device("MOCL3").unwrap()).unwrap();
    let functions = functions::all();
    assert!(functions.len() > 300);
    functions
        .par_iter()
        .filter(|function| platform.has_types_of(function) && wanted(function))
        .filter_map(|function| {
            let outcome = sweep::sweep(&platform, function, settings).unwrap();
            (!outcome.holds()).then(|| report::line(function, &outcome))
        })
        .collect()
}

#[test]
fn every_function_is_within_its_limits_in_scalar_code() {
    let settings = Settings {
        // The suite's category `builtin` tries vector code.
        forms: &FORMS[1..2],
        options: "",
        samples: SAMPLES,
        relaxed: false,
        all_halves: true,
    };
    let broken = broken(&settings, |_| true);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn relaxed_functions_are_still_near_where_results_are_ordinary() {
    let settings = Settings {
        forms: &FORMS[..1],
        options: "-cl-fast-relaxed-math",
        samples: SAMPLES,
        relaxed: true,
        all_halves: false,
    };
    let broken = broken(&settings, |function| {
        function.format.name() == "float" && function.style != Style::Conversion
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
