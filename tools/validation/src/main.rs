//! Compares published figures of the MT-3000 and MOCL3 with simulated ones, which it measures by
//! event profiling, and writes `docs/generated/validation.md`.

mod buffering;
mod by_hand;
mod clpeak;
mod conditions;
mod figure;
mod gemm;
mod hthreads;
mod hthreads_overhead;
mod hthreads_program;
mod launch;
mod machines;
mod matrix_accelerators;
mod measurement;
mod page;
mod placement;
mod tasks;
mod vendor_kernels;

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use device_sim::machine::{Description, Machine};
use figure::Part;
use measurement::Measurement;
use std::path::{Path, PathBuf};

/// Print published figures and simulated ones.
#[derive(Parser)]
struct Arguments {
    /// Write the page to this file as well.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// The version of the installed clpeak; without this option clpeak's figures are omitted.
    #[arg(long, value_name = "VERSION")]
    clpeak: Option<String>,
    /// Run clpeak with its sizes for CPUs, less than a tenth of the work.
    #[arg(long, conflicts_with = "write")]
    short: bool,
    /// Measure only what takes a few seconds: GEMM of 512, and launches.
    #[arg(long, conflicts_with_all = ["write", "clpeak"])]
    quick: bool,
    /// Measure only the kernels whose numbers are computed by hand.
    #[arg(long, conflicts_with_all = ["write", "clpeak", "quick"])]
    by_hand: bool,
    /// Simulate only the programs of the task scheduler, for which no library is needed.
    #[arg(long, conflicts_with_all = ["write", "clpeak", "quick", "by_hand"])]
    tasks: bool,
    /// Measure only the programs for hthreads.
    #[arg(long, conflicts_with_all = ["write", "clpeak", "quick", "by_hand", "tasks"])]
    hthreads: bool,
    /// Take one measurement in this process and print it (used by the program itself).
    #[arg(long, hide = true)]
    measure: Option<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(measurement) = &arguments.measure {
        let measurement: Measurement =
            serde_json::from_str(measurement).context("not a measurement")?;
        println!("{}", serde_json::to_string(&measurement.here()?)?);
        return Ok(());
    }
    let description = Description::from_environment().map_err(|sentence| anyhow!(sentence))?;
    let description = description.text();
    let mocl3 = std::env::current_exe()?.with_file_name("mocl3");
    let machine = Machine::parse(&description)?;
    let parts = if arguments.tasks {
        vec![tasks::part()?]
    } else if arguments.hthreads {
        vec![hthreads::part(&mocl3)?, hthreads_overhead::part(&mocl3)?]
    } else if arguments.by_hand {
        Vec::from(kernels_by_hand(&mocl3, &machine)?)
    } else if arguments.quick {
        let [by_hand, micro_kernel] = kernels_by_hand(&mocl3, &machine)?;
        vec![
            gemm::part(&gemm::SIZES[..1])?,
            launch::part(&description)?,
            by_hand,
            micro_kernel,
            machines::ft_m7032(&mocl3)?,
            machines::connex_array(&mocl3)?,
            matrix_accelerators::part()?,
            vendor_kernels::part()?,
        ]
    } else {
        all(
            arguments.clpeak.as_deref(),
            arguments.short,
            &description,
            &mocl3,
        )?
    };
    let page = page::render(&parts, &description)?;
    print!("{page}");
    if let Some(path) = &arguments.write {
        std::fs::write(path, &page)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// The parts of the kernels that are computed by hand.
fn kernels_by_hand(mocl3: &Path, machine: &Machine) -> Result<[Part; 2]> {
    let command =
        |is_large| -> Result<Vec<_>> { Ok(Measurement::ByHand { is_large }.arguments()?.into()) };
    by_hand::parts(mocl3, machine, &[command(false)?, command(true)?])
}

/// All parts. Those that take minutes are measured concurrently: simulated times do not depend on
/// the host's load.
fn all(clpeak: Option<&str>, short: bool, description: &str, mocl3: &Path) -> Result<Vec<Part>> {
    let machine = Machine::parse(description)?;
    std::thread::scope(|scope| {
        let clpeak = clpeak.map(|version| {
            let machine = &machine;
            scope.spawn(move || clpeak::part(machine, version, short))
        });
        let gemm = scope.spawn(|| gemm::part(&gemm::SIZES));
        let mut quick = vec![
            hthreads::part(mocl3)?,
            launch::part(description)?,
            hthreads_overhead::part(mocl3)?,
            placement::part()?,
            buffering::part(mocl3)?,
        ];
        quick.extend(kernels_by_hand(mocl3, &machine)?);
        quick.push(tasks::part()?);
        quick.push(matrix_accelerators::part()?);
        quick.push(vendor_kernels::part()?);
        quick.push(machines::ft_m7032(mocl3)?);
        quick.push(machines::connex_array(mocl3)?);
        quick.push(machines::simulation_speed(mocl3)?);
        let mut parts = Vec::new();
        for measuring in clpeak.into_iter().chain([gemm]) {
            parts.push(measuring.join().expect("nothing panics")?);
        }
        parts.append(&mut quick);
        Ok(parts)
    })
}
