//! Damaged input, and what the platform does with it.

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// What the platform did with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Accepted,
    Refused,
    /// A build or a launch failed because the compiler crashed; the process continues.
    CompilerCrashed,
}

/// Inputs of one sort, in the process that hands them to the platform.
pub trait Input {
    /// Makes the input of the seed, writes it to the folder, where it stays if the process
    /// ends, and hands it to the platform.
    ///
    /// # Errors
    /// What the platform did is wrong.
    fn run(&mut self, seed: u64) -> Result<Verdict>;
}
