//! The cases, one file per family. Each checks its result, so that no platform is fast because it
//! computes wrong results.
//!
//! A case is an entry in its family's `CASES`; its kernels are in `tools/bench/kernels`.

mod algebra;
mod arithmetic;
mod build;
mod collect;
mod common;
mod fft;
mod gemm;
mod graph;
mod grids;
mod hash;
mod image;
mod kmeans;
mod launch;
mod lbm;
mod learning;
mod live;
mod memory;
mod monte_carlo;
mod nbody;
mod numbers;
mod particles;
mod pictures;
mod scan;
mod sequences;
mod sort;
mod sparse;
mod stencil;
mod stream;
mod transfer;
mod transpose;

use crate::case::{Case, Category};
use common::{ensure_close, ensure_each, ensure_each_close, floats, integers, source};

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
        memory::GRID_STRIDE,
        memory::STRIDES,
        algebra::RANK_UPDATES,
        algebra::COVARIANCE,
        algebra::VECTORS,
        algebra::ELIMINATION,
        grids::SWEEPS,
        grids::PYRAMIDS,
        grids::DIFFUSION,
        numbers::ESCAPE_TIME,
        numbers::OPTIONS,
        numbers::FOURIER,
        numbers::MERSENNE,
        particles::LISTS,
        particles::SUMS,
        pictures::COLOURS,
        pictures::FILTERS,
        pictures::BLOCKS,
        pictures::CANNY,
        learning::CASES,
        sequences::SCATTER,
        sequences::ALIGNMENT,
        sequences::SEARCH,
        launch::CASES,
        live::CASES,
        build::CASES,
        transfer::CASES,
    ]
    .into_iter()
    .flatten()
}
