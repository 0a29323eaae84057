//! docs/generated/api-coverage.md is generated from the tables of functions and extensions.

use crate::abi::entry_point::Status;
use crate::abi::function_table::FUNCTIONS;
use runtime::device::extension;
use std::path::Path;

fn page() -> String {
    let mut page = String::from(
        "# API coverage\n\n\
         Written by `cargo xtask pages` from `icd/src/abi/functions.in` and the runtime's table\n\
         of extensions; a test compares them. Every slot of the ICD dispatch table holds a function;\n\
         functions that the platform does not implement return an error code.\n\
         \n## Extensions\n\n| extension | version | adds to |\n| --- | --- | --- |\n",
    );
    for row in extension::of_platform() {
        let [major, minor, patch] = row.version;
        page.push_str(&format!(
            "| `{}` | {major}.{minor}.{patch} | {} |\n",
            row.name,
            extension::adds_to(&row)
        ));
    }
    for (status, title) in [
        (Status::Implemented, "Implemented"),
        (
            Status::Absent,
            "Not implemented: other versions and extensions",
        ),
    ] {
        page.push_str(&format!(
            "\n## {title}\n\n| function | since |\n| --- | --- |\n"
        ));
        for function in FUNCTIONS
            .iter()
            .filter(|function| function.status == status)
        {
            page.push_str(&format!("| `{}` | {} |\n", function.name, function.since));
        }
    }
    page
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/generated/api-coverage.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page());
}
