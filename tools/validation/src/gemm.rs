//! Matrix products with and without local memory and async copies.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::{Measurement, Tile};
use anyhow::Result;

/// The sizes M = N = K of the MOCL3 paper.
pub const SIZES: [usize; 4] = [512, 1024, 1536, 2048];

/// The paper neither shows its kernels nor states their sizes: three usual ones.
const SHAPES: [Shape; 3] = [
    Shape {
        tile: Tile {
            columns: 16,
            rows: 16,
            depth: 16,
        },
        what: "GEMM: speedup by local memory and async copies, mean of four sizes, groups of 16 × 16",
        why: "",
    },
    Shape {
        tile: Tile {
            columns: 32,
            rows: 16,
            depth: 16,
        },
        what: "GEMM: the same speedup with groups of 32 × 16",
        why: "",
    },
    Shape {
        tile: Tile {
            columns: 32,
            rows: 32,
            depth: 32,
        },
        what: "GEMM: the same speedup with groups of 32 × 32",
        why: "The paper neither shows its kernels nor states their sizes; smaller groups meet its figure. \
              The same work needs half as many transfers as with 16 × 16. `naive` is bound by DDR \
              alone (`mocl3 stat`).",
    },
];

struct Shape {
    tile: Tile,
    what: &'static str,
    why: &'static str,
}

/// A row for each size and shape, and the means if all sizes are measured.
///
/// # Errors
/// A measurement's.
pub fn part(sizes: &[usize]) -> Result<Part> {
    let mut part = Part::new("GEMM with local memory");
    part.say(format_args!(
        "`tools/validation/kernels/gemm.cl`, double precision, with one work-item per element. `naive`\n\
         reads global memory; `tiled` copies tiles of both factors into local memory, one row per\n\
         `async_work_group_copy`. The results are checked.\n\n\
         | M = N = K | work-group | depth | naive | tiled | speedup |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    ));
    for shape in SHAPES {
        let ratios = part_of(sizes, shape.tile, &mut part)?;
        if sizes == SIZES {
            part.figures.push(figure(&shape, &ratios));
        }
    }
    Ok(part)
}

/// The rows of a shape, and the speedups of `tiled`.
fn part_of(sizes: &[usize], tile: Tile, part: &mut Part) -> Result<Vec<f64>> {
    let mut ratios = Vec::new();
    for size in sizes {
        let time = |kernel: &str| {
            let measurement = Measurement::Gemm {
                kernel: kernel.to_owned(),
                size: *size,
                tile,
            };
            let times = measurement.run(&[])?;
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
            "| {size} | {} × {} | {} | {} | {} | {:.2} |\n",
            tile.columns,
            tile.rows,
            tile.depth,
            of(naive),
            of(tiled),
            naive / tiled
        ));
        ratios.push(naive / tiled);
    }
    Ok(ratios)
}

fn figure(shape: &Shape, ratios: &[f64]) -> Figure {
    Figure {
        what: shape.what,
        published: 2.8,
        simulated: ratios.iter().sum::<f64>() / ratios.len() as f64,
        unit: "times",
        tolerance: Tolerance::Percent(15.0),
        from: "MOCL3 paper",
        why: shape.why,
    }
}
