//! Renders `docs/generated/validation.md`.

use crate::figure::{HEAD, Part};
use anyhow::Result;

const INTRODUCTION: &str = "\
# Validation: published and simulated figures

Written by `cargo xtask paper --write`. [validation.md](../validation.md) describes the method,
[bibliography.md](../bibliography.md) has the references.

";

/// The page's text.
///
/// # Errors
/// `description` does not describe a machine.
pub fn render(parts: &[Part], description: &str) -> Result<String> {
    let mut page = format!("{INTRODUCTION}{HEAD}");
    let figures = || parts.iter().flat_map(|part| &part.figures);
    page.extend(figures().map(crate::figure::Figure::row));
    let missed: Vec<_> = figures().filter(|figure| !figure.met()).collect();
    if !missed.is_empty() {
        page += "\n## Why figures are missed\n";
        for figure in missed {
            page += &format!("\n**{}.** {}\n", figure.what, figure.why);
        }
    }
    page.extend(parts.iter().map(|part| part.details.as_str()));
    page += "\n## Numbers of the machine\n\n\
             *Published* in a paper, a manual or the vendor's headers; *derived* from such numbers; *assumed*;\n\
             or *calibrated* so that the published figure named in the note is reproduced. The numbers of\n\
             `open_cl` are limits of programs without influence on time; [machine-numbers.md](machine-numbers.md)\n\
             has them as well.\n\
             \n\
             | number | value | unit | source | note |\n| --- | --- | --- | --- | --- |\n";
    for (name, number) in device_sim::machine::flatten(description)? {
        if !name.starts_with("open_cl.") {
            page += &format!(
                "| `{name}` | {} | {} | {} | {} |\n",
                number.value, number.unit, number.source, number.note
            );
        }
    }
    Ok(page)
}
