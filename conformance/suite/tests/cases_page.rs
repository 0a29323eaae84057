//! `docs/generated/conformance.md` lists the suite's cases by category.

use clap::ValueEnum;
use conformance::case::{Case, Category};
use conformance::cases;
use std::fmt::Write;
use std::path::Path;

const INTRODUCTION: &str = "\
# Cases of the conformance suite

Written by `cargo xtask pages` from the suite; a test compares them. `mocl3 conformance --list`
prints the cases with descriptions, [testing.md](../testing.md) has results on several platforms.

| category | `--category` | cases |
| --- | --- | --- |
";

fn page() -> String {
    let all: Vec<&Case> = cases::all().collect();
    let mut page = INTRODUCTION.to_owned();
    for category in Category::ALL {
        let value = category.to_possible_value().expect("no category is hidden");
        let count = all.iter().filter(|case| case.category == category).count();
        let (name, value) = (category.name(), value.get_name());
        writeln!(page, "| {name} | `{value}` | {count} |").unwrap();
    }
    writeln!(page, "| all | | {} |", all.len()).unwrap();
    page
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated/conformance.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == page(),
        "docs/generated/conformance.md is not what the suite has; run cargo xtask pages"
    );
}
