//! The example of docs/machine-files.md is a valid machine file that differs from the MT-3000 in
//! the numbers that the page names.

use device_sim::machine::{MT3000, Machine, flatten};
use std::path::Path;

#[test]
fn the_example_differs_in_the_numbers_that_the_page_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines/example.toml");
    let machine = Machine::read(&path).unwrap();
    assert_eq!(machine.clusters.count.value, 1);
    assert_eq!(machine.clusters.arrays.value, 8);
    let text = std::fs::read_to_string(path).unwrap();
    let example = flatten(&text).unwrap();
    let built_in = flatten(MT3000).unwrap();
    assert_eq!(example.len(), built_in.len());
    let differing: Vec<&str> = example
        .iter()
        .zip(&built_in)
        .filter(|((_, changed), (_, original))| changed.value != original.value)
        .map(|((name, _), _)| name.as_str())
        .collect();
    assert_eq!(
        differing,
        [
            "clusters.affinity.numa",
            "clusters.arrays",
            "clusters.count",
            "memory.ddr.bandwidth"
        ]
    );
    let page = include_str!("../../docs/machine-files.md");
    for name in differing {
        assert!(page.contains(name), "docs/machine-files.md lacks {name}");
    }
}
