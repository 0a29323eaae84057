//! Matrix products with and without local memory and async copies.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::Result;

/// The sizes M = N = K of the MOCL3 paper.
pub const SIZES: [usize; 4] = [512, 1024, 1536, 2048];

const TILES: [Tile; 2] = [
    Tile {
        side: 16,
        what: "GEMM: speedup by local memory and async copies, mean of four sizes, tiles of 16 × 16",
        why: "The paper neither shows its kernels nor states its tile size; its figure lies between \
              those of two usual sizes. Each row of a tile is a transfer that must be started and \
              waited for. With rows of 128 bytes, transfers take half of `tiled`'s time. `naive` is \
              bound by DDR alone (`mocl3 stat`).",
    },
    Tile {
        side: 32,
        what: "GEMM: the same speedup with tiles of 32 × 32",
        why: "As above; the same work needs half as many transfers as with 16 × 16.",
    },
];

struct Tile {
    /// Work-items along each side of a work-group, and elements along each side of a tile.
    side: usize,
    what: &'static str,
    why: &'static str,
}

/// A row for each size and tile, and the means if all sizes are measured.
///
/// # Errors
/// A measurement's.
pub fn part(sizes: &[usize]) -> Result<Part> {
    let mut part = Part::new("GEMM with local memory");
    part.say(format_args!(
        "`tools/validation/kernels/gemm.cl`, double precision, square work-groups with one work-item per\n\
         element. `naive` reads global memory; `tiled` copies tiles of the work-group's size into\n\
         local memory, one row per `async_work_group_copy`. The results are checked.\n\n\
         | M = N = K | tile | naive | tiled | speedup |\n\
         | --- | --- | --- | --- | --- |\n"
    ));
    for tile in TILES {
        let ratios = part_of(sizes, tile.side, &mut part)?;
        if sizes == SIZES {
            part.figures.push(figure(&tile, &ratios));
        }
    }
    Ok(part)
}

/// The rows of a tile size, and the speedups of `tiled`.
fn part_of(sizes: &[usize], tile: usize, part: &mut Part) -> Result<Vec<f64>> {
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
            "| {size} | {tile} × {tile} | {} | {} | {:.2} |\n",
            of(naive),
            of(tiled),
            naive / tiled
        ));
        ratios.push(naive / tiled);
    }
    Ok(ratios)
}

fn figure(tile: &Tile, ratios: &[f64]) -> Figure {
    Figure {
        what: tile.what,
        published: 2.8,
        simulated: ratios.iter().sum::<f64>() / ratios.len() as f64,
        unit: "times",
        tolerance: Tolerance::Percent(15.0),
        from: "MOCL3 paper",
        why: tile.why,
    }
}
