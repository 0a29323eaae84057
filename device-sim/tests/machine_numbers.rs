//! `docs/generated/machine-numbers.md` lists every number of the MT-3000.

use device_sim::machine::{MT3000, flatten};
use std::fmt::Write;
use std::path::Path;

const INTRODUCTION: &str = "\
# Numbers of the machine

Written by `cargo xtask pages` from `device-sim/machines/mt3000.toml`; a test compares them.
[machine-model.md](../machine-model.md#numbers) says what the sources mean,
[bibliography.md](../bibliography.md) has the full references of the papers that the notes name,
and [machine-files.md](../machine-files.md) says how to write such a file.

| number | value | unit | source | note |
| --- | --- | --- | --- | --- |
";

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (name, number) in flatten(MT3000).unwrap() {
        writeln!(
            page,
            "| `{name}` | {} | {} | {} | {} |",
            number.value, number.unit, number.source, number.note
        )
        .unwrap();
    }
    page
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_machine_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/generated/machine-numbers.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == page(),
        "docs/generated/machine-numbers.md is not what the machine file says; \
         run cargo xtask pages"
    );
}
