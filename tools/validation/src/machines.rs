//! Published figures of the other machines that ship: the FT-M7032 and the ConnexArray.

use crate::by_hand;
use crate::conditions;
use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::{Context, Result};
use device_sim::machine::{Description, Shipped};
use serde_json::Value;
use std::path::Path;

const FT_M7032: &str = "ft-m7032";
const CONNEX_ARRAY: &str = "connexarray";

const CALIBRATED: &str =
    "OPINCAA paper; `host.copy_bandwidth` and `host.fifo_refill` are calibrated on it";

/// The profile of a measurement on a machine.
fn profile(mocl3: &Path, machine: &str, measurement: &Measurement) -> Result<Value> {
    conditions::profile(mocl3, &["--machine", machine], &measurement.arguments()?)
}

/// The figures of the FT-M7032: rates of the GEMM papers' micro-kernel.
///
/// # Errors
/// A measurement's.
pub fn ft_m7032(mocl3: &Path) -> Result<Part> {
    let text = Shipped::find(FT_M7032).context("the FT-M7032 ships")?.text;
    let machine = Description::parse(text)?.machine()?;
    let profile = |is_large| profile(mocl3, FT_M7032, &Measurement::ByHand { is_large });
    let profiles = [profile(false)?, profile(true)?];
    let mut part = Part::new("FT-M7032");
    part.say(format_args!(
        "The micro-kernel on the machine that the papers measured (`mocl3 machine diff mt3000 {FT_M7032}`).\n\
         Their rates are those of an array in whole products with that K.\n"
    ));
    let clock = machine.clusters.clock.value as f64;
    for rate in by_hand::micro_kernel_rates(profiles, clock)? {
        part.figures.push(Figure {
            what: rate.what,
            published: rate.published,
            simulated: rate.simulated,
            unit: "GFLOP/s",
            tolerance: Tolerance::Percent(3.0),
            from: "GEMM papers",
            why: "",
        });
    }
    Ok(part)
}

/// The figures of the ConnexArray that are timing: transfers, and the simulator's speed.
///
/// # Errors
/// A measurement's.
pub fn connex_array(mocl3: &Path) -> Result<Part> {
    let mut part = Part::new("ConnexArray");
    let rate = |vectors: &[usize]| -> Result<f64> {
        let vectors = vectors.to_vec();
        let profile = profile(mocl3, CONNEX_ARRAY, &Measurement::Writes { vectors })?;
        let transfers = profile["transfers"].as_array().context("no transfers")?;
        let is_write = |one: &&Value| one["kind"] == "CL_COMMAND_WRITE_BUFFER";
        let write = transfers.iter().find(is_write).context("no writes")?;
        let rate = write["bytes_per_second"].as_f64().context("no rate")?;
        Ok(rate / 1e6)
    };
    let [split, whole] = [rate(&[128, 256])?, rate(&[384])?];
    let figure = |what, published, simulated, tolerance| Figure {
        what,
        published,
        simulated,
        unit: "MB/s",
        tolerance,
        from: CALIBRATED,
        why: "",
    };
    let three = Tolerance::Percent(3.0);
    part.figures = vec![
        figure(
            "ConnexArray: 384 vectors written as 128 and 256",
            206.0,
            split,
            three,
        ),
        figure("the same in one transfer", 185.0, whole, three),
    ];
    part.say(format_args!(
        "One transfer of 384 vectors is larger than the FIFO, which has to be filled again; two of 128 and\n\
         256 are not. The paper's advisor finds this split.\n"
    ));
    Ok(part)
}

/// The speed of this simulator on the ConnexArray, which depends on the host.
///
/// # Errors
/// A measurement's.
pub fn simulation_speed(mocl3: &Path) -> Result<Part> {
    let mut part = Part::new("Speed of the simulation");
    let profile = profile(mocl3, CONNEX_ARRAY, &Measurement::AbsoluteDifferences)?;
    let simulated = profile["host"]["cycles_per_second"]
        .as_f64()
        .context("no speed")?;
    let clock = profile["machine"]["clock"].as_f64().context("no clock")?;
    let kernel = &profile["kernels"][0];
    let number = |key: &str| kernel[key].as_f64().context("no such number");
    part.figures.push(Figure {
        what: "ConnexArray: the simulator's speed relative to the hardware's; more than 1 counts as 1",
        published: 1.0,
        simulated: (simulated / clock).min(1.0),
        unit: "times",
        tolerance: Tolerance::AtLeast,
        from: "OPINCAA paper: its simulator is faster than the hardware",
        why: "The host is slow, or busy.",
    });
    part.say(format_args!(
        "`tools/validation/kernels/sad.cl` adds absolute differences of 30 vectors of the ConnexArray: {}\n\
         million instructions in {} million cycles. The paper's simulator runs such kernels at least five\n\
         times as fast as the hardware with {} MHz. This is the only figure that depends on the host.\n",
        digits(number("instructions")? / 1e6),
        digits(number("cycles")? / 1e6),
        digits(clock / 1e6),
    ));
    Ok(part)
}
