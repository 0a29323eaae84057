//! The MOCL3 paper's study of GEMM with hthreads, with the program in `examples/hthreads-gemm`.

use crate::conditions::profile;
use crate::figure::{Part, digits};
use crate::hthreads_program::build;
use anyhow::{Context, Result};
use std::path::Path;

/// Sizes M = N = K.
const SIZES: [usize; 2] = [512, 768];

/// The versions after the naive one: the kernel, and what it does. The paper gives four speedups and
/// does not say which is which; one order lets both a second dimension and AM be faster.
const VERSIONS: [(&str, &str, f64); 4] = [
    ("gemm_sm_1d", "SM, tiles of one dimension", 9.4),
    ("gemm_sm_2d", "SM, tiles of two dimensions", 33.04),
    ("gemm_am_1d", "AM, tiles of one dimension", 15.98),
    ("gemm_am_2d", "AM, tiles of two dimensions", 392.29),
];

/// The speedups, with those of the paper.
///
/// # Errors
/// The program cannot be built or run, or computes something wrong.
pub fn part(mocl3: &Path) -> Result<Part> {
    let folder = tempfile::tempdir()?;
    build(mocl3, "hthreads-gemm", folder.path())?;
    let mut part = Part::new("GEMM with hthreads");
    part.say(format_args!(
        "`examples/hthreads-gemm`, a program for hthreads, double precision, 24 threads: the naive version\n\
         reads DDR with the control cores; the others move tiles into SM or AM by DMA. Times are those of\n\
         `mocl3 stat`, with launches. The paper (section 6.3.1) gives four speedups without sizes, kernels,\n\
         or which is which; they are in the order in which a second dimension and AM are both faster.\n\n\
         | M = N = K | version | time | speedup | published |\n\
         | --- | --- | --- | --- | --- |\n"
    ));
    for size in SIZES {
        rows(&mut part, mocl3, folder.path(), size)?;
    }
    part.say(format_args!(
        "\nThe naive version waits for a line of DDR for almost each element of B (`mocl3 stat`): columns of\n\
         B do not stay in the data cache, as the cost model takes it. Tiles of one dimension read B once for\n\
         each row of C and are bound by DDR, in SM as in AM.\n"
    ));
    Ok(part)
}

/// Adds the rows of a size.
fn rows(part: &mut Part, mocl3: &Path, folder: &Path, size: usize) -> Result<()> {
    let program = folder.join("gemm");
    let image = folder.join("gemm_kernel.dat");
    let command = [
        program.into(),
        size.to_string().into(),
        "24".into(),
        image.into(),
    ];
    let profile = profile(mocl3, &[], &command)?;
    let time = |name: &str| -> Result<f64> {
        let kernels = profile["kernels"].as_array();
        let kernel = kernels
            .and_then(|kernels| kernels.iter().find(|kernel| kernel["name"] == name))
            .with_context(|| format!("{name} did not run"))?;
        kernel["time_ns"].as_f64().context("no time")
    };
    let naive = time("gemm_naive")?;
    let milliseconds = |time: f64| digits(time / 1e6);
    part.say(format_args!(
        "| {size} | naive | {} ms | 1 | 1 |\n",
        milliseconds(naive)
    ));
    for (kernel, what, published) in VERSIONS {
        let time = time(kernel)?;
        part.say(format_args!(
            "| {size} | {what} | {} ms | {} | {published} |\n",
            milliseconds(time),
            digits(naive / time)
        ));
    }
    Ok(())
}
