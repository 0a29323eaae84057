//! Kernels whose cycles, bytes, lanes and waits are computed by hand from the machine's numbers,
//! against what `mocl3 stat` shows of them.

mod arithmetic;
mod memory;
mod micro_kernel;
mod row;
mod scratchpad;
mod simulated;
mod synchronisation;
mod transfers;

use crate::figure::Part;
use anyhow::{Result, ensure};
use device_sim::machine::Machine;
pub use micro_kernel::Rate;
use row::Row;
use serde_json::Value;
use simulated::Profiles;
use std::ffi::OsString;
use std::path::Path;

/// All kernels.
fn rows(machine: &Machine) -> Vec<Row> {
    let rows = [
        arithmetic::rows(machine),
        scratchpad::rows(machine),
        memory::rows(machine),
        transfers::rows(machine),
        synchronisation::rows(machine),
    ];
    rows.into_iter().flatten().collect()
}

/// A launch of a kernel of `by_hand.cl`.
pub struct Launch {
    /// The kernel.
    pub kernel: &'static str,
    /// Work-groups.
    pub groups: usize,
    /// Work-items of a group.
    pub items: usize,
    /// The argument `n`.
    pub n: u32,
}

/// The launches that count the smaller or the larger number.
pub fn launches(machine: &Machine, is_large: bool) -> impl Iterator<Item = Launch> {
    let all = rows(machine).into_iter().chain(micro_kernel::rows());
    all.map(move |row| Launch {
        kernel: row.kernel,
        groups: row.groups,
        items: row.items,
        n: row.sizes[usize::from(is_large)],
    })
}

/// Rates of the GEMM papers' micro-kernel on an array with that clock, Hz, from the profiles of the
/// launches with the smaller and the larger number.
///
/// # Errors
/// A profile lacks a kernel.
pub fn micro_kernel_rates(profiles: [Value; 2], clock: f64) -> Result<Vec<Rate>> {
    micro_kernel::rates(&Profiles::of(profiles), clock)
}

/// A table of all kernels, and the GEMM papers' micro-kernel, measured by the commands that launch them
/// with the smaller and the larger number.
///
/// # Errors
/// `mocl3`'s, or some numbers are not those computed by hand.
pub fn parts(mocl3: &Path, machine: &Machine, commands: &[Vec<OsString>; 2]) -> Result<[Part; 2]> {
    let profiles = Profiles::new(mocl3, commands)?;
    let mut part = Part::new("Kernels computed by hand");
    part.say(format_args!(
        "`tools/validation/kernels/by_hand.cl`, as `mocl3 stat --json` shows it: the difference of two\n\
         launches, for each of what is counted. *Items* are the work-items of a group, on one array or on\n\
         all. Cycles are those of an array, or of the launch on all arrays; bytes are those of DDR; waits are\n\
         those of an array's lines.\n\n\
         | kernel | items | | for each | cycles by hand | simulated | bytes by hand | simulated \
         | lanes by hand | simulated | waits by hand | simulated | how |\n|{}\n",
        " --- |".repeat(13)
    ));
    let mut wrong = String::new();
    for row in rows(machine) {
        let simulated = profiles.numbers(&row)?;
        let text = row.text(&simulated);
        part.say(format_args!("{text}"));
        if !row.agrees(&simulated) {
            wrong += &text;
        }
    }
    ensure!(wrong.is_empty(), "not as computed by hand:\n{wrong}");
    Ok([part, micro_kernel::part(&profiles)?])
}
