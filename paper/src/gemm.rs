//! Products of matrices with local memory and async copies, and without.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::Result;

/// M = N = K of the MOCL3 paper.
pub const SIZES: [usize; 4] = [512, 1024, 1536, 2048];

/// A line for each size; the mean only if all are there.
///
/// # Errors
/// A measurement's.
pub fn part(sizes: &[usize]) -> Result<Part> {
    let mut part = Part::new("GEMM with local memory");
    part.say(format_args!(
        "`paper/kernels/gemm.cl`, double precision, groups of 16 × 16 work-items, one for each\n\
         element: `naive` reads global memory; `tiled` brings tiles of 16 × 16 into local memory, a\n\
         row with each `async_work_group_copy`. The results are checked.\n\n\
         | M = N = K | without | with | how many times as fast |\n| --- | --- | --- | --- |\n"
    ));
    let mut ratios = Vec::new();
    for size in sizes {
        let time = |kernel: &str| {
            let kernel = kernel.to_owned();
            let size = *size;
            let times = Measurement::Gemm { kernel, size }.run(&[])?;
            anyhow::Ok(times.iter().sum::<u64>() as f64)
        };
        let (naive, tiled) = (time("naive")?, time("tiled")?);
        let of = |time: f64| {
            let flops = 2.0 * (*size as f64).powi(3);
            format!(
                "{} ms, {} GFLOP/s",
                digits(time / 1e6),
                digits(flops / time)
            )
        };
        part.say(format_args!(
            "| {size} | {} | {} | {:.2} |\n",
            of(naive),
            of(tiled),
            naive / tiled
        ));
        ratios.push(naive / tiled);
    }
    if sizes == SIZES {
        part.figures.push(Figure {
            what: "GEMM, local memory and async copies against none, mean of four sizes",
            published: 2.8,
            simulated: ratios.iter().sum::<f64>() / ratios.len() as f64,
            unit: "times",
            tolerance: Tolerance::Percent(15.0),
            from: "MOCL3 paper",
            why: "The paper does not show its kernels. Here the tiles' rows are 128 bytes, and \
                  each is a transfer that has to be started and waited for, which is about half \
                  of the time of `tiled`; what `naive` takes is DDR alone (`mocl3 stat`).",
        });
    }
    Ok(part)
}
