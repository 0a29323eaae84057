//! The hashed folders are those of the compiler's crate and of all crates it depends on.

#[path = "../src/crates.rs"]
mod crates;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::Table;

/// A crate of features only, which no code is in.
const WITHOUT_CODE: &str = "shared-features";

fn read(path: PathBuf) -> Table {
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn all_crates_that_the_compiler_depends_on_are_hashed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = read(root.join("Cargo.toml"));
    let folder_of = |name: &str| {
        let dependency = workspace["workspace"]["dependencies"].get(name)?;
        Some(dependency.get("path")?.as_str()?.to_owned())
    };
    let mut found = BTreeSet::new();
    let mut pending = vec!["kernel-compiler".to_owned()];
    while let Some(folder) = pending.pop() {
        let manifest = read(root.join(&folder).join("Cargo.toml"));
        if !found.insert(folder) {
            continue;
        }
        let dependencies = manifest
            .get("dependencies")
            .and_then(|table| table.as_table());
        for name in dependencies.into_iter().flat_map(Table::keys) {
            let this = name == env!("CARGO_PKG_NAME") || name == WITHOUT_CODE;
            pending.extend(folder_of(name).filter(|_| !this));
        }
    }
    let hashed = crates::CRATES.iter().map(|folder| (*folder).to_owned());
    assert_eq!(found, hashed.collect());
}
