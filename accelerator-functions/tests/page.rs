//! docs/generated/built-in-kernels.md is generated from the table of functions and the machines with
//! accelerators.

use accelerator_functions::{Function, all};
use built_in_kernels::Declaration;
use device_sim::machine::{Accelerator, Description};
use std::path::Path;

fn page() -> String {
    let accelerators = ["dsp", "mma"].map(|name| {
        let machine = Description::select(name).unwrap().machine().unwrap();
        (name, machine.accelerators)
    });
    let mut page = String::from(
        "# Built-in kernels\n\n\
         Written by `cargo xtask pages` from `accelerator-functions/functions.toml` and the machines `dsp` and\n\
         `mma`; a test compares them. [../custom-devices.md](../custom-devices.md) describes their use. Complex\n\
         numbers are pairs of real and imaginary part.\n",
    );
    for function in all() {
        let mut rows = accelerators
            .iter()
            .flat_map(|(machine, rows)| rows.iter().map(move |row| (*machine, row)));
        let row = rows.find(|(_, row)| row.function == function.name);
        page += &section(function, row);
    }
    page
}

fn section(function: &Function, accelerator: Option<(&str, &Accelerator)>) -> String {
    let Declaration {
        name, what, result, ..
    } = &**function;
    let mut text = format!(
        "\n## {name}\n\nThe {what}.\n\n```c\n{}\n```\n\n{result}\n\n{}",
        **function,
        function.table()
    );
    if let Some((machine, accelerator)) = accelerator {
        let (cycles, frame) = (accelerator.cycles.value, accelerator.frame.value);
        let formula = accelerator.formula.as_ref();
        let formula = formula.map_or("for any".to_owned(), |formula| {
            format!(
                "`{}` ({}: {})",
                formula.expression, formula.source, formula.note
            )
        });
        text += &format!("\nCycles on `{machine}`: {cycles} for a frame of {frame}; {formula}.\n");
    }
    text
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/generated/built-in-kernels.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page());
}
