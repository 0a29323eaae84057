//! docs/generated/error-codes.md: each error code of each function, and the tests that provoke it.

use super::Provocation;
use super::unprovoked::{ANYWHERE, UNPROVOKED};
use cl_sys::CL_SUCCESS;
use error_cases::specification::{self, SPECIFICATION};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Conditions provoked, by function and code.
fn provoked() -> BTreeMap<(&'static str, &'static str), Vec<String>> {
    let own = inventory::iter::<Provocation>
        .into_iter()
        .map(|test| (test.function, test.code, test.condition));
    let shared = error_cases::all();
    let shared = shared
        .iter()
        .filter(|case| case.code != CL_SUCCESS)
        .map(|case| (case.function, case.code_name, case.condition));
    let mut conditions: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (function, code, condition) in own.chain(shared) {
        let conditions = conditions.entry((function, code)).or_default();
        conditions.push(condition.replace('_', " "));
    }
    conditions.values_mut().for_each(|words| words.sort());
    conditions
}

/// Why no test provokes a code of a function.
fn unprovoked(function: &str, code: &str) -> Option<&'static str> {
    let named = UNPROVOKED
        .iter()
        .find(|(functions, its_code, _)| *its_code == code && functions.contains(&function))
        .map(|(_, _, reason)| *reason);
    let anywhere = || ANYWHERE.iter().any(|(its_code, _)| *its_code == code);
    named.or_else(|| anywhere().then_some("see above"))
}

fn page() -> String {
    let provoked = provoked();
    let mut page = String::from(
        "# Error codes\n\n\
         Written by `cargo xtask pages` from the table in `conformance/error-cases` and the tests in\n\
         `icd/tests/opencl/errors`, which call through the system's loader; a test compares them. Each\n\
         function of OpenCL 1.2 has the error codes that the specification names for it, and the\n\
         conditions under which the tests provoke them.\n\
         [specification.md](../specification.md) lists where the unified specification names\n\
         other codes.\n",
    );
    for (code, reason) in ANYWHERE {
        page.push_str(&format!("\n`{code}` {reason}.\n"));
    }
    page.push_str("\n| function | error code | provoked by |\n| --- | --- | --- |\n");
    for (function, codes) in SPECIFICATION {
        for code in *codes {
            let how = match provoked.get(&(*function, *code)) {
                Some(conditions) => conditions.join("; "),
                None => format!("— {}", unprovoked(function, code).unwrap_or("nothing")),
            };
            page.push_str(&format!("| `{function}` | `{code}` | {how} |\n"));
        }
        if codes.is_empty() {
            page.push_str(&format!("| `{function}` | none | |\n"));
        }
    }
    page
}

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/generated")
        .join(name)
}

#[test]
fn the_list_has_all_functions() {
    let functions = std::fs::read_to_string(document("api-coverage.md")).unwrap();
    let missing: Vec<_> = functions
        .lines()
        .filter(|row| {
            ["| 1.0 |", "| 1.1 |", "| 1.2 |"]
                .iter()
                .any(|end| row.ends_with(end))
        })
        .filter(|row| {
            let named = |(name, _): &(&str, _)| row.starts_with(&format!("| `{name}` |"));
            !SPECIFICATION.iter().any(named)
        })
        .collect();
    assert!(missing.is_empty(), "not in the list: {missing:?}");
}

#[test]
fn every_error_code_is_provoked_or_it_is_said_why_not() {
    let provoked = provoked();
    let holes: Vec<_> = SPECIFICATION
        .iter()
        .flat_map(|(function, codes)| codes.iter().map(move |code| (*function, *code)))
        .filter(|(function, code)| {
            !provoked.contains_key(&(*function, *code)) && unprovoked(function, code).is_none()
        })
        .collect();
    assert!(holes.is_empty(), "no test provokes {holes:?}");
}

#[test]
fn tests_provoke_what_the_specification_names() {
    let named = |function: &str, code: &str| {
        specification::codes(function).is_some_and(|codes| codes.contains(&code))
    };
    let provoked = provoked();
    let beyond: Vec<_> = provoked
        .keys()
        .filter(|(function, code)| !named(function, code))
        .collect();
    assert!(
        beyond.is_empty(),
        "not in the specification's list: {beyond:?}"
    );
    let idle: Vec<_> = UNPROVOKED
        .iter()
        .flat_map(|(functions, code, _)| functions.iter().map(move |function| (*function, *code)))
        .filter(|(function, code)| {
            provoked.contains_key(&(*function, *code)) || !named(function, code)
        })
        .collect();
    assert!(
        idle.is_empty(),
        "excused, but provoked or not named: {idle:?}"
    );
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_tests() {
    let path = document("error-codes.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == page(),
        "docs/generated/error-codes.md is out of date"
    );
}
