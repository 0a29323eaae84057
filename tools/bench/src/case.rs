//! A case of the benchmark.

use crate::timing::{Measurement, Mode};
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// A case. A process measures one case.
pub struct Case {
    /// Its name on the command line.
    pub name: &'static str,
    /// The operation that is timed.
    pub what: &'static str,
    /// Its category in the report.
    pub category: Category,
    /// Measures the case in this process.
    pub measure: fn(Mode) -> Result<Measurement>,
}

/// The aim that a case is compared with, and the state of the caches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Category {
    /// A kernel's duration.
    Kernel,
    /// The cost of a launch itself.
    Launch,
    /// Many launches of a kernel that does little.
    Series,
    /// Compilation with empty caches.
    ColdBuild,
    /// Compilation of a kernel of a given length with empty caches, to show how the time grows with it.
    Growth,
    /// Compilation of a program that another process has compiled before.
    CachedBuild,
    /// Memory for an object.
    Memory,
    /// A transfer between host and device.
    Transfer,
}
