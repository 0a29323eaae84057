//! The cases, a family to a file. Each checks its result, so that nobody is fast by being
//! wrong.
//!
//! A case is an entry in its family's `CASES`; its kernels are in `bench/kernels`.

mod build;
mod gemm;
mod launch;
mod stream;
mod transfer;

use crate::timing::{Measurement, Mode};
use anyhow::Result;
use serde::{Deserialize, Serialize};

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
    /// Compilation with empty caches.
    ColdBuild,
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
        launch::CASES,
        build::CASES,
        transfer::CASES,
    ]
    .into_iter()
    .flatten()
}

/// Some source of `bench/kernels`.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!("../../kernels/", $file))
    };
}
use source;
