//! Packages that commands build alone get the features that they have in the whole workspace:
//! otherwise cargo would build what they depend on once more.

use crate::platform;
use std::collections::BTreeSet;

/// The crates that a build has, each with its features.
fn crates(packages: &[&str], edges: &str) -> BTreeSet<String> {
    let mut cargo = platform::cargo();
    cargo.args(["tree", "--no-dedupe", "--prefix", "none"]);
    cargo.args(["--format", "{p} {f}", "--edges", edges]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    if packages.is_empty() {
        cargo.arg("--workspace");
    }
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn packages_that_are_built_alone_have_the_features_of_the_workspace() {
    let all = crates(&[], "normal,build,dev");
    for packages in [
        ["icd", "smpi-layer", "cblas"].as_slice(),
        &["mocl3", "m3cc", "hthread-host"],
        &["conformance"],
        &["bench"],
        &["validation", "mocl3", "m3cc", "hthread-host"],
        &["kernel-compiler"],
        &["xtask"],
    ] {
        let alone = crates(packages, "normal,build");
        let others: Vec<&String> = alone.difference(&all).collect();
        assert!(
            others.is_empty(),
            "support/shared-features lacks features for {packages:?}: {others:#?}"
        );
    }
}
