//! The cases, a family to a file. Each checks its result, so that nobody is fast by being
//! wrong.
//!
//! A case is an entry in its family's `CASES`; its kernels are in `tools/bench/kernels`.

mod arithmetic;
mod build;
mod collect;
mod fft;
mod gemm;
mod graph;
mod hash;
mod image;
mod kmeans;
mod launch;
mod lbm;
mod monte_carlo;
mod nbody;
mod scan;
mod sort;
mod sparse;
mod stencil;
mod stream;
mod transfer;
mod transpose;

use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A case: what one process measures.
pub struct Case {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is timed.
    pub what: &'static str,
    /// What it belongs to in the report.
    pub category: Category,
    /// Measures.
    pub measure: fn(Mode) -> Result<Measurement>,
}

/// Which of the aims a case is held against, and which caches it finds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Category {
    /// A kernel's duration.
    Kernel,
    /// What a launch costs by itself.
    Launch,
    /// Many launches of a kernel that does little.
    Series,
    /// Compilation with empty caches.
    ColdBuild,
    /// Compilation of a kernel of some length: how the time grows with it.
    Growth,
    /// Compilation of what another process has compiled before.
    CachedBuild,
    /// Between host and device.
    Transfer,
}

/// All cases, in the order of the report.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [
        stream::CASES,
        gemm::CASES,
        nbody::CASES,
        arithmetic::CASES,
        collect::CASES,
        stencil::CASES,
        fft::CASES,
        sort::CASES,
        scan::CASES,
        sparse::CASES,
        transpose::CASES,
        monte_carlo::CASES,
        hash::CASES,
        kmeans::CASES,
        lbm::CASES,
        graph::CASES,
        image::CASES,
        launch::CASES,
        build::CASES,
        transfer::CASES,
    ]
    .into_iter()
    .flatten()
}

/// Some source of `tools/bench/kernels`.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!("../../kernels/", $file))
    };
}
use source;

/// Random numbers, the same for the same seed.
fn floats(seed: u64, count: usize, range: Range<f32>) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let width = range.end - range.start;
    (0..count)
        .map(|_| range.start + width * random.f32())
        .collect()
}

/// Whether a result is right but for `tolerance` of itself, or of `scale` where it is
/// smaller.
fn ensure_close(result: f32, expected: f64, scale: impl Into<f64>, tolerance: f64) -> Result<()> {
    let off = (f64::from(result) - expected).abs();
    ensure!(
        off <= tolerance * expected.abs().max(scale.into()),
        "expected {expected}, got {result}"
    );
    Ok(())
}
