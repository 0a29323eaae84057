//! docs/generated/vendor-kernels.md is generated from the table of kernels.

use std::path::Path;
use vendor_kernels::{VendorKernel, all};

fn page() -> String {
    let mut page = String::from(
        "# Kernels of the vendor's library\n\n\
         Written by `cargo xtask pages` from `vendor-kernels/kernels.toml`; a test compares them.\n\
         [../vendor-kernels.md](../vendor-kernels.md) describes their use. Complex numbers are pairs of real and\n\
         imaginary part.\n",
    );
    // Those that differ in their precision only follow each other; functions have the same arguments.
    let (functions, others): (Vec<_>, Vec<_>) = all()
        .iter()
        .partition(|kernel| kernel.declaration().name.starts_with('v'));
    let same = |a: &&VendorKernel, b: &&VendorKernel| a.declaration().what == b.declaration().what;
    for kernels in others.chunk_by(same) {
        page += &section(kernels);
    }
    page += "\n## Functions of each element\n\n| kernels | | |\n| --- | --- | --- |\n";
    for kernels in functions.chunk_by(same) {
        let declaration = kernels[kernels.len() - 1].declaration();
        page += &format!(
            "| {} | {} | {} |\n",
            names(kernels),
            declaration.what,
            declaration.result
        );
    }
    for name in ["vd_sin", "vd_pow"] {
        let declared = functions
            .iter()
            .find(|kernel| kernel.declaration().name == name);
        let declaration = declared.expect("there is that function").declaration();
        page += &format!("\n```c\n{declaration}\n```\n\n{}", declaration.table());
    }
    page
}

fn names(kernels: &[&VendorKernel]) -> String {
    let names = kernels
        .iter()
        .map(|kernel| format!("`{}`", kernel.declaration().name));
    names.collect::<Vec<_>>().join(", ")
}

fn section(kernels: &[&VendorKernel]) -> String {
    let declaration = kernels[kernels.len() - 1].declaration();
    let requirements = declaration.requirements.iter();
    let requirements: String = requirements
        .map(|one| format!("The kernel requires that {}.\n", one.what))
        .collect();
    let space = if requirements.is_empty() { "" } else { "\n" };
    format!(
        "\n## {}\n\nThe {}.\n\n```c\n{declaration}\n```\n\n{}\n\n{}{space}{requirements}",
        names(kernels),
        declaration.what,
        declaration.result,
        declaration.table()
    )
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/generated/vendor-kernels.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page());
}
