//! Double buffering with async copies against single buffering, as `mocl3 stat` sees it.

use crate::conditions::in_order;
use crate::figure::{Part, digits};
use crate::measurement::Measurement;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The shares' keys in `mocl3 stat --json`, and their names on the page.
const SHARES: [(&str, &str); 8] = [
    ("compute", "compute"),
    ("scratchpad", "SM/AM"),
    ("memory", "memory"),
    ("dma_wait", "DMA wait"),
    ("lock_wait", "lock wait"),
    ("barrier", "barrier"),
    ("launch", "launch"),
    ("idle", "idle"),
];

/// Times and shares; no figure of them is published.
///
/// # Errors
/// The measurement's, or `mocl3`'s.
pub fn part(mocl3: &Path) -> Result<Part> {
    let mut part = Part::new("Double buffering");
    part.say(format_args!(
        "`tools/validation/kernels/blocks.cl` computes on blocks of 256 numbers that asynchronous copies move\n\
         to local memory and back, on 24 arrays. `mocl3 stat` reports:\n\n| kernel | time |"
    ));
    for (_, name) in SHARES {
        part.say(format_args!(" {name} |"));
    }
    part.say(format_args!(" DDR |\n|{}\n", " --- |".repeat(11)));
    let (single, waits_single) = row(&mut part, mocl3, "single_buffered")?;
    let (double, waits_double) = row(&mut part, mocl3, "double_buffered")?;
    part.say(format_args!(
        "\nDouble buffering takes {:.1} % {} time. Waiting for transfers is {waits_single:.1} % of the\n\
         arrays' time with one buffer and {waits_double:.1} % with two, because transfers overlap with\n\
         computing on the previous block. The rest is the cost of starting transfers and the limited\n\
         DDR bandwidth per array. While one array waits, others use DDR; a single buffer therefore\n\
         leaves less bandwidth unused than on a machine with one array. The computation was chosen\n\
         to take about as long as its transfers; where either is much longer the gain is smaller.\n\
         No such figure is published for MOCL3.\n",
        (1.0 - double / single).abs() * 100.0,
        if double <= single { "less" } else { "more" },
    ));
    Ok(part)
}

/// Adds a row with the time, ns, and the share of waiting for DMA, percent.
fn row(part: &mut Part, mocl3: &Path, name: &str) -> Result<(f64, f64)> {
    let kernel = name.to_owned();
    let mut stat = Command::new(mocl3);
    in_order(&mut stat)
        .args(["stat", "--json", "--"])
        .args(Measurement::Blocks { kernel }.arguments()?);
    let output = stat
        .output()
        .with_context(|| format!("{} cannot be started", mocl3.display()))?;
    ensure!(
        output.status.success(),
        "mocl3 stat: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let profile: Value = serde_json::from_slice(&output.stdout)?;
    let kernel = &profile["kernels"][0];
    ensure!(kernel["name"] == name, "mocl3 stat shows no {name}");
    let number = |value: &Value, what: &str| {
        value[what]
            .as_f64()
            .with_context(|| format!("mocl3 stat has no {what}"))
    };
    let time = number(kernel, "event_time_ns")?;
    part.say(format_args!("| `{name}` | {} us |", digits(time / 1e3)));
    for (key, _) in SHARES {
        part.say(format_args!(" {:.1} % |", number(&kernel["shares"], key)?));
    }
    let ddr = number(&kernel["bandwidth"]["ddr"], "percent")?;
    part.say(format_args!(" {ddr:.1} % |\n"));
    Ok((time, number(&kernel["shares"], "dma_wait")?))
}
