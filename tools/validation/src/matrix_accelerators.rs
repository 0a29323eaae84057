//! The rate of the matrix multiply accelerators of the machine `mma`, against their number, scratchpad and DMA.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::{Context, Result};

const MACHINE: &str = "mma";

/// Giga-operations per second of an accelerator: 256 multiply-add units at 1 GHz.
const PEAK: f64 = 512.0;

/// The products of the table.
const ROWS: usize = 256;
const TASKS: usize = 8;

/// The time of products of matrices with these settings, ns.
fn time(rows: usize, tasks: usize, settings: &[String]) -> Result<u64> {
    let set = settings.join(",");
    let variables = [("MOCL3_MACHINE", MACHINE), ("MOCL3_MACHINE_SET", &set)];
    let times = Measurement::Products { rows, tasks }.run(&variables)?;
    times.first().copied().context("no time")
}

fn accelerators(units: usize, scratchpad: usize, rate: usize) -> Vec<String> {
    vec![
        format!("accelerator.matrix_multiply.units={units}"),
        format!("accelerator.matrix_multiply.scratchpad={scratchpad}byte"),
        format!("accelerator.matrix_multiply.dma.rate={rate}byte/cycle"),
    ]
}

fn managed(policy: &str, mut settings: Vec<String>) -> Vec<String> {
    settings.push("task_scheduler.scheduling=managed".to_owned());
    settings.push(format!("task_scheduler.queue_manager.policy={policy}"));
    settings
}

/// Cycles by hand, and the rates of products.
///
/// # Errors
/// A measurement's.
pub fn part() -> Result<Part> {
    let mut part = Part::new("Matrix multiply accelerators");
    let figure = |what, published, settings: &[String]| -> Result<Figure> {
        Ok(Figure {
            what,
            published,
            simulated: time(64, 1, settings)? as f64,
            unit: "cycles",
            tolerance: Tolerance::Percent(0.0),
            from: "computed by hand in docs/custom-devices.md",
            why: "The model has changed.",
        })
    };
    let (single, double) = (accelerators(4, 4096, 256), accelerators(4, 8192, 256));
    let fast = accelerators(4, 8192, 1024);
    part.figures = vec![
        figure("a product of 64 x 64, double buffering", 1429.0, &double)?,
        figure("the same with one buffer", 2466.0, &single)?,
        figure(
            "double buffering, DMA of 1024 bytes per cycle",
            1098.0,
            &fast,
        )?,
    ];
    part.say(format_args!(
        "Accelerators for blocks of 16 x 16 doubles, after the notes on Accelerator Centric Computing, which have\n\
         no times ([custom-devices.md](../custom-devices.md#time)). {TASKS} products of {ROWS} x {ROWS} matrices,\n\
         GFLOP/s and the share of the peak of {PEAK} GFLOP/s of each accelerator:\n\n\
         | accelerators | DMA, bytes per cycle | one buffer: 4 KiB | double buffering: 8 KiB |\n\
         | --- | --- | --- | --- |\n"
    ));
    let operations = (2 * ROWS.pow(3) * TASKS) as f64;
    let rate = |units: usize, settings: &[String]| -> Result<String> {
        let rate = operations / time(ROWS, TASKS, settings)? as f64;
        let share = rate * 100.0 / (PEAK * units as f64);
        Ok(format!("{} ({share:.0} %)", digits(rate)))
    };
    for units in [1, 2, 4, 8] {
        for bytes in [128, 256, 512] {
            let single = rate(units, &accelerators(units, 4096, bytes))?;
            let double = rate(units, &accelerators(units, 8192, bytes))?;
            part.say(format_args!(
                "| {units} | {bytes} | {single} | {double} |\n"
            ));
        }
    }
    part.say(format_args!(
        "\nWith the task queue manager, whose memory is filled at a rate of its own (8 KiB, DMA of 512 bytes per\n\
         cycle, four accelerators). *wide* divides a product among the accelerators that are idle:\n\n\
         | policy | memory, bytes per cycle | {TASKS} products | one product |\n| --- | --- | --- | --- |\n"
    ));
    for policy in ["lifo", "wide"] {
        for bytes in [32, 128, 512] {
            let mut settings = managed(policy, accelerators(4, 8192, 512));
            settings.push(format!(
                "task_scheduler.queue_manager.memory.rate={bytes}byte/cycle"
            ));
            let several = rate(4, &settings)?;
            let one = operations / TASKS as f64 / time(ROWS, 1, &settings)? as f64;
            part.say(format_args!(
                "| {policy} | {bytes} | {several} | {} |\n",
                digits(one)
            ));
        }
    }
    Ok(part)
}
