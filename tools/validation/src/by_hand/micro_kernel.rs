//! The micro-kernel of the GEMM papers in OpenCL C, against their formula and measurements.

use super::row::{Row, lanes};
use super::simulated::Profiles;
use crate::figure::{Figure, Part, Tolerance, digits};
use anyhow::Result;

/// Cycles of a step of K: 6 rows and 3 vectors of columns on three units.
const STEP: f64 = 6.0;

/// Operations of a step: a multiply-add for each of 6 rows and 48 columns.
const FLOPS: f64 = 576.0;

/// Cycles before the loop, and after it, that the papers count.
const AROUND: [f64; 2] = [14.0, 12.0];

/// Peak of an array of the papers' processor, GFLOP/s.
const PEAK: f64 = 172.8;

const FROM: &str = "GEMM papers, on FT-M7032";

/// A length K.
struct Length {
    kernel: &'static str,
    k: f64,
    /// The name of the figure of its cycles, and of that of its part of the peak.
    figures: [&'static str; 2],
    /// The name of the figure of its rate.
    rate: &'static str,
    /// What the papers measured of whole products, GFLOP/s of an array.
    measured: f64,
}

const LENGTHS: [Length; 3] = [
    Length {
        kernel: "micro_64",
        k: 64.0,
        figures: [
            "micro-kernel of 6 rows and 48 columns, K = 64",
            "its part of the peak, K = 64",
        ],
        rate: "FT-M7032: micro-kernel on an array, K = 64",
        measured: 159.0,
    },
    Length {
        kernel: "micro_512",
        k: 512.0,
        figures: [
            "micro-kernel of 6 rows and 48 columns, K = 512",
            "its part of the peak, K = 512",
        ],
        rate: "FT-M7032: micro-kernel on an array, K = 512",
        measured: 170.9,
    },
    Length {
        kernel: "micro_1024",
        k: 1024.0,
        figures: [
            "micro-kernel of 6 rows and 48 columns, K = 1024",
            "its part of the peak, K = 1024",
        ],
        rate: "FT-M7032: micro-kernel on an array, K = 1024",
        measured: 171.9,
    },
];

/// Its kernels, to be launched.
pub fn rows() -> Vec<Row> {
    let row = |length: &Length| {
        let cycles = AROUND[0] + STEP * length.k + AROUND[1];
        lanes(length.kernel, length.figures[0], cycles, "").counting("micro-kernel", [4, 8])
    };
    LENGTHS.iter().map(row).collect()
}

/// A rate of the micro-kernel, GFLOP/s of an array.
pub struct Rate {
    /// The name of the figure.
    pub what: &'static str,
    /// What the papers measured of whole products.
    pub published: f64,
    /// What is simulated.
    pub simulated: f64,
}

/// The rates on an array with that clock, Hz.
///
/// # Errors
/// A profile lacks a kernel.
pub fn rates(profiles: &Profiles, clock: f64) -> Result<Vec<Rate>> {
    let rate = |(length, row): (&Length, Row)| {
        let cycles = profiles.cycles(&row)?;
        Ok(Rate {
            what: length.rate,
            published: length.measured,
            simulated: FLOPS * length.k / cycles * clock / 1e9,
        })
    };
    LENGTHS.iter().zip(rows()).map(rate).collect()
}

/// The papers' figures and the simulated ones.
///
/// # Errors
/// A profile lacks a kernel.
pub fn part(profiles: &Profiles) -> Result<Part> {
    let mut part = Part::new("The GEMM papers' micro-kernel");
    part.say(format_args!(
        "`MICRO` in `tools/validation/kernels/by_hand.cl`: 6 rows and 48 columns of a product in double\n\
         precision, with both factors in AM. The papers schedule it by hand in 14 + 6 K + 12 cycles, a loop\n\
         of two steps in 12. The peak is that of the multiply-add units; the papers' part of it is that of\n\
         whole products with that K.\n\n\
         | K | papers' cycles | simulated | papers' part of the peak | simulated |\n\
         | --- | --- | --- | --- | --- |\n"
    ));
    let mut simulated = Vec::new();
    for (length, row) in LENGTHS.iter().zip(rows()) {
        let published = row.by_hand.cycles.unwrap_or_default();
        let cycles = profiles.cycles(&row)?;
        let parts = [length.measured / PEAK, STEP * length.k / cycles].map(|part| part * 100.0);
        part.say(format_args!(
            "| {} | {} | {} | {:.1} % | {:.1} % |\n",
            length.k,
            digits(published),
            digits(cycles),
            parts[0],
            parts[1],
        ));
        let figure = |what, values: [f64; 2], unit, tolerance| Figure {
            what,
            published: values[0],
            simulated: values[1],
            unit,
            tolerance,
            from: FROM,
            why: "",
        };
        let [of_cycles, of_peak] = length.figures;
        let cycles_of_both = [published, cycles];
        part.figures.push(figure(
            of_cycles,
            cycles_of_both,
            "cycles",
            Tolerance::Percent(1.0),
        ));
        part.figures
            .push(figure(of_peak, parts, "%", Tolerance::Points(3.0)));
        simulated.push((length.k, cycles));
    }
    let ((short, fewer), (long, more)) = (simulated[0], simulated[1]);
    part.figures.push(Figure {
        what: "an iteration of its loop, two steps of K",
        published: 2.0 * STEP,
        simulated: 2.0 * (more - fewer) / (long - short),
        unit: "cycles",
        tolerance: Tolerance::Percent(1.0),
        from: FROM,
        why: "",
    });
    Ok(part)
}
