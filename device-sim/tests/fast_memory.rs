//! The example of docs/machine-files.md is a machine that differs from the MT-3000 in the numbers
//! that the page names.

use device_sim::machine::{Description, Shipped};

#[test]
fn the_example_differs_in_the_numbers_that_the_page_names() {
    let text = Shipped::find("fast-memory").unwrap().text;
    let example = Description::parse(text).unwrap();
    let machine = example.machine().unwrap();
    assert_eq!(machine.clusters.count.value, 1);
    assert_eq!(machine.clusters.arrays.value, 8);
    let changes = &example.identity().changes;
    let differing: Vec<&str> = changes.iter().map(|one| one.name.as_str()).collect();
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
