//! `docs/paper.md`.

use crate::figure::{HEAD, Part};
use anyhow::Result;

const INTRODUCTION: &str = "\
# Published and simulated

What is published of the MT-3000 and of MOCL3 on it, beside what the simulated machine does, all
with [one machine file](machine-model.md#numbers). `cargo xtask paper` measures it anew, in
five minutes of four fast cores, most of them clpeak's (`--short` gives it less to do), and
`cargo xtask paper --write` writes this page. Times are those of events
([queues.md](queues.md#simulated-time)), the same on every run and every host.

*Ratio* is simulated by published. A figure is met if it is within the tolerance, which does not
depend on what comes out: 15 % as asked for clpeak, and for others what we take for near; no
parameter is set for one figure at the cost of another. Figures that parameters are calibrated on
say nothing about the model but that it can show them.

";

/// The page.
///
/// # Errors
/// `description` is no machine's.
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
             *Published* in a paper, a manual or the vendor's headers; *derived* from such numbers;\n\
             *assumed*; or *calibrated*: chosen so that a published figure comes out, which the note\n\
             names. Those of `open_cl`, which are limits of programs and take no time, are in\n\
             [machine-model.md](machine-model.md#numbers).\n\n\
             | number | value | unit | source | note |\n| --- | --- | --- | --- | --- |\n";
    for (name, number) in device_sim::machine::numbers(description)? {
        if !name.starts_with("open_cl.") {
            page += &format!(
                "| `{name}` | {} | {} | {} | {} |\n",
                number.value, number.unit, number.source, number.note
            );
        }
    }
    Ok(page)
}
