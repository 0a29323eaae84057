//! Products of matrices, as they are tuned for this family of machines: a micro-kernel keeps 6 rows and 3
//! vectors of C in registers; its rows of A come from SM, those of B from AM (GEMM papers,
//! docs/bibliography.md). Around it, either panels of A pass by and C is updated in DDR (`panels`), or C stays in
//! AM until it is complete (`resident`), whichever takes less time by count.
//!
//! The papers store matrices by rows. The library's are stored by columns, so that A and B change places.

pub mod kernels;
mod panels;
mod product;
mod resident;

use crate::precision::Precision;
use crate::schedule::launch::{Call, Schedule};
use device_sim::machine::Machine;
use device_sim::units::Bytes;
use kernels::Kernels;
use panels::Panels;
use product::{Part, Product};
use resident::Resident;

pub(crate) fn of_call(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let product = Product::of_call(call);
    let kernels = Kernels::new(&product, machine);
    if product.m == 0 || product.n == 0 {
        return Schedule::new(Vec::new(), kernels.work(&product, 0), Bytes(0));
    }
    let panels = Panels::new(&product, machine);
    let resident = Resident::new(&product, &kernels, machine, arrays);
    let of_panels = panels.estimate(&product, &kernels, machine, arrays);
    match resident.estimate(&product, &kernels, machine) < of_panels {
        true => resident.schedule(product, kernels, arrays),
        false => panels.schedule(product, machine, arrays),
    }
}

/// The schedule of `?gemm` by panels on `arrays` arrays with two or three blocks of C in AM, for comparisons:
/// C has `m` rows and `n` columns, and both matrices are as the papers have them.
pub fn by_panels(
    machine: &Machine,
    arrays: u64,
    precision: Precision,
    [m, n, k]: [u64; 3],
    buffers: u64,
) -> Schedule {
    let product = Product {
        m: n,
        n: m,
        k,
        a_is_transposed: false,
        b_is_transposed: false,
        reads_c: true,
        part: Part::All,
        precision,
    };
    let panels = Panels::new(&product, machine).with_buffers(buffers);
    panels.schedule(product, machine, arrays)
}

#[cfg(test)]
mod tests;
